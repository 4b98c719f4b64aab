"""Shares of answers and screens that are drawn, as a project's settings say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graders.core.errors import InputError
from graders.core.words import error_parts


@dataclass(frozen=True, slots=True)
class Sampling:
    """Shares that are drawn, and the size of a screen. Probabilities are kept with every draw.

    `stated`: a lead set the share for calibration. `repeat`: screens that come back to the same
    person blind, of all that he or she does; `gold`: screens that check a person by an answer
    of which a lead knows the value; `control`: screens with a copy of an answer that has a known
    fault.
    """

    calibration: float = 0.10
    audit: float = 0.05
    blind: float = 0.20
    repeat: float = 0.02
    gold: float = 0.04
    control: float = 0.0
    answers_per_screen: int = 3
    overlap: int = 1
    stated: bool = False

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Sampling:
        """From a project's settings; InputError names a share outside 0 to 1."""
        stored = dict(settings.get("sampling") or {})
        given = {name: stored[name] for name in cls.__dataclass_fields__ if name in stored}
        for name in ("calibration", "audit", "blind", "repeat", "gold", "control"):
            if not 0 <= float(given.get(name, 0)) <= 1:
                raise InputError(**error_parts("scope.sampling", name=name, value=given[name]))
        return cls(**{**given, "stated": "calibration" in given})
