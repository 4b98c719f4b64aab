"""People's effort is reading: what an answer costs to read and a cell to grade, from measured
seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graders.statistics.arrays import Array, joined, same_length

#: From so many screens on, reading and grading are told apart.
ENOUGH = 20
#: With fewer, no forecast is made.
FEWEST = 3


class Cost(NamedTuple):
    """Seconds `per_answer` read and `per_cell` graded; `screens` they rest on."""

    per_answer: float
    per_cell: float
    screens: int

    def seconds(self, answers: float, cells: float) -> float:
        """What reading `answers` and grading `cells` takes."""
        return answers * self.per_answer + cells * self.per_cell


#: What is assumed where fewer than FEWEST screens were timed: the demo's people took 24,422 seconds
#: for 678 answers, cells included.
DEMO_PACE = Cost(36.0, 0.0, 0)


def reading_cost(
    seconds: npt.ArrayLike, answers: npt.ArrayLike, cells: npt.ArrayLike
) -> Cost | None:
    """From float[n] seconds that screens took and how many answers and cells each had; None with
    fewer than 3 usable screens.

    Seconds that are not above 0 (a clock that went backwards) are left out, longer ones than the
    99th percentile per answer count as that much (a break). Least squares with both prices at least
    0; where too little varies, all is the answers'.
    """
    spent, read, graded = (column.astype(float) for column in same_length(seconds, answers, cells))
    used = np.isfinite(spent) & (spent > 0) & (read > 0)
    spent, read, graded = spent[used], read[used], graded[used]
    if len(spent) < FEWEST:
        return None
    pace = spent / read
    spent = np.minimum(pace, np.quantile(pace, 0.99)) * read
    X = np.column_stack([read, graded])
    if len(spent) >= ENOUGH and np.linalg.matrix_rank(X) == 2:
        from scipy.optimize import nnls

        (per_answer, per_cell), _ = nnls(X, spent)
        return Cost(float(per_answer), float(per_cell), len(spent))
    return Cost(float(spent.sum() / read.sum()), 0.0, len(spent))


class Reading(NamedTuple):
    """Answers that people read, cells that they grade, and cells that are the machine's."""

    answers: int
    cells: int
    automatic: int


def numbered_answers(subjects: Sequence[Array]) -> tuple[Array, int]:
    """(the answer of each cell as a number from 0, cells of all kinds behind one another; how many
    answers there are), from the answers' names, int[n] per kind."""
    names, subject = np.unique(joined(subjects), return_inverse=True)
    return subject, len(names)


def reading(
    subject: Array, asked: Array, automatic: Array, answers: int, *, whole: bool
) -> Reading:
    """What people read where `automatic` cells, bool[n], are the machine's.

    `subject`: int[n], the answer of each cell, 0 to `answers` - 1; `asked`: bool[n], what people
    must decide unless the machine may. `whole`: an answer that is read is graded whole.
    """
    asked = asked.astype(bool)
    machine = automatic.astype(bool) & asked
    read = np.zeros(answers, bool)
    read[subject[asked & ~machine]] = True
    if whole:
        machine &= ~read[subject]
    return Reading(int(read.sum()), int((asked & ~machine).sum()), int(machine.sum()))


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """Cells from sure to doubtful, with the doubt that machines state themselves, on average so
    far; `size`: how many cells there are."""

    order: Array
    doubt: Array
    size: int

    @classmethod
    def of(cls, sure: Array, chance: Array, usable: Array) -> Forecast:
        """Of the cells that are `usable`, bool[n], and have a place in the order (`sure` from 0
        up); `chance`: that the machine's value is right."""
        place = np.where(usable, sure, -1.0)
        order = np.argsort(-place, kind="stable")[: int((place >= 0).sum())]
        so_far = np.cumsum(1 - chance[order]) / np.arange(1, len(order) + 1)
        # Where cells are not sorted by that very doubt it may fall again: the largest region that
        # holds no more counts.
        return cls(order, np.minimum.accumulate(so_far[::-1])[::-1], len(place))

    def at(self, alpha: float) -> npt.NDArray[np.bool_]:
        """bool[n]: the surest cells whose chance of being right lacks no more than `alpha` from 1
        on average."""
        automatic = np.zeros(self.size, bool)
        automatic[self.order[: int(np.searchsorted(self.doubt, alpha + 1e-9, side="right"))]] = True
        return automatic
