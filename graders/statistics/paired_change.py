"""A judge before and after a change, against the same people on the same cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from graders.core.scale import Scale
from graders.statistics import pair_figures
from graders.statistics.opinions import Columns, Opinions
from graders.statistics.pair_figures import Part
from graders.statistics.resampling import Array, Interval


class Outcome(StrEnum):
    """What a paired difference says of a change."""

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no difference shown"
    INCONCLUSIVE = "INCONCLUSIVE"


@dataclass(frozen=True, slots=True)
class Change:
    """Both sides on the same cells and people: counts of cells and questions, the cells on which
    the value `changed`; agreement with people before and after and their paired difference; raw
    agreement of both sides from 0 to 1, None where nobody is compared."""

    cells: int
    questions: int
    changed: int
    before: Interval
    after: Interval
    difference: Interval
    raw: list[float] | None


def column(numbers: Mapping[int, float], opinions: Opinions) -> Array:
    """float[n] of the cells that people graded, NaN where the judge gave no value (`numbers`: cell
    row -> number)."""
    return np.array([numbers.get(int(cell), np.nan) for cell in opinions.cells], float)


def on_both(before: Array, after: Array) -> Array:
    """bool[n]: the cells that both sides gave a value."""
    return np.asarray(~np.isnan(before) & ~np.isnan(after))


def paired_change(
    scale: Scale,
    opinions: Opinions,
    columns: Columns,
    people: Sequence[int],
    sides: tuple[Array, Array],
    inside: Array,
) -> Change:
    """Both `sides` (before, after; float[n]) against each of the `people` on the cells `inside`
    (bool[n]), each cell weighted by 1/probability; the difference pairs them question by
    question."""
    parts: tuple[list[Part], list[Part]] = ([], [])
    alike: tuple[list[float], list[float]] = ([], [])
    seen = np.zeros(len(inside), bool)
    for person in people:
        y = columns.numbers[person]
        mine = inside & ~np.isnan(y)
        if not mine.any():
            continue
        seen |= mine
        w = 1 / columns.probability[person][mine]
        shared = (y[mine], opinions.question[mine], opinions.groups, w)
        for x, own, raw in zip(sides, parts, alike, strict=True):
            own.append(pair_figures.pair(scale, x[mine], *shared).part)
            raw.append(float(np.average(x[mine] == y[mine], weights=w)))
    before, after = sides
    return Change(
        cells=int(seen.sum()),
        questions=len(np.unique(opinions.question[seen])),
        changed=int((before != after)[seen].sum()),
        before=pair_figures.mean(parts[0]),
        after=pair_figures.mean(parts[1]),
        difference=pair_figures.difference(parts[1], parts[0]),
        raw=[float(np.mean(raw)) for raw in alike] if parts[0] else None,
    )


def outcome(difference: Interval, tries: int) -> Outcome:
    """``better`` where the interval lies above 0 even when it is widened for the best of so many
    tries (Bonferroni: level 1 - .05/tries); ``worse`` where it lies below 0; ``INCONCLUSIVE`` where
    there is too little; else ``no difference shown``."""
    if (
        difference.value is None
        or difference.low is None
        or difference.high is None
        or difference.status != "OK"
    ):
        return Outcome.INCONCLUSIVE
    freedom = max(1, difference.n_questions - 1)
    # scipy takes half a second to load, which no other command should wait for
    from scipy.special import (
        stdtrit,
    )

    wider = float(stdtrit(freedom, 1 - 0.025 / max(1, tries)) / stdtrit(freedom, 0.975))
    if difference.value - wider * (difference.value - difference.low) > 0:
        return Outcome.BETTER
    return Outcome.WORSE if difference.high < 0 else Outcome.NO_DIFFERENCE
