"""What people and judges are handed in a project: answers, pairs of them, or both; so that pages
call it by its name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from graders.core.preference import compares
from graders.core.scale import Scale
from graders.workflows.scope.phrases import several


@dataclass(frozen=True, slots=True)
class Unit:
    """The word for one and for many."""

    one: str
    many: str

    def count(self, number: int) -> str:
        """``61 pairs``."""
        return several(number, self.one)

    def json(self) -> dict[str, str]:
        """The words for a page."""
        return {"one": self.one, "many": self.many}


ANSWER, PAIR, BOTH = (
    Unit("answer", "answers"),
    Unit("pair", "pairs"),
    Unit("answer or pair", "answers and pairs"),
)


def unit_of(scales: Iterable[Scale]) -> Unit:
    """What criteria with these scales are graded on."""
    paired = {compares(scale) for scale in scales}
    return BOTH if len(paired) == 2 else PAIR if paired == {True} else ANSWER
