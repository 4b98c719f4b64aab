"""All figures of one judge and people on one criterion: raw agreement, Gwet's, kappas, rank
correlations, Krippendorff's alpha, the alternative annotator test, the best constant answer. Each
with its interval by questions, beside the same among people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import numpy as np

from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics import agreement as stats
from graders.statistics.alt_test import EPSILON, AltTest, alt_test
from graders.statistics.constant import best_constant
from graders.statistics.means import mean_interval
from graders.statistics.opinions import Columns, Opinions, couples
from graders.statistics.pair_figures import MIN_CELLS, MOST_VALUES
from graders.statistics.pairwise_alpha import Alphas
from graders.statistics.resampling import (
    Array,
    Interval,
    Statistic,
    cluster_tables,
    delete_one,
    early,
    jackknife_interval,
    undefined,
)

#: Long scales are cut into so many steps for figures that need a list of values.
STEPS = 11


class FigureKey(StrEnum):
    """The figures, in their order."""

    RAW = "raw"
    AC = "ac"
    KAPPA = "kappa"
    MICRO = "micro"
    SPEARMAN = "spearman"
    KENDALL = "kendall"
    ALPHA = "alpha"


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure of judge and people, and of people among themselves; None where it is not asked
    for."""

    key: FigureKey
    judge: Interval
    people: Interval | None


@dataclass(frozen=True, slots=True)
class ConstantBeside:
    """The best constant answer (position of its value, None without cells) and how often it is
    right within a `tolerance`, and how often the judge is."""

    tolerance: float
    code: int | None
    constant: Interval
    judge: Interval


@dataclass(frozen=True, slots=True)
class Codes:
    """A judge int[n] and people int[P, n] as codes (-1 missing) with the numbers that these stand
    for; questions int[n]; weights of cells by person float[P][n] and by pair of people, None where
    all weigh the same. `stepped`: the scale is long, and cut into steps."""

    judge: Array
    people: Array
    numbers: tuple[float, ...]
    g: Array
    weights: Sequence[Array | None]
    pair_weights: Sequence[Array | None]
    stepped: bool

    @classmethod
    def of(
        cls,
        scale: Scale,
        opinions: Opinions,
        used: Array,
        judge: int,
        people: Sequence[int],
        *,
        weighted: bool,
    ) -> Codes:
        """A judge and `people` (author rows) from the opinions `used` bool[m]."""
        columns = Columns.of(opinions, used)
        stepped = not scale.is_discrete or len(scale.values) > MOST_VALUES
        numbers = (
            tuple(np.linspace(scale.low, scale.high, STEPS).tolist()) if stepped else scale.numbers
        )

        def coded(values: Array) -> Array:
            there = ~np.isnan(values)
            codes = np.full(len(values), -1)
            if stepped:
                share = (values[there] - scale.low) / (scale.high - scale.low)
                codes[there] = np.rint(share * (STEPS - 1)).astype(int)
            else:
                codes[there] = (values[there] - numbers[0]).astype(int)
            return codes

        pairs = couples(people)
        return cls(
            judge=coded(opinions.judged[judge]),
            people=np.stack([coded(columns.numbers[person]) for person in people]),
            numbers=numbers,
            g=opinions.question,
            weights=[1 / columns.probability[one] if weighted else None for one in people],
            pair_weights=[1 / columns.together(a, b) if weighted else None for a, b in pairs],
            stepped=stepped,
        )


def gwet_name(scale: Scale, codes: Codes) -> str:
    """Which of Gwet's coefficients is the one of a scale."""
    return "AC1" if not scale.is_ordered or len(codes.numbers) == 2 else "AC2"


def figures_of(scale: Scale, codes: Codes, alphas: Alphas) -> list[Compared]:
    """All figures of judge and people; `alphas` are theirs."""
    K = len(codes.numbers)
    weights: stats.Weights = "quadratic" if scale.is_ordered else "nominal"
    judged = [
        cluster_tables(codes.judge, person, codes.g, K, w)
        for person, w in zip(codes.people, codes.weights, strict=True)
    ]
    among = [
        cluster_tables(codes.people[p], codes.people[q], codes.g, K, w)
        for (p, q), w in zip(couples(range(len(codes.people))), codes.pair_weights, strict=True)
    ]

    def both(key: FigureKey, stat: Statistic, *, share: bool = False) -> Compared:
        return Compared(key, _mean(judged, stat, share), _mean(among, stat, share))

    pooled = partial(stats.kappa, weights=weights, values=codes.numbers)
    rows = [
        both(FigureKey.RAW, stats.raw, share=True),
        both(FigureKey.AC, partial(stats.ac, weights=weights, values=codes.numbers)),
        both(FigureKey.KAPPA, stats.kappa),
        Compared(
            FigureKey.MICRO,
            _mean([np.sum(judged, axis=0)], pooled),
            _mean([np.sum(among, axis=0)], pooled) if among else None,
        ),
    ]
    if scale.is_ordered:
        rows += [both(FigureKey.SPEARMAN, stats.spearman), both(FigureKey.KENDALL, stats.kendall)]
    people = alphas.people if len(codes.people) > 1 else None
    return [*rows, Compared(FigureKey.ALPHA, alphas.judge, people)]


def _mean(tables: Sequence[Array], stat: Statistic, share: bool = False) -> Interval:
    """Mean of a figure over pairs with enough cells, each with equal weight, jackknife over their
    common questions. Where no pair has enough, an early one over all of them."""
    usable = [t for t in tables if t.sum() >= MIN_CELLS - 1e-6]
    if usable:
        return _mean_of(usable, stat, share)
    some = [t for t in tables if t.any()]
    if not some:
        return undefined(say("statistics.no_shared_cells"))
    return early(_mean_of(some, stat, share), say("statistics.no_two_share", cells=MIN_CELLS))


def _mean_of(usable: Sequence[Array], stat: Statistic, share: bool) -> Interval:
    kept = np.stack([t.any(axis=(1, 2)) for t in usable]).any(axis=0)
    figures = [delete_one(t[kept], stat) for t in usable]
    defined = [(value, rest) for value, rest in figures if np.isfinite(value)]
    cells = round(float(sum(t.sum() for t in usable)))
    if not defined:
        return undefined(
            say("statistics.one_is_constant"), n_cells=cells, n_questions=int(kept.sum())
        )
    value, rest = float(np.mean([v for v, _ in defined])), np.mean([r for _, r in defined], axis=0)
    return jackknife_interval(value, rest, "logit" if share else "fisher", n_cells=cells)


def alternative_tests(scale: Scale, codes: Codes) -> dict[str, AltTest]:
    """The alternative annotator test at each of the published margins, by whom these are for, with
    items as independent and with questions as clusters."""
    distance = scale.is_ordered and len(codes.numbers) > 2
    return {
        who: alt_test(
            codes.judge,
            codes.people,
            "neg_rmse" if distance else "equal",
            epsilon,
            min_items=MIN_CELLS,
            g=codes.g,
            values=codes.numbers,
        )
        for who, epsilon in EPSILON.items()
    }


def constants(scale: Scale, codes: Codes) -> list[ConstantBeside]:
    """The best constant answer beside the judge, on the same verdicts: exact, and within a step of
    scales of more than two values."""
    n = len(codes.people)
    y, f, g = codes.people.ravel(), np.tile(codes.judge, n), np.tile(codes.g, n)
    seen = (y >= 0) & (f >= 0)
    weights = [one for one in codes.weights if one is not None]
    w = np.concatenate(weights)[seen] if weights else None
    numbers, y, f, g = np.array(codes.numbers), y[seen], f[seen], g[seen]
    step = float(numbers[1] - numbers[0])
    rows = []
    for tolerance in (0.0, step) if scale.is_ordered and len(numbers) > 2 else (0.0,):
        best = best_constant(y, g, numbers, tolerance, w)
        near = np.abs(numbers[f] - numbers[y]) <= tolerance + 1e-9
        right = (
            mean_interval(near.astype(float), g, w, (0, 1))
            if len(y)
            else undefined(say("statistics.no_cells"))
        )
        rows.append(ConstantBeside(tolerance, best.code, best.right, right))
    return rows
