"""Judges that are derived from other judges, a panel and the learned one: how their verdicts are
named, and in which steps chances are learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: The name under which the judge that learns from people gives its verdicts.
LEARNED = "learned"
#: A plain range is learned in even steps: labels and verdicts count as the nearest one.
STEPS = 10


@dataclass(frozen=True, slots=True)
class LabelValues:
    """The values that a judge may learn to give: their `numbers`, the `words` in which people read
    them (none: the numbers), and whether they are `ordered`."""

    numbers: Sequence[float]
    words: Sequence[str] = ()
    ordered: bool = False


def is_panel(author: str) -> bool:
    """Whether verdicts under this name are a panel's."""
    return author == "panel" or author.startswith(("panel(", "panel by "))


def is_derived(author: str) -> bool:
    """Whether a judge's verdicts are made from what others said."""
    return author == LEARNED or is_panel(author)
