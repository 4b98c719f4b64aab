"""Shares of cells when cells come in questions: design effect, and the interval for a share of 0 or
1."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from graders.statistics.confidence_level import LEVEL

#: The correlation within a question that is assumed where the data cannot show one, or show less.
ICC_FLOOR = 0.1


def intraclass_correlation(hits: npt.ArrayLike, sizes: npt.ArrayLike) -> float | None:
    """How alike the cells of one question are (one-way analysis of variance); None where it is 0/0.

    `hits`, `sizes`: float[G], hits and cells of each question.
    """
    x, s = _counts(hits, sizes)
    groups, n, within_df = len(s), s.sum(), s.sum() - len(s)
    share = x.sum() / n
    if groups < 2 or within_df <= 0 or not 0 < share < 1:
        return None
    between = (s * (x / s - share) ** 2).sum() / (groups - 1)
    within = (x * (1 - x / s)).sum() / within_df
    typical = (n - (s**2).sum() / n) / (groups - 1)
    return float((between - within) / (between + (typical - 1) * within))


def sandwich_effect(hits: npt.ArrayLike, sizes: npt.ArrayLike) -> float | None:
    """Variance of the share by questions over its variance by independent cells; None where it is
    0/0."""
    x, s = _counts(hits, sizes)
    groups, n = len(s), s.sum()
    share = x.sum() / n
    if groups < 2 or not 0 < share < 1:
        return None
    by_question = groups / (groups - 1) * ((x - share * s) ** 2).sum() / n**2
    return float(by_question / (share * (1 - share) / n))


def design_effect(hits: npt.ArrayLike, sizes: npt.ArrayLike, floor: float = ICC_FLOOR) -> float:
    """How many cells of these questions say as much as one independent cell; at least 1.

    The largest of 1, the sandwich effect, and 1 + (sum s² / n - 1) x max(ICC, `floor`).
    """
    _, s = _counts(hits, sizes)
    icc = intraclass_correlation(hits, sizes)
    alike = floor if icc is None else max(icc, floor)
    by_size = 1 + max(0.0, float((s**2).sum() / s.sum()) - 1) * alike
    return max(1.0, by_size, sandwich_effect(hits, sizes) or 0.0)


def clopper_pearson(hits: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Exact two-sided interval of a share (Clopper, Pearson 1934); counts may be fractions."""
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = 0.0 if hits <= 0 else float(betaincinv(hits, n - hits + 1, tail))
    high = 1.0 if hits >= n else float(betaincinv(hits + 1, n - hits, 1 - tail))
    return low, high


def clustered_interval(
    hits: npt.ArrayLike, sizes: npt.ArrayLike, level: float = LEVEL
) -> tuple[float, float]:
    """Clopper-Pearson on counts divided by the design effect (Korn, Graubard 1998)."""
    x, s = _counts(hits, sizes)
    effect = design_effect(x, s)
    return clopper_pearson(float(x.sum()) / effect, float(s.sum()) / effect, level)


def _counts(hits: npt.ArrayLike, sizes: npt.ArrayLike) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    x, s = np.asarray(hits, float), np.asarray(sizes, float)
    return x[s > 0], s[s > 0]
