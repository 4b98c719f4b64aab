"""Values of an ordered scale along a straight line: ridge regression of their positions, with
normal errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graders.statistics.resampling import Array

#: Weight of the penalty on the slopes of standardised features.
RIDGE = 3.0
#: Errors are not taken to be smaller, in steps of the scale: few labels may happen to lie on a
#: line.
LEAST_SPREAD = 0.3


@dataclass(frozen=True, eq=False, slots=True)
class Line:
    """`slopes` [d] on standardised features, `level` at their means, `spread`: standard deviation
    of the errors, in steps."""

    slopes: Array
    level: float
    spread: float

    def probabilities(self, z: Array, K: int) -> Array:
        """float[n, K]: the probability of each position, given standardised features float[n, d];
        what lies beyond an end counts for that end."""
        from scipy.special import ndtr

        edges = (np.arange(K - 1) + 0.5 - (z @ self.slopes + self.level)[:, None]) / self.spread
        below = np.hstack([np.zeros((len(z), 1)), ndtr(edges), np.ones((len(z), 1))])
        return np.diff(below, axis=1)


def fit_line(z: npt.ArrayLike, y: npt.ArrayLike) -> Line:
    """The line through positions `y` int[n], given standardised features `z` float[n, d].

    The errors' spread counts the degrees of freedom that the slopes take (trace of the hat matrix:
    Hastie, Tibshirani, Friedman, The Elements of Statistical Learning, 3.4.1).
    """
    features, target = np.asarray(z, float), np.asarray(y, float)
    level = float(target.mean())
    inner = features.T @ features
    penalised = inner + RIDGE * np.eye(len(inner))
    slopes = np.linalg.solve(penalised, features.T @ (target - level))
    taken = 1 + float(np.trace(np.linalg.solve(penalised, inner)))
    errors = target - level - features @ slopes
    spread = float(np.sqrt((errors**2).sum() / max(1.0, len(target) - taken)))
    return Line(slopes, level, max(LEAST_SPREAD, spread))
