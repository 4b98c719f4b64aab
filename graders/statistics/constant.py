"""The best constant answer: what a judge that always says the same would reach."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graders.statistics.arrays import same_length
from graders.statistics.confidence_level import LEVEL
from graders.statistics.means import mean_interval
from graders.statistics.resampling import Interval, undefined


class Constant(NamedTuple):
    """`code`: the value that is right most often (None without cells); `right`: the share of cells
    on which it is, by questions."""

    code: int | None
    right: Interval


def best_constant(
    y: npt.ArrayLike,
    g: npt.ArrayLike,
    numbers: npt.ArrayLike,
    tolerance: float = 0.0,
    w: npt.ArrayLike | None = None,
    level: float = LEVEL,
) -> Constant:
    """The constant that lies within `tolerance` of most people's values; of several the middle one
    of the scale's order.

    `y`: int[n] codes, -1 missing; `g`: int[n] questions; `numbers`: float[K] of the codes; `w`:
    float[n] 1/probability. A tolerance that a constant passes says nothing about a judge: show it
    beside every judge.
    """
    codes, questions = same_length(y, g)
    known = codes >= 0
    if not known.any():
        return Constant(None, undefined("no cells", level=level))
    values, weight = np.asarray(numbers, float), None if w is None else np.asarray(w, float)[known]
    near = np.abs(values[:, None] - values[codes[known]][None, :]) <= tolerance + 1e-9
    share = np.average(near, axis=1, weights=weight)
    best = np.flatnonzero(share >= share.max() - 1e-12)
    code = int(best[(len(best) - 1) // 2])
    return Constant(
        code, mean_interval(near[code].astype(float), questions[known], weight, (0, 1), level)
    )
