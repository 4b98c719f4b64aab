"""People's effort is reading: what an answer costs to read and a cell to grade, from measured
seconds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graders.statistics.resampling import same_length

#: From so many screens on, reading and grading are told apart.
ENOUGH = 20
#: With fewer nothing is foretold.
FEWEST = 3


class Cost(NamedTuple):
    """Seconds `per_answer` read and `per_cell` graded; `screens` they rest on."""

    per_answer: float
    per_cell: float
    screens: int

    def seconds(self, answers: float, cells: float) -> float:
        """What reading `answers` and grading `cells` takes."""
        return answers * self.per_answer + cells * self.per_cell


def reading_cost(
    seconds: npt.ArrayLike, answers: npt.ArrayLike, cells: npt.ArrayLike
) -> Cost | None:
    """From float[n] seconds that screens took and how many answers and cells each had; None with
    fewer than 3 usable screens.

    Seconds that are not above 0 (a clock that went backwards) are left out, longer ones than the
    99th percentile per answer count as that much (somebody went for coffee). Least squares with
    both prices at least 0; where too little varies, all is the answers'.
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
