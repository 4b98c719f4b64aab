"""Preferences: which of two answers is better. A pair's value is ``A`` (the first answer), ``B`` (the second) or ``tie``."""

from __future__ import annotations

import json

from graders.core.errors import ScaleError
from graders.core.scale import Scale, Value

#: What a value means for the first answer: won, lost, or as good as half of each.
OUTCOMES = {"a": 1.0, "b": 0.0, "tie": 0.5}


def is_preference(scale: Scale) -> bool:
    """Whether a scale's labels are A and B, with or without tie."""
    return {label.casefold() for label in scale.labels} in ({"a", "b"}, {"a", "b", "tie"})


def compares_two(spec: str) -> bool:
    """Whether a criterion with this scale, as the store keeps it (JSON), grades pairs from the start: its labels are A, tie and B."""
    try:
        scale = Scale.from_spec(json.loads(spec))
    except (ScaleError, ValueError):
        return False
    return len(scale.labels) == len(OUTCOMES) and is_preference(scale)


def outcome(value: Value) -> float:
    """1 where the first answer was preferred, 0 where the second was, .5 for a tie."""
    return OUTCOMES[str(value).casefold()]
