"""Tests of one promise: at most so many of these cells are wrong, as far as these labels tell."""

from __future__ import annotations

import math

import numpy as np

from graders.statistics.proportion import design_effect
from graders.statistics.resampling import Array

#: Fewer questions cannot show how alike their cells are.
MIN_QUESTIONS = 20


def broken_at(errors: int, labels: int, cells: int, alpha: float, *, whole: bool = False) -> int:
    """The fewest errors in a region of `cells` that break the promise on its unlabelled cells
    (`whole`: on all of them)."""
    if whole:
        return math.floor(alpha * cells + 1e-9) + 1
    return errors + math.floor(alpha * (cells - labels) + 1e-9) + 1


def hypergeometric_tail(x: int, N: int, K: int, n: int) -> float:
    """P(X <= x) for X errors among `n` cells drawn from `N` of which `K` are errors."""
    from scipy.special import gammaln

    if x >= min(n, K):
        return 1.0
    k = np.arange(max(0, n - (N - K)), x + 1)
    if not len(k):
        return 0.0

    def choose(a: int, b: Array) -> Array:
        return np.asarray(gammaln(a + 1) - gammaln(b + 1) - gammaln(a - b + 1))

    return float(
        min(1.0, np.exp(choose(K, k) + choose(N - K, n - k) - choose(N, np.array(n))).sum())
    )


def upper_bound(x: int, n: int, N: int, delta: float) -> float | None:
    """The largest error among the N - n unlabelled cells that `x` errors in `n` labels do not rule
    out; None where none is left."""
    if n >= N:
        return None
    low, high = x, x + N - n
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if hypergeometric_tail(x, N, middle, n) > delta else (low, middle - 1)
        )
    return (low - x) / (N - n)


def clustered_p(cells: Array, labelled: Array, error: Array, g: Array, alpha: float) -> float:
    """p of "error above `alpha`" where labels come by screens or questions: 1 - F(alpha) of the
    beta law of x / deff + 1 and (n - x) / deff, that is Clopper-Pearson on effective counts (Korn,
    Graubard 1998). 1 below 20 questions.

    `cells`: int[N] positions of the region in `labelled`, `error` and `g`.
    """
    from scipy.special import betaincc

    used = cells[labelled[cells]]
    group = np.unique(g[used], return_inverse=True)[1]
    sizes, hits = np.bincount(group), np.bincount(group, weights=error[used])
    if len(sizes) < MIN_QUESTIONS:
        return 1.0
    effect = design_effect(hits, sizes)
    x, n = float(hits.sum()) / effect, float(sizes.sum()) / effect
    return 1.0 if x >= n else float(betaincc(x + 1, n - x, alpha))
