"""Means of values of cells that come in questions."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.arrays import Array, same_length
from graders.statistics.confidence_level import LEVEL
from graders.statistics.resampling import (
    Interval,
    Status,
    doubt,
    jackknife,
    scaled_weights,
    undefined,
)


def mean_interval(
    values: npt.ArrayLike,
    g: npt.ArrayLike,
    w: npt.ArrayLike | None = None,
    bounds: tuple[float, float] | None = None,
    level: float = LEVEL,
) -> Interval:
    """Mean over cells with a t(G-1) interval by questions.

    `values`: float[n], missing ones left out by the caller; `bounds`: lowest and highest value of
    the scale, which the interval does not leave. Values that are all at the bounds are treated as a
    share, so that "all of them" still has an interval.
    """
    x, questions = same_length(values, g)
    if not len(x):
        return undefined("no cells", level=level)
    x = x.astype(float)
    if not np.all(np.isfinite(x)):
        raise InputError(**error_parts("statistics.not_a_number"))
    names, group = np.unique(questions, return_inverse=True)
    weights = scaled_weights(w, np.ones(len(x), bool))
    weights = np.ones(len(x)) if weights is None else weights
    if bounds is not None and bounds[0] < bounds[1] and np.all((x == bounds[0]) | (x == bounds[1])):
        return _mean_of_two_values(x, group, weights, bounds, level)
    mean = float((weights * x).sum() / weights.sum())
    sums = np.bincount(group, weights=weights * (x - mean), minlength=len(names))
    se = float(np.sqrt(len(names) / max(1, len(names) - 1) * (sums**2).sum()) / weights.sum())
    return _with_t(mean, se, len(x), len(names), bounds, level)


def _with_t(
    mean: float,
    se: float,
    cells: int,
    questions: int,
    bounds: tuple[float, float] | None,
    level: float,
) -> Interval:
    from scipy.special import stdtrit

    low = high = None
    reason = doubt(questions, 0)
    if se > 1e-12 * max(1.0, abs(mean)):
        reach = float(stdtrit(questions - 1, (1 + level) / 2)) * se
        lowest, highest = bounds or (-np.inf, np.inf)
        low, high = max(mean - reach, lowest), min(mean + reach, highest)
    elif questions > 1:
        # No spread in a few values is not certainty: a zero-width interval would claim it.
        reason = reason or say("statistics.same_means")
    status: Status = "INCONCLUSIVE" if reason else "OK"
    return Interval(
        value=mean,
        low=low,
        high=high,
        level=level,
        n_cells=cells,
        n_questions=questions,
        method=say("statistics.method.mean"),
        status=status,
        reason=reason,
    )


def _mean_of_two_values(
    x: Array, group: Array, weights: Array, bounds: tuple[float, float], level: float
) -> Interval:
    lowest, highest = bounds
    top = x == highest
    tables = np.stack(
        [np.bincount(group, weights=weights * ~top), np.bincount(group, weights=weights * top)],
        axis=1,
    )
    share = jackknife(tables, lambda t: t[:, 1] / t.sum(axis=1), "logit", level, n_cells=len(x))
    rescale = [
        None if part is None else lowest + (highest - lowest) * part
        for part in (share.value, share.low, share.high)
    ]
    return replace(share, value=rescale[0], low=rescale[1], high=rescale[2])


def share_interval(values: npt.ArrayLike, g: npt.ArrayLike) -> Interval:
    """Mean of values in 0..1 with its interval by questions; INCONCLUSIVE and without an interval
    where it has no width, because questions that are all alike are no certainty."""
    found = mean_interval(values, g, bounds=(0, 1))
    if found.low is not None and found.high is not None and found.high - found.low < 1e-9:
        return replace(
            found,
            low=None,
            high=None,
            status="INCONCLUSIVE",
            reason=say("statistics.same_shares"),
        )
    return found


def share_of_counts(hits: npt.ArrayLike, sizes: npt.ArrayLike, g: npt.ArrayLike) -> Interval:
    """`share_interval` of cells that are counted by question: int[n] `hits` of `sizes` cells."""
    inside, of, questions = (np.asarray(column, int) for column in (hits, sizes, g))
    each = np.concatenate(
        [np.repeat(np.ones(len(inside)), inside), np.repeat(np.zeros(len(inside)), of - inside)]
    )
    where = np.concatenate([np.repeat(questions, inside), np.repeat(questions, of - inside)])
    return share_interval(each, where)


def interval_from_sums(
    n: int, total: float, squares: float, questions: float, ends: tuple[float, float]
) -> tuple[float | None, float | None]:
    """95 % interval of a mean from count, sum and sum of squares: mean ± t(questions - 1) s /
    sqrt(questions), within `ends`.

    A model answers a question once, so questions are what varies; the parts of one question are
    taken as saying the same, which can only widen the interval. None where the values show no
    spread.
    """
    from scipy.special import stdtrit

    spread = max(0.0, squares - total * total / n) / (n - 1) if n > 1 else 0.0
    if questions < 2 or spread < 1e-12:
        return None, None
    reach = float(stdtrit(questions - 1, (1 + LEVEL) / 2)) * math.sqrt(spread / questions)
    return max(total / n - reach, ends[0]), min(total / n + reach, ends[1])


def mean_known(rows: Array) -> Array:
    """Means over the rows [J, n] that are known, NaN where none is."""
    known = ~np.isnan(rows)
    count = known.sum(axis=0)
    return np.where(
        count > 0, np.where(known, rows, 0.0).sum(axis=0) / np.maximum(count, 1), np.nan
    )
