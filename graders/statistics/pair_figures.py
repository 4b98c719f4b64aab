"""Figures of two authors on one criterion of any scale: tables that add up over questions, and what
leaving each question out gives."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics.agreement import Level, ac, kappa, lead_weights, raw
from graders.statistics.confidence_level import LEVEL
from graders.statistics.opinions import Columns, Opinions
from graders.statistics.resampling import (
    Array,
    Interval,
    Statistic,
    Transform,
    cluster_tables,
    delete_one,
    early,
    jackknife,
    jackknife_interval,
    scaled_weights,
    undefined,
)

Lead = Literal[
    "kappa", "quadratic kappa", "rho", "nominal alpha", "ordinal alpha", "interval alpha"
]
#: Krippendorff's alpha by its level.
ALPHA: Mapping[Level, Lead] = {
    "nominal": "nominal alpha",
    "ordinal": "ordinal alpha",
    "interval": "interval alpha",
}
#: Scales with more values than this are computed from moments, and their matrices show ranges of
#: values.
MOST_VALUES, RANGES = 12, 5
#: Pairs times questions up to which a flag is held for each (a byte each), which is quicker than
#: sorting.
MOST_PLACES = 50_000_000
#: Pairs with fewer common cells are in no mean, unless all have fewer: then it is an early one.
MIN_CELLS = 30


@dataclass(frozen=True, slots=True)
class Part:
    """Two authors: the lead figure on all questions and, float[G], without each one; which
    questions have cells, bool[G].

    `rest` and `has` are empty where no interval is asked for.
    """

    value: float
    rest: Array
    has: npt.NDArray[np.bool_]
    cells: int
    questions: int

    @property
    def enough(self) -> bool:
        """Whether both graded cells enough for a figure that is no early one."""
        return self.cells >= MIN_CELLS


@dataclass(frozen=True, slots=True)
class Pair:
    """Figures of two authors on the cells that both graded; `ac` is None where there is none.

    `counts[k][l]`: cells where the first gave k and the second l.
    """

    lead: Interval
    raw: Interval
    ac: float | None
    counts: list[list[int]]
    part: Part


def lead_name(scale: Scale) -> Lead:
    """Which figure leads on a scale: kappa, with quadratic weights where values have an order; rank
    correlation for plain ranges."""
    if not scale.is_discrete:
        return "rho"
    return "quadratic kappa" if scale.is_ordered and len(scale.values) > 2 else "kappa"


def ranges(scale: Scale) -> list[tuple[str, float, float]]:
    """(words, from, below) of the rows of a matrix: one per value, or five equal ranges where
    values are many."""
    if scale.is_discrete and len(scale.values) <= MOST_VALUES:
        return [
            (str(value), number - 0.5, number + 0.5)
            for value, number in zip(scale.values, scale.numbers, strict=True)
        ]
    edges = np.linspace(scale.low, scale.high, RANGES + 1)
    last = float(np.nextafter(edges[-1], np.inf))
    tops = [float(edge) for edge in edges[1:-1]] + [last]
    return [
        (say("statistics.range", low=f"{low:g}", high=f"{high:g}"), float(low), top)
        for low, high, top in zip(edges[:-1], edges[1:], tops, strict=True)
    ]


def pair(scale: Scale, x: Array, y: Array, g: Array, groups: int, w: Array | None) -> Pair:
    """Figures of numbers `x`, `y` float[n] (NaN where missing) in questions `g` int[n], 0 <= g <
    `groups`.

    `w`: float[n], 1/probability.
    """
    both = ~(np.isnan(x) | np.isnan(y))
    first, second, question = x[both], y[both], g[both]
    weights = None if w is None else w[both]
    counts = _counts(scale, first, second)
    cells = len(first)
    nothing = undefined(say("statistics.no_shared_cells"))
    if not cells:
        return Pair(
            nothing,
            nothing,
            None,
            counts,
            Part(float("nan"), np.full(groups, np.nan), np.zeros(groups, bool), 0, 0),
        )
    # Two people share a few questions of many: what lies outside them changes no figure.
    present, local = np.unique(question, return_inverse=True)
    tables, lead, same, gwet, why = _tables(scale, first, second, local, len(present), weights)
    value, without = delete_one(tables, lead)
    share = (
        jackknife(tables if tables.ndim == 3 else _share(tables), same, "logit", n_cells=cells)
        if scale.is_discrete
        else undefined(say("statistics.by_rank"))
    )
    rest, has = np.full(groups, value), np.zeros(groups, bool)
    rest[present], has[present] = without, True
    return Pair(
        jackknife_interval(value, without, n_cells=cells, why=why),
        share,
        None if gwet is None else _plain(gwet(tables.sum(axis=0)[None])),
        counts,
        Part(value, rest, has, cells, len(present)),
    )


def pairs(
    scale: Scale,
    opinions: Opinions,
    used: Array,
    wanted: Sequence[tuple[int, int]],
    *,
    weighted: bool,
) -> dict[tuple[int, int], Pair]:
    """Figures with their intervals of those `wanted` pairs that share a cell: (judge or person,
    person), author rows as in `opinions`, of which those `used` bool[m] count."""
    columns = Columns.of(opinions, used)
    numbers = {**opinions.judged, **columns.numbers}
    figures = {}
    for a, b in wanted:
        x, y = numbers[a], numbers[b]
        if (~np.isnan(x) & ~np.isnan(y)).any():
            w = 1 / columns.together(a, b) if weighted else None
            figures[(a, b)] = pair(scale, x, y, opinions.question, opinions.groups, w)
    return figures


def mean_raw(pairs: Sequence[Pair]) -> float | None:
    """Mean over pairs with enough cells of the share of equal values; None without any."""
    shares = [
        pair.raw.value
        for pair in pairs
        if pair.raw.value is not None and pair.part.cells >= MIN_CELLS
    ]
    return float(np.mean(shares)) if shares else None


def first_pair(scale: Scale, x: Array, y: Array, questions: int, w: Array | None) -> Pair:
    """The figures of `pair` without intervals, on scales of many values: numbers float[n] of cells
    that both graded."""
    tables, lead, same, _, why = _tables(scale, x, y, np.zeros(len(x), int), 1, w)
    value = float(lead(tables)[0])
    share = float(same(_share(tables))[0]) if scale.is_discrete else None
    return Pair(
        plain(value, len(x), questions, why),
        undefined(say("statistics.by_rank")) if share is None else plain(share, len(x), questions),
        None,
        _counts(scale, x, y),
        Part(value, np.zeros(0), np.zeros(0, bool), len(x), questions),
    )


def plain(value: float, cells: int, questions: int, why: str = "") -> Interval:
    """A figure whose interval has not been asked for; undefined, because of `why`, if it is NaN."""
    if not math.isfinite(value):
        why = why or say("statistics.one_value")
        return undefined(why, n_cells=cells, n_questions=questions)
    return Interval(
        value=value,
        low=None,
        high=None,
        level=LEVEL,
        n_cells=cells,
        n_questions=questions,
        method="",
        status="OK",
    )


def mean(parts: Sequence[Part]) -> Interval:
    """Mean of the lead figures of all pairs with enough cells, each with equal weight; jackknife
    over their questions. Where no pair has enough, an early one over all of them."""
    usable = [part for part in parts if part.enough]
    if usable:
        return _mean_interval(usable)
    some = [part for part in parts if part.cells]
    if not some:
        return undefined(say("statistics.no_shared_cells"))
    return early(_mean_interval(some), say("statistics.no_two_share", cells=MIN_CELLS))


def _mean_interval(parts: Sequence[Part]) -> Interval:
    value, rest, kept = _mean(parts)
    cells = sum(part.cells for part in parts)
    if not len(rest):
        return plain(value, cells, max(part.questions for part in parts))
    return jackknife_interval(value, rest[kept], n_cells=cells, why=say("statistics.one_value"))


def difference(judge: Sequence[Part], people: Sequence[Part]) -> Interval:
    """Mean of the judge's pairs minus mean of people's pairs, with the jackknife over all their
    questions."""
    one = [part for part in judge if part.enough]
    two = [part for part in people if part.enough]
    if not one or not two:
        lacking = "no_people_share" if one else "judge_shares_few"
        return undefined(say(f"statistics.{lacking}", cells=MIN_CELLS))
    value, rest, kept = _mean(one)
    other, other_rest, other_kept = _mean(two)
    cells = sum(part.cells for part in one)
    if not len(rest):
        return plain(value - other, cells, max(part.questions for part in one))
    scale: Transform = "none"
    return jackknife_interval(
        value - other,
        (rest - other_rest)[kept | other_kept],
        scale,
        n_cells=cells,
        why=say("statistics.one_value"),
    )


def _mean(parts: Sequence[Part]) -> tuple[float, Array, npt.NDArray[np.bool_]]:
    """Mean figure, mean without each question, and the questions that any of the pairs has. A pair
    that is 0/0 says nothing."""
    kept: npt.NDArray[np.bool_] = np.asarray(np.stack([part.has for part in parts]).any(axis=0))
    defined = [part for part in parts if np.isfinite(part.value)]
    if not defined:
        return float("nan"), np.full(len(kept), np.nan), kept
    return (
        float(np.mean([p.value for p in defined])),
        np.asarray(np.mean([p.rest for p in defined], axis=0)),
        kept,
    )


def _plain(values: Array) -> float | None:
    return float(values[0]) if np.isfinite(values[0]) else None


def _counts(scale: Scale, x: Array, y: Array) -> list[list[int]]:
    edges = np.array([low for _, low, _ in ranges(scale)])
    K = len(edges)
    row, column = (np.clip(np.searchsorted(edges, side, "right") - 1, 0, K - 1) for side in (x, y))
    counts = np.bincount(row * K + column, minlength=K * K).reshape(K, K)
    return [[int(count) for count in line] for line in counts]


def _tables(
    scale: Scale, x: Array, y: Array, g: Array, groups: int, w: Array | None
) -> tuple[Array, Statistic, Statistic, Statistic | None, str]:
    """Additive tables per question, and the statistics of them: lead, raw, Gwet's (None from
    moments); why the lead may be 0/0."""
    if scale.is_discrete and len(scale.values) <= MOST_VALUES:
        K, weights, values = len(scale.values), lead_weights(scale), scale.numbers
        shift = values[0]
        tables = np.zeros((groups, K, K))
        present = np.unique(g)
        tables[present] = cluster_tables((x - shift).astype(int), (y - shift).astype(int), g, K, w)
        return (
            tables,
            partial(kappa, weights=weights, values=values),
            raw,
            partial(ac, weights=weights, values=values),
            say("statistics.one_value"),
        )
    lead: Statistic = concordance
    why = say("statistics.one_value")
    same = (x == y).astype(float)
    if not scale.is_discrete:
        x, y, lead, why = ranks(x), ranks(y), correlation, say("statistics.one_is_constant")
    centre = (x.mean() + y.mean()) / 2
    x, y = x - centre, y - centre
    weight = scaled_weights(w, np.ones(len(x), bool))
    unit = np.ones(len(x)) if weight is None else weight
    columns = (np.ones(len(x)), x, y, x * x, y * y, x * y, same)
    tables = np.stack(
        [np.bincount(g, weights=unit * column, minlength=groups) for column in columns], axis=1
    )
    return tables, lead, raw, None, why


def questions_of(places: Array, count: int, groups: int) -> Array:
    """How many questions each of `count` pairs or people has: `places` name one of them and a
    question each, one * `groups` + question."""
    if count * groups > MOST_PLACES:
        return np.bincount(np.unique(places) // groups, minlength=count)
    present = np.zeros(count * groups, bool)
    present[places] = True
    return np.asarray(present.reshape(count, groups).sum(axis=1))


def concordance(moments: Array) -> Array:
    """Quadratic kappa from moments [..., (n, x, y, xx, yy, xy, same)]: 2 cov / (var x + var y +
    (mean x - mean y)²)."""
    mean_x, mean_y, var_x, var_y, cov = _moments(moments)
    return _ratio(2 * cov, var_x + var_y + (mean_x - mean_y) ** 2)


def correlation(moments: Array) -> Array:
    """Pearson's correlation from moments; of ranks it is Spearman's rho (ranks are those on all
    cells)."""
    _, _, var_x, var_y, cov = _moments(moments)
    return _ratio(cov, np.sqrt(np.clip(var_x * var_y, 0, None)))


def _moments(moments: Array) -> tuple[Array, Array, Array, Array, Array]:
    n = np.where(moments[..., 0] > 0, moments[..., 0], np.nan)
    x, y = moments[..., 1] / n, moments[..., 2] / n
    return (
        x,
        y,
        moments[..., 3] / n - x * x,
        moments[..., 4] / n - y * y,
        moments[..., 5] / n - x * y,
    )


def _ratio(above: Array, below: Array) -> Array:
    return np.asarray(
        np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below > 1e-12)
    )


def _share(moments: Array) -> Array:
    """Moments as 2 x 2 tables [[same, other], [0, 0]] whose raw agreement is the share of equal
    values."""
    tables = np.zeros((len(moments), 2, 2))
    tables[:, 0, 0] = moments[:, 6]
    tables[:, 0, 1] = moments[:, 0] - moments[:, 6]
    return tables


def ranks(x: Array) -> Array:
    """Mid-ranks."""
    _, place, counts = np.unique(x, return_inverse=True, return_counts=True)
    upper = np.cumsum(counts)
    return np.asarray((upper - (counts - 1) / 2)[place])
