"""Planned looks: at which sizes of a random sample its labels may decide something.

People grade a fixed random permutation of the answers from its front. Each planned look is a prefix
of it, hence a simple random sample of its own; sizes follow from the sample's size alone and are
logged before a label is there. What labels say may only choose whether the next planned look is
waited for. A test that is made at every look stays true to its delta, since the looks share it
(Bonferroni's bound); `python -m tests.benchmarks first_labels` prints how often it is not.

Whether Agreement has a first answer is another question: `MIN_CELLS` cells of `MIN_QUESTIONS`
questions (`workflows.routing.labels_missing`), no width of an interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: Labels of the first look: fewer decide nothing.
FIRST = 30
#: A look is worth a share of delta if it adds at least this share to the one before it.
LEAST_STEP = 0.5


@dataclass(frozen=True, slots=True)
class Look:
    """One planned look: after the first `labels` answers of the permutation; `delta`: its share of
    the chance that a promise fails."""

    labels: int
    delta: float


def planned(drawn: int, delta: float, first: int = FIRST) -> tuple[Look, ...]:
    """The looks at a sample of `drawn` answers: at `first`, at twice as many, and so on, last at
    all of them. They share `delta` by the squares of their labels, so that the last decides almost
    as surely as one look alone. A sample of no answers has none."""
    if drawn < 1:
        return ()
    sizes, size = [drawn], first
    while size * (1 + LEAST_STEP) <= drawn:
        sizes.insert(-1, size)
        size *= 2
    return shared(sizes, delta)


def shared(sizes: Sequence[int], delta: float) -> tuple[Look, ...]:
    """Looks of these sizes, each with its share of `delta`."""
    total = sum(size**2 for size in sizes)
    return tuple(Look(labels, delta * labels**2 / total) for labels in sizes)
