"""Which way a judge or a person leans: severity, length, family, use of the scale, position, drift. Each with questions as clusters.

The error is e = f - y, judge minus human, on blind verdicts. Slopes and means are of e, never of f: people reward length too, and
what they reward is no bias. Whoever looks at many of these figures at once passes their p-values through `holm`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.statistics.means import mean_interval
from graders.statistics.resampling import Array, Interval, Status, same_length, undefined

#: Fewer questions, or fewer answers of one's own family, carry no decision.
MIN_QUESTIONS, MIN_OWN = 20, 20


class UseOfScale(NamedTuple):
    """Judge over people: entropy of the values, and their standard deviation; below 1 the judge keeps to the middle or to one value."""

    entropy: float | None
    deviation: float | None


class Position(NamedTuple):
    """Pairs judged in both orders: share whose winner changed; P(first) - P(second) among the changed ones."""

    changed: Interval
    lean: Interval


def severity(f: npt.ArrayLike, y: npt.ArrayLike, g: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Mean of f - y: above 0 is lenient. `f`, `y`: float[n] (NaN: the cell is left out), `g`: int[n] questions."""
    judged, human, question = _present(g, f, y)
    return _few(mean_interval(judged - human, question, level=level))


def severity_of_person(person: npt.ArrayLike, others: npt.ArrayLike, g: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Mean of a person's value minus the mean of the others' on the same cell. `person` float[n], `others` float[P, n], NaN missing."""
    rest = np.atleast_2d(np.asarray(others, float))
    counts = np.isfinite(rest).sum(axis=0)
    mean = np.where(counts > 0, np.nansum(rest, axis=0) / np.maximum(counts, 1), np.nan)
    return severity(person, mean, g, level)


def length(e: npt.ArrayLike, characters: npt.ArrayLike, g: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Slope of the error on log characters, both centred within the question: what e-fold length adds to the judge beyond people.

    se = sqrt(Σ_g (Σ x r)²) / Σ x², t(G - 1). `e`: float[n], `characters`: positive float[n].
    """
    error, size, question = _present(g, e, characters)
    if not len(error):
        return undefined("no cells", level=level)
    if np.any(size <= 0):
        raise InputError("lengths of answers", found="one that is not above 0", expected="characters", remedy="Leave empty answers out.")
    names, group = np.unique(question, return_inverse=True)
    x, r = _centred(np.log(size), group), _centred(error, group)
    below = float((x**2).sum())
    sizes = {"n_cells": len(x), "n_questions": len(names)}
    method = "slope within questions, standard error by questions, t"
    if below <= 1e-12:
        return undefined("all answers of a question are equally long", level=level, method=method, **sizes)
    slope = float((x * r).sum()) / below
    se = float(np.sqrt((np.bincount(group, weights=x * (r - slope * x)) ** 2).sum())) / below
    return _few(_with_t(slope, se, len(x), len(names), level, method))


def family(e: npt.ArrayLike, own: npt.ArrayLike, g: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Per question, mean error on answers of the judge's own family minus mean error on the others; mean over questions that have both.

    `own`: bool[n]. Without another judge as contrast this cannot tell favour from answers that people underrate.
    """
    error, mine, question = _present(g, e, np.asarray(own, float))
    names, group = np.unique(question, return_inverse=True)
    counts = [np.bincount(group, weights=mine == side, minlength=len(names)) for side in (1, 0)]
    sums = [np.bincount(group, weights=error * (mine == side), minlength=len(names)) for side in (1, 0)]
    both = (counts[0] > 0) & (counts[1] > 0)
    if not both.any():
        return undefined("no question has an answer of the judge's own family beside another", n_cells=len(error), level=level)
    apart = sums[0][both] / counts[0][both] - sums[1][both] / counts[1][both]
    found = _few(mean_interval(apart, np.flatnonzero(both), level=level))
    own_answers = int(counts[0][both].sum())
    if own_answers < MIN_OWN and found.status == "OK":
        found = replace(found, status="INCONCLUSIVE", reason=f"fewer than {MIN_OWN} answers of the judge's own family")
    return replace(found, n_cells=int(counts[0][both].sum() + counts[1][both].sum()))


def central_tendency(f: npt.ArrayLike, y: npt.ArrayLike) -> UseOfScale:
    """How much of the scale a judge uses beside people on the same cells; None where people's values are all equal."""
    judged, human = same_length(f, y)
    both = np.isfinite(judged.astype(float)) & np.isfinite(human.astype(float))
    judged, human = judged[both].astype(float), human[both].astype(float)
    if len(human) < 2 or np.ptp(human) == 0:
        return UseOfScale(None, None)
    return UseOfScale(_entropy(judged) / _entropy(human), float(judged.std() / human.std()))


def position(first: npt.ArrayLike, second: npt.ArrayLike, g: npt.ArrayLike, level: float = 0.95) -> Position:
    """From pairs that were judged in both orders.

    `first`, `second`: the value for A (1 A wins, .5 tie, 0 B wins) when A stood first, and when A stood second.

    A pair changed where the two differ; it leans to the first place where A gets more when it stands first.
    """
    one, two, question = _present(g, first, second)
    changed = one != two
    share = mean_interval(changed.astype(float), question, bounds=(0.0, 1.0), level=level)
    lean = mean_interval(np.sign(one - two)[changed], question[changed], bounds=(-1.0, 1.0), level=level)
    return Position(_few(share), _few(lean))


def position_from_one_order(judged: npt.ArrayLike, human: npt.ArrayLike, g: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Mean of the judge's value for the answer shown first minus people's (1 it wins, .5 tie, 0 it loses), one order only."""
    return severity(judged, human, g, level)


def drift(before: npt.ArrayLike, after: npt.ArrayLike, g: npt.ArrayLike, level: float = 0.95) -> tuple[Interval, float]:
    """Mean change of the same anchor cells graded again, and its p-value: exact McNemar (1947) on two values, cluster t else.

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


def holm(p: npt.ArrayLike) -> Array:
    """Adjusted p-values float[k], in the order given: each is as small as the level at which Holm (1979) would reject it."""
    given = np.asarray(p, float)
    if not np.all((given >= 0) & (given <= 1)):
        raise InputError("p-values", found="one that is missing or not within 0 to 1", expected="numbers from 0 to 1")
    order = np.argsort(given, kind="stable")
    adjusted = np.empty(len(given))
    adjusted[order] = np.minimum(np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1)), 1.0)
    return adjusted


def _present(g: npt.ArrayLike, *columns: npt.ArrayLike) -> list[Array]:
    """The columns and the questions of the cells where no column is missing."""
    *values, question = same_length(*columns, g)
    numbers = [column.astype(float) for column in values]
    kept = np.all([np.isfinite(column) for column in numbers], axis=0)
    return [*(column[kept] for column in numbers), question[kept]]


def _centred(values: Array, group: Array) -> Array:
    return np.asarray(values - (np.bincount(group, weights=values) / np.bincount(group))[group])


def _entropy(values: Array) -> float:
    share = np.unique(values, return_counts=True)[1] / len(values)
    return float(-(share * np.log(share)).sum())


def _with_t(value: float, se: float, cells: int, questions: int, level: float, method: str) -> Interval:
    from scipy.special import stdtrit

    low = high = None
    reason = ""
    if questions > 1 and se > 0:
        reach = float(stdtrit(questions - 1, (1 + level) / 2)) * se
        low, high = value - reach, value + reach
    else:
        reason = "no spread to estimate an interval from"
    status: Status = "INCONCLUSIVE" if reason else "OK"
    return Interval(
        value=value, low=low, high=high, level=level, n_cells=cells, n_questions=questions, method=method, status=status, reason=reason
    )


def _few(found: Interval) -> Interval:
    """INCONCLUSIVE below MIN_QUESTIONS questions."""
    if found.status == "UNDEFINED" or found.n_questions >= MIN_QUESTIONS:
        return found
    return replace(found, status="INCONCLUSIVE", reason=f"fewer than {MIN_QUESTIONS} questions")
