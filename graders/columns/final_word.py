"""The final value as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from graders.core.contracts import ResultColumn
from graders.core.rubric import Criterion


@dataclass(frozen=True)
class FinalWord(ResultColumn):
    """The scale's word for the final value; none while there is no final value, or no scale."""

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "The final value in the words of its scale."

    def value(self, cell: Mapping[str, Any], criterion: Criterion | None) -> str | None:
        """The word."""
        if criterion is None or cell["final"] is None:
            return None
        return criterion.scale.word(cell["final"])
