"""All figures of two graders from arrays of codes: written a second time, to hold the product's own
(`graders.statistics.pair_figures`) and published values against."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy.typing as npt

from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics.agreement import ac, kappa, kendall, lead_weights, raw, spearman
from graders.statistics.arrays import Array
from graders.statistics.confidence_level import LEVEL
from graders.statistics.resampling import Interval, cluster_tables, jackknife, undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """All figures of two graders on the cells that both graded. `table[k][l]`: first gave k, second
    l (weighted)."""

    table: tuple[tuple[float, ...], ...]
    raw: Interval
    kappa: Interval
    ac: Interval
    spearman: Interval
    kendall: Interval


def pair(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    g: npt.ArrayLike,
    scale: Scale,
    w: npt.ArrayLike | None = None,
    level: float = LEVEL,
) -> Pair:
    """Figures of two graders: codes int[n] (positions in `scale.values`, -1 missing), questions
    int[n], 1/probability."""
    return pair_from_tables(cluster_tables(a, b, g, len(scale.values), w), scale, level)


def pair_from_tables(tables: Array, scale: Scale, level: float = LEVEL) -> Pair:
    """As `pair`, from float[G, K, K] tables per question that add up to the number of cells."""
    weights, values = lead_weights(scale), scale.numbers
    cells = round(float(tables.sum()))

    def rank(stat: Any) -> Interval:
        if not scale.is_ordered:
            return undefined(say("statistics.no_order"), n_cells=cells, level=level)
        return jackknife(tables, stat, level=level, why=say("statistics.one_is_constant"))

    return Pair(
        table=tuple(tuple(float(x) for x in row) for row in tables.sum(axis=0)),
        raw=jackknife(tables, raw, "logit", level),
        kappa=jackknife(
            tables,
            partial(kappa, weights=weights, values=values),
            level=level,
            why=say("statistics.one_value"),
        ),
        ac=jackknife(tables, partial(ac, weights=weights, values=values), level=level),
        spearman=rank(spearman),
        kendall=rank(kendall),
    )
