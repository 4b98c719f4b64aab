"""Krippendorff's alpha where not every person graded every cell: of people among themselves, and of
a judge beside each of them.

People: every pair of people on every cell that two of them graded is in it, as Krippendorff (2004)
counts pairs: a cell with m values holds m of them. A judge: a unit is the judge and one person on
one cell, so the judge is never one more annotator among people, whose agreement with each other
would hide that it differs from all of them. Each question weighs the same, times the mean of
1/probability of its cells, however many people graded it: one pair that shares many cells decides
no more than others. With as many values in each question these are the published formulas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from graders.core.scale import Scale
from graders.statistics.agreement import Level, alpha
from graders.statistics.opinions import Opinions
from graders.statistics.pair_figures import Part, mean
from graders.statistics.resampling import Array, Interval, Statistic, delete_one

#: Columns of what adds up on scales of numbers: values, their sum, their sum of squares, and the
#: squared distances of all pairs.
_VALUES, _SUM, _SQUARES, _APART = range(4)


@dataclass(frozen=True, slots=True)
class Ratings:
    """The opinions of planned people that make a figure, one entry each: position of the cell
    (`at`), number, weight (1/probability; None: all 1) and chance that the cell has all of them."""

    at: Array
    number: Array
    weight: Array | None
    together: Array | None

    @classmethod
    def of(
        cls, opinions: Opinions, used: Array, people: Sequence[int], *, weighted: bool
    ) -> Ratings:
        """Of these `people` (author rows), from the opinions `used` bool[m]."""
        rows = np.flatnonzero(used & opinions.by(people))
        return cls(
            opinions.at[rows],
            opinions.number[rows],
            1 / opinions.probability[rows] if weighted else None,
            1 / _chance(opinions, rows) if weighted else None,
        )

    def counts(self, cells: int) -> Array:
        """How many of them each cell has, int[cells]."""
        return np.bincount(self.at, minlength=cells)


@dataclass(frozen=True, slots=True)
class Alphas:
    """Alpha of a judge with each of the people, and of people among themselves."""

    judge: Interval
    people: Interval


def alphas(scale: Scale, opinions: Opinions, ratings: Ratings, judge: Array) -> Alphas:
    """Of a judge, float[cells] (NaN missing), and of people, each on all of their cells."""
    every = np.ones(len(judge), bool)
    return Alphas(
        mean([with_judge(scale, opinions, ratings, judge, every, intervals=True)]),
        mean([among_people(scale, opinions, ratings, every, intervals=True)]),
    )


def alpha_level(scale: Scale) -> Level:
    """The level at which Krippendorff's alpha takes a scale."""
    if not scale.is_ordered:
        return "nominal"
    return "ordinal" if scale.kind == "ordered" else "interval"


def among_people(
    scale: Scale, opinions: Opinions, ratings: Ratings, on: Array, *, intervals: bool
) -> Part:
    """Alpha of people among themselves on the cells `on` bool[cells] that two of them graded."""
    many = on & (ratings.counts(len(on)) > 1)
    kept = many[ratings.at]
    _, unit = np.unique(ratings.at[kept], return_inverse=True)
    w = None if ratings.together is None else ratings.together[kept]
    return _part(scale, opinions, (ratings.at[kept], unit, ratings.number[kept], w), intervals)


def with_judge(
    scale: Scale,
    opinions: Opinions,
    ratings: Ratings,
    judge: Array,
    on: Array,
    *,
    intervals: bool,
) -> Part:
    """Alpha of a judge, float[cells] (NaN missing), with each person on the cells `on` bool[cells]
    that both graded."""
    kept = on[ratings.at] & ~np.isnan(judge[ratings.at])
    at, number = ratings.at[kept], ratings.number[kept]
    unit = np.arange(len(at))
    w = None if ratings.weight is None else np.tile(ratings.weight[kept], 2)
    values = np.concatenate([judge[at], number])
    return _part(scale, opinions, (np.tile(at, 2), np.tile(unit, 2), values, w), intervals)


def _part(
    scale: Scale,
    opinions: Opinions,
    values: tuple[Array, Array, Array, Array | None],
    intervals: bool,
) -> Part:
    """Alpha of values, each with the position of its cell, its unit (those of one unit are
    compared) and its weight, None for 1."""
    at, unit, number, w = values
    cells = int(np.count_nonzero(np.bincount(at)))
    groups = opinions.groups
    if not len(at):
        return Part(float("nan"), np.full(groups, np.nan), np.zeros(groups, bool), 0, 0)
    present, local = np.unique(opinions.question[at], return_inverse=True)
    weight = _by_question(local, w, len(present))
    tables, stat = _tables(scale, local, unit, number, weight)
    if not intervals:
        value = float(stat(tables.sum(axis=0)[None])[0])
        return Part(value, np.zeros(0), np.zeros(0, bool), cells, len(present))
    value, without = delete_one(tables, stat)
    rest, has = np.full(groups, value), np.zeros(groups, bool)
    rest[present], has[present] = without, True
    return Part(value, rest, has, cells, len(present))


def _by_question(group: Array, w: Array | None, groups: int) -> Array:
    """A weight for each value with which all questions weigh the same, times the mean weight of
    their values; they add up to the number of values."""
    count = np.bincount(group, minlength=groups)
    weight = 1 / count[group] if w is None else w / count[group]
    return np.asarray(weight * (len(weight) / weight.sum()))


def _tables(
    scale: Scale, group: Array, unit: Array, number: Array, weight: Array
) -> tuple[Array, Statistic]:
    """What adds up over questions, float[G, ...], and alpha of it. All values of a unit have one
    weight."""
    level, groups = alpha_level(scale), int(group.max()) + 1
    size = np.bincount(unit)
    share = weight / (size[unit] - 1)
    if level == "interval":
        return _moments(group, unit, number - number.mean(), weight, share, groups), _from_moments
    numbers = np.asarray(scale.numbers, float)
    code, K = np.searchsorted(numbers, number - 1e-9), len(numbers)
    counts = np.bincount(unit * K + code, minlength=len(size) * K).reshape(-1, K)
    tables = np.zeros((groups, K, K))
    for k in range(K):
        mine = code == k
        for other in range(K):
            # each value k meets those that are `other` in its unit, but not itself
            met = counts[unit[mine], other] - (other == k)
            tables[:, k, other] = np.bincount(
                group[mine], weights=share[mine] * met, minlength=groups
            )
    return tables, partial(alpha, level=level, values=numbers)


def _moments(
    group: Array, unit: Array, v: Array, weight: Array, share: Array, groups: int
) -> Array:
    """Columns _VALUES to _APART per question: the squared distances of a value to all of its unit
    are m v² - 2 v S + Q, with the unit's size, sum and sum of squares."""
    m, s, q = (np.bincount(unit, weights=column)[unit] for column in (np.ones(len(v)), v, v * v))
    apart = m * v * v - 2 * v * s + q
    columns = (weight, weight * v, weight * v * v, share * np.clip(apart, 0, None))
    return np.stack([np.bincount(group, weights=c, minlength=groups) for c in columns], axis=1)


def _from_moments(moments: Array) -> Array:
    """Alpha at the interval level: 1 - (n - 1) sum of squared distances of pairs / (2 (n Q -
    S²))."""
    n, s = moments[..., _VALUES], moments[..., _SUM]
    expected = 2 * (n * moments[..., _SQUARES] - s * s)
    usable = expected > 1e-9 * np.maximum(n * moments[..., _SQUARES], 1e-12)
    ratio = np.divide(
        moments[..., _APART], expected, out=np.full(np.shape(expected), np.nan), where=usable
    )
    return np.asarray(1 - (n - 1) * ratio)


def _chance(opinions: Opinions, rows: Array) -> Array:
    """The chance that a cell has all its opinions: blind arms are drawn apart, a screen is drawn
    once for all."""
    at, p = opinions.at[rows], opinions.probability[rows]
    arm = opinions.arm[rows]
    size = int(at.max()) + 1 if len(at) else 0
    arms = np.exp(np.bincount(at, weights=np.where(arm, np.log(p), 0.0), minlength=size))
    once = np.ones(size)
    order = np.argsort(at, kind="stable")
    if len(at):
        names, first = np.unique(at[order], return_index=True)
        once[names] = np.minimum.reduceat(np.where(arm, 1.0, p)[order], first)
    return np.asarray(np.minimum(arms, once)[at])
