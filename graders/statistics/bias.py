"""Which way a judge or a person leans: severity, length, family, use of the scale, position, drift.
Each with questions as clusters.

The error is e = f - y, judge minus human, on blind verdicts. Slopes and means are of e, never of f:
people reward length too, and what they reward is no bias. Whoever looks at many of these figures at
once passes their p-values through `holm`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.arrays import Array, same_length
from graders.statistics.confidence_level import LEVEL
from graders.statistics.means import mean_interval
from graders.statistics.resampling import Interval, Status, bootstrap, undefined

#: Fewer questions, or fewer answers of one's own family, carry no decision.
MIN_QUESTIONS, MIN_OWN = 20, 20
#: A figure is significant where its corrected p-value is below this.
ALPHA = 0.05


class UseOfScale(NamedTuple):
    """Judge over people: entropy of the values, and their standard deviation; below 1 the judge
    keeps to the middle or to one value."""

    entropy: float | None
    deviation: float | None


class Position(NamedTuple):
    """Pairs judged in both orders: share whose winner changed; P(first) - P(second) among the
    changed ones."""

    changed: Interval
    lean: Interval


def severity(
    f: npt.ArrayLike,
    y: npt.ArrayLike,
    g: npt.ArrayLike,
    level: float = LEVEL,
    *,
    w: npt.ArrayLike | None = None,
) -> Interval:
    """Mean of f - y: above 0 is lenient. `f`, `y`: float[n] (NaN: the cell is left out), `g`:
    int[n] questions, `w`: 1/probability."""
    judged, human, question, weight = _weighed(g, w, f, y)
    return _few(mean_interval(judged - human, question, weight, level=level))


def length(
    e: npt.ArrayLike,
    characters: npt.ArrayLike,
    g: npt.ArrayLike,
    level: float = LEVEL,
    *,
    w: npt.ArrayLike | None = None,
) -> Interval:
    """Slope of the error on log characters, both centred within the question: what e-fold length
    adds to the judge beyond people.

    se = sqrt(Σ_g (Σ w x r)²) / Σ w x², t(G - 1). `e`: float[n], `characters`: positive float[n],
    `w`: 1/probability.
    """
    error, size, question, weight = _weighed(g, w, e, characters)
    if not len(error):
        return undefined("no cells", level=level)
    if np.any(size <= 0):
        raise InputError(**error_parts("statistics.lengths"))
    return _slope(error, np.log(size), question, weight, level, say("statistics.equal_lengths"))


def place_in_call(
    f: npt.ArrayLike, place: npt.ArrayLike, g: npt.ArrayLike, level: float = LEVEL
) -> Interval:
    """Slope of a judge's value on the place of the answer in its call, 0 first to 1 last, both
    centred within the question.

    The order is drawn by a seed, so that places owe nothing to the answers: no label is needed.
    Above 0: what stands late gains. `f`: float[n], `place`: float[n] in 0..1, `g`: int[n]. The
    standard error is that of `length`.
    """
    value, at, question = _present(g, f, place)
    if not len(value):
        return undefined(say("statistics.no_joint_call"), level=level)
    return _slope(value, at, question, np.ones(len(value)), level, say("statistics.no_places"))


def family(
    e: npt.ArrayLike,
    own: npt.ArrayLike,
    g: npt.ArrayLike,
    level: float = LEVEL,
    *,
    w: npt.ArrayLike | None = None,
) -> Interval:
    """Per question, mean error on answers of the judge's own family minus mean error on the others;
    mean over questions that have both.

    `own`: bool[n], `w`: 1/probability. Without another judge as contrast this cannot tell favour
    from answers that people underrate.
    """
    error, mine, question, weight = _weighed(g, w, e, np.asarray(own, float))
    names, group = np.unique(question, return_inverse=True)
    n = len(names)
    counts = [np.bincount(group, weights=mine == side, minlength=n) for side in (1, 0)]
    mass = [np.bincount(group, weights=weight * (mine == side), minlength=n) for side in (1, 0)]
    sums = [
        np.bincount(group, weights=weight * error * (mine == side), minlength=n) for side in (1, 0)
    ]
    both = (counts[0] > 0) & (counts[1] > 0)
    if not both.any():
        return undefined(
            say("statistics.no_own_family"),
            n_cells=len(error),
            level=level,
        )
    apart = sums[0][both] / mass[0][both] - sums[1][both] / mass[1][both]
    found = _few(mean_interval(apart, np.flatnonzero(both), level=level))
    own_answers = int(counts[0][both].sum())
    if own_answers < MIN_OWN and found.status == "OK":
        found = replace(
            found,
            status="INCONCLUSIVE",
            reason=say("statistics.fewer_own", least=MIN_OWN),
        )
    return replace(found, n_cells=int(counts[0][both].sum() + counts[1][both].sum()))


def central_tendency(f: npt.ArrayLike, y: npt.ArrayLike) -> UseOfScale:
    """How much of the scale a judge uses beside people on the same cells; None where people's
    values are all equal."""
    judged, human = same_length(f, y)
    both = np.isfinite(judged.astype(float)) & np.isfinite(human.astype(float))
    judged, human = judged[both].astype(float), human[both].astype(float)
    if len(human) < 2 or np.ptp(human) == 0:
        return UseOfScale(None, None)
    return UseOfScale(_entropy(judged) / _entropy(human), float(judged.std() / human.std()))


def spread_ratio(
    f: npt.ArrayLike,
    y: npt.ArrayLike,
    g: npt.ArrayLike,
    level: float = LEVEL,
    *,
    w: npt.ArrayLike | None = None,
) -> Interval:
    """Standard deviation of the judge's values over that of people's on the same cells; percentile
    interval, questions drawn anew."""
    judged, human, question, weight = _weighed(g, w, f, y)
    if not len(judged):
        return undefined("no cells", level=level)
    group = np.unique(question, return_inverse=True)[1]
    judged, human = judged - judged.mean(), human - human.mean()
    columns = (np.ones(len(judged)), judged, judged**2, human, human**2)
    tables = np.stack([np.bincount(group, weights=weight * column) for column in columns], axis=1)

    def ratio(t: Array) -> Array:
        own, theirs = (t[:, at + 1] / t[:, 0] - (t[:, at] / t[:, 0]) ** 2 for at in (1, 3))
        return np.where(
            theirs > 1e-9, np.sqrt(np.maximum(own, 0) / np.where(theirs > 1e-9, theirs, 1)), np.nan
        )

    return _few(
        bootstrap(
            tables, ratio, level=level, n_cells=len(judged), why=say("statistics.people_equal")
        )
    )


def position(
    first: npt.ArrayLike, second: npt.ArrayLike, g: npt.ArrayLike, level: float = LEVEL
) -> Position:
    """From pairs that were judged in both orders.

    `first`, `second`: the value for A (1 A wins, .5 tie, 0 B wins) when A stood first, and when A
    stood second.

    A pair changed where the two differ; it leans to the first place where A gets more when it
    stands first.
    """
    one, two, question = _present(g, first, second)
    changed = one != two
    share = mean_interval(changed.astype(float), question, bounds=(0.0, 1.0), level=level)
    lean = mean_interval(
        np.sign(one - two)[changed], question[changed], bounds=(-1.0, 1.0), level=level
    )
    return Position(_few(share), _few(lean))


def position_from_one_order(
    judged: npt.ArrayLike,
    human: npt.ArrayLike,
    g: npt.ArrayLike,
    level: float = LEVEL,
    *,
    w: npt.ArrayLike | None = None,
) -> Interval:
    """Mean of the judge's value for the answer shown first minus people's (1 it wins, .5 tie, 0 it
    loses), one order only."""
    return severity(judged, human, g, level, w=w)


def drift(
    before: npt.ArrayLike, after: npt.ArrayLike, g: npt.ArrayLike, level: float = LEVEL
) -> tuple[Interval, float]:
    """Mean change of the same anchor cells graded again, and its p-value: exact McNemar (1947) on
    two values, cluster t else.

    Where nothing changed p is 1.
    """
    from scipy.special import bdtr, stdtr

    old, new, question = _present(g, before, after)
    found = _few(mean_interval(new - old, question, level=level))
    up, down = int((new > old).sum()), int((new < old).sum())
    if not up + down:
        return found, 1.0
    if len(np.unique(np.concatenate([old, new]))) <= 2:
        return found, min(1.0, 2 * float(bdtr(min(up, down), up + down, 0.5)))
    names, group = np.unique(question, return_inverse=True)
    sums = np.bincount(group, weights=new - old - (new - old).mean())
    se = np.sqrt(len(names) / max(1, len(names) - 1) * (sums**2).sum()) / len(new)
    if len(names) < 2 or se <= 0:
        return found, 1.0
    return found, float(2 * stdtr(len(names) - 1, -abs((new - old).mean()) / se))


def chance_of_none(found: Interval) -> float | None:
    """Two-sided p-value that there is nothing, of a figure with a symmetric t-interval by questions
    (mean or slope); None without one."""
    from scipy.special import stdtr, stdtrit

    if found.value is None or found.low is None or found.high is None or found.high <= found.low:
        return None
    se = (found.high - found.low) / 2 / float(stdtrit(found.n_questions - 1, (1 + found.level) / 2))
    return float(2 * stdtr(found.n_questions - 1, -abs(found.value) / se))


def holm(p: npt.ArrayLike) -> Array:
    """Adjusted p-values float[k], in the order given: each is as small as the level at which Holm
    (1979) would reject it."""
    given = np.asarray(p, float)
    if not np.all((given >= 0) & (given <= 1)):
        raise InputError(**error_parts("statistics.p_values"))
    order = np.argsort(given, kind="stable")
    adjusted = np.empty(len(given))
    adjusted[order] = np.minimum(
        np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1)), 1.0
    )
    return adjusted


class Significance(NamedTuple):
    """A figure's two-sided p-value, the same after Holm's correction (None where it has no test),
    and whether that is below 5 %."""

    p: float | None
    adjusted: float | None
    real: bool


def tested_together(figures: Sequence[Interval], own: Sequence[float | None]) -> list[Significance]:
    """The significance of each figure after Holm's correction over all that carry a decision.
    `own`: the p-value of a figure that comes with a test, None where its interval is the test."""
    values = [
        None if found.status != "OK" else chance_of_none(found) if p is None else p
        for found, p in zip(figures, own, strict=True)
    ]
    known = [p for p in values if p is not None]
    adjusted = iter(holm(known).tolist() if known else ())
    return [
        Significance(None, None, False)
        if p is None
        else Significance(p, corrected := float(next(adjusted)), corrected < ALPHA)
        for p in values
    ]


def _present(g: npt.ArrayLike, *columns: npt.ArrayLike) -> list[Array]:
    """The columns and the questions of the cells where no column is missing."""
    *values, question = same_length(*columns, g)
    numbers = [column.astype(float) for column in values]
    kept = np.all([np.isfinite(column) for column in numbers], axis=0)
    return [*(column[kept] for column in numbers), question[kept]]


def _weighed(g: npt.ArrayLike, w: npt.ArrayLike | None, *columns: npt.ArrayLike) -> list[Array]:
    """As `_present`, with the weights of these cells last: 1 unless given."""
    given = np.ones(len(np.asarray(g))) if w is None else np.asarray(w, float)
    *values, weight, question = _present(g, *columns, given)
    return [*values, question, weight]


def _slope(y: Array, x: Array, question: Array, w: Array, level: float, flat: str) -> Interval:
    """Weighted slope of `y` on `x`, both centred within the question; UNDEFINED with the reason
    `flat` where x does not differ."""
    names, group = np.unique(question, return_inverse=True)
    x, r = _centred(x, group, w), _centred(y, group, w)
    below = float((w * x**2).sum())
    sizes = {"n_cells": len(x), "n_questions": len(names)}
    method = say("statistics.method.slope")
    if below <= 1e-12:
        return undefined(flat, level=level, method=method, **sizes)
    slope = float((w * x * r).sum()) / below
    se = float(np.sqrt((np.bincount(group, weights=w * x * (r - slope * x)) ** 2).sum())) / below
    return _few(_with_t(slope, se, len(x), len(names), level, method))


def _centred(values: Array, group: Array, w: Array) -> Array:
    return np.asarray(
        values - (np.bincount(group, weights=w * values) / np.bincount(group, weights=w))[group]
    )


def _entropy(values: Array) -> float:
    share = np.unique(values, return_counts=True)[1] / len(values)
    return float(-(share * np.log(share)).sum())


def _with_t(
    value: float, se: float, cells: int, questions: int, level: float, method: str
) -> Interval:
    from scipy.special import stdtrit

    low = high = None
    reason = ""
    if questions > 1 and se > 0:
        reach = float(stdtrit(questions - 1, (1 + level) / 2)) * se
        low, high = value - reach, value + reach
    else:
        reason = say("statistics.no_spread")
    status: Status = "INCONCLUSIVE" if reason else "OK"
    return Interval(
        value=value,
        low=low,
        high=high,
        level=level,
        n_cells=cells,
        n_questions=questions,
        method=method,
        status=status,
        reason=reason,
    )


def _few(found: Interval) -> Interval:
    """INCONCLUSIVE below MIN_QUESTIONS questions."""
    if found.status == "UNDEFINED" or found.n_questions >= MIN_QUESTIONS:
        return found
    return replace(
        found, status="INCONCLUSIVE", reason=say("statistics.fewer_questions", least=MIN_QUESTIONS)
    )
