"""How far two or more graders agree. 1 is full agreement, 0 what chance gives, below 0 less than
chance.

Formulas: kappa (Cohen 1960, 1968), alpha (Krippendorff 2004), AC1 and AC2 (Gwet 2008, 2014),
Spearman's rho (Pearson of mid-ranks), Kendall's tau-b. A figure that is 0/0 is NaN here, inside
arrays only; the records that leave this module say UNDEFINED with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from graders.core.errors import ScaleError
from graders.core.scale import Scale
from graders.core.words import error_parts, say
from graders.statistics.arrays import Array, same_length
from graders.statistics.resampling import (
    Interval,
    jackknife,
    scaled_weights,
    undefined,
    with_cells,
)

Weights = Literal["nominal", "linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]


def weight_matrix(
    weights: Weights, rows: npt.ArrayLike, columns: npt.ArrayLike | None = None
) -> Array:
    """Credit for each pair of values, float[K, L]: 1 for equal ones; 1 - distance/range, or its
    square, else."""
    v = np.asarray(rows, float)[:, None]
    u = np.asarray(rows if columns is None else columns, float)[None, :]
    if weights == "nominal":
        return np.asarray(v == u, float)
    span = max(v.max(), u.max()) - min(v.min(), u.min())
    apart = np.abs(v - u) / (span or 1.0)
    return np.asarray(1 - (apart if weights == "linear" else apart**2))


def raw(
    table: Array,
    weights: Weights = "nominal",
    values: npt.ArrayLike | None = None,
    columns: npt.ArrayLike | None = None,
) -> Array:
    """Share of cells on which both agree (with `weights`: the mean credit). float[..., K, L] ->
    float[...]."""
    credit = weight_matrix(weights, _values(table, values), columns)
    return _ratio((table * credit).sum((-2, -1)), table.sum((-2, -1)))


def kappa(
    table: Array,
    weights: Weights = "nominal",
    values: npt.ArrayLike | None = None,
    columns: npt.ArrayLike | None = None,
) -> Array:
    """Cohen's kappa of tables float[..., K, L]; NaN where agreement by chance is 1.

    `values`: numbers of the K codes, 0..K-1 unless given; `columns`: of the L codes of the second
    rater, `values` unless given.
    """
    credit = weight_matrix(weights, _values(table, values), columns)
    n = table.sum((-2, -1))
    observed = _ratio((table * credit).sum((-2, -1)), n)
    chance = _ratio(((table.sum(-1) @ credit) * table.sum(-2)).sum(-1), n**2)
    return _ratio(observed - chance, 1 - chance)


def ac(table: Array, weights: Weights = "nominal", values: npt.ArrayLike | None = None) -> Array:
    """Gwet's AC1 (nominal) or AC2 of two raters, from tables float[..., K, K] of the cells that
    both graded."""
    credit = weight_matrix(weights, _values(table, values))
    n = table.sum((-2, -1))
    observed = _ratio((table * credit).sum((-2, -1)), n)
    share = _ratio(table.sum(-1) + table.sum(-2), 2 * n[..., None])
    return _gwet(observed, share, credit)


def spearman(table: Array) -> Array:
    """Spearman's rho of tables float[..., K, L] with codes in ascending order; NaN where a rater is
    constant."""
    r, c = table.sum(-1), table.sum(-2)
    half = table.sum((-2, -1))[..., None] / 2
    x, y = np.cumsum(r, -1) - r / 2 - half, np.cumsum(c, -1) - c / 2 - half
    shared = (x[..., None] * y[..., None, :] * table).sum((-2, -1))
    return _ratio(
        shared,
        np.sqrt((r * x**2).sum(-1) * (c * y**2).sum(-1)),
        constant=_constant(r) | _constant(c),
    )


def kendall(table: Array) -> Array:
    """Kendall's tau-b of tables float[..., K, L] with codes in ascending order; NaN where a rater
    is constant."""
    below = _cells_before(table)
    above = _cells_before(table[..., ::-1])[..., ::-1]
    r, c, n = table.sum(-1), table.sum(-2), table.sum((-2, -1))
    pairs = 2 * (table * (below - above)).sum((-2, -1))
    spread = np.sqrt(np.clip((n**2 - (r**2).sum(-1)) * (n**2 - (c**2).sum(-1)), 0, None))
    return _ratio(pairs, spread, constant=_constant(r) | _constant(c))


def value_counts(ratings: npt.ArrayLike, K: int) -> npt.NDArray[np.int64]:
    """int[n, K]: how many people gave each value to each cell. `ratings`: int[P, n] codes, -1
    missing."""
    codes = np.asarray(ratings)
    return np.stack([(codes == k).sum(axis=0) for k in range(K)], axis=1).astype(np.int64)


def coincidences(counts: npt.ArrayLike, g: npt.ArrayLike, w: npt.ArrayLike | None = None) -> Array:
    """Krippendorff's coincidence matrix per question, float[G, K, K], from `counts` int[n, K].

    Cells with fewer than two values hold no pair and are left out.
    """
    n_uk, group, groups = _grouped(counts, g)
    size = n_uk.sum(axis=1)
    paired = size >= 2
    weight = scaled_weights(w, paired)
    n_uk, size = n_uk[paired], size[paired]
    share = 1 / (size - 1) if weight is None else weight / (size - 1)
    cells = n_uk[:, :, None] * (n_uk[:, None, :] - np.eye(n_uk.shape[1])) * share[:, None, None]
    return _sum_by(cells, group[paired], groups)


def alpha(coincidence: Array, level: Level, values: npt.ArrayLike | None = None) -> Array:
    """Krippendorff's alpha of coincidence matrices float[..., K, K]; NaN where one value only was
    used."""
    n_k = coincidence.sum(-1)
    n = n_k.sum(-1)
    if level == "ordinal":
        middle = np.cumsum(n_k, -1) - n_k / 2
        apart = (middle[..., :, None] - middle[..., None, :]) ** 2
    else:
        v = _values(coincidence, values)
        apart = (
            (v[:, None] != v[None, :]).astype(float)
            if level == "nominal"
            else (v[:, None] - v[None, :]) ** 2
        )
    expected = (n_k[..., :, None] * n_k[..., None, :] * apart).sum((-2, -1))
    return np.asarray(
        1 - (n - 1) * _ratio((coincidence * apart).sum((-2, -1)), expected, constant=_constant(n_k))
    )


def alpha_interval(
    ratings: npt.ArrayLike,
    g: npt.ArrayLike,
    K: int,
    level: Level,
    values: npt.ArrayLike | None = None,
    w: npt.ArrayLike | None = None,
) -> Interval:
    """Alpha of several people with its interval by questions. `ratings`: int[P, n] codes, -1
    missing."""
    counts = value_counts(ratings, K)
    tables = coincidences(counts, g, w)
    cells = int((counts.sum(axis=1) >= 2).sum())
    return jackknife(
        tables,
        partial(alpha, level=level, values=values),
        n_cells=cells,
        why=say("statistics.only_one_value"),
    )


def gwet(
    counts: npt.ArrayLike,
    g: npt.ArrayLike,
    weights: Weights = "nominal",
    values: npt.ArrayLike | None = None,
    w: npt.ArrayLike | None = None,
) -> Interval:
    """AC1 (nominal) or AC2 of several people with its interval by questions, from `counts` int[n,
    K].

    Use planned raters only: a third person who is called where two differ inflates it.
    """
    n_uk, group, groups = _grouped(counts, g)
    K = n_uk.shape[1]
    credit = weight_matrix(weights, np.arange(K) if values is None else values)
    size = n_uk.sum(axis=1)
    rated, paired = size >= 1, size >= 2
    weight = np.zeros(len(size))
    found = scaled_weights(w, rated)
    weight[rated] = 1.0 if found is None else found
    agree = (n_uk * (n_uk @ credit - 1)).sum(axis=1) / np.where(paired, size * (size - 1), 1)
    share = n_uk / np.where(rated, size, 1)[:, None]
    parts = np.column_stack([agree * paired, paired, rated, share]) * weight[:, None]
    tables = with_cells(_sum_by(parts, group, groups))
    if not paired.any():
        return undefined(say("statistics.no_pairs"))

    def stat(t: Array) -> Array:
        return _gwet(_ratio(t[..., 0], t[..., 1]), _ratio(t[..., 3:], t[..., 2, None]), credit)

    return jackknife(tables, stat, n_cells=int(paired.sum()))


def lead_weights(scale: Scale) -> Weights:
    """The weights of the lead figure: none for labels without order, quadratic else. ScaleError for
    plain ranges."""
    if not scale.is_discrete:
        raise ScaleError(**error_parts("statistics.no_list_of_values", scale=scale.describe()))
    return "quadratic" if scale.is_ordered else "nominal"


def _gwet(observed: Array, share: Array, credit: Array) -> Array:
    K = len(credit)
    chance = credit.sum() / (K * (K - 1)) * (share * (1 - share)).sum(-1)
    return _ratio(observed - chance, 1 - chance)


def _values(table: Array, values: npt.ArrayLike | Sequence[float] | None) -> Array:
    return np.arange(table.shape[-2], dtype=float) if values is None else np.asarray(values, float)


def _ratio(above: Array, below: Array, constant: Array | None = None) -> Array:
    """`above` / `below`, NaN where `below` is 0 up to rounding or `constant` says so."""
    above, below = np.broadcast_arrays(np.asarray(above, float), np.asarray(below, float))
    usable = np.abs(below) > 1e-12
    if constant is not None:
        usable = usable & ~constant
    return np.asarray(np.divide(above, below, out=np.full(above.shape, np.nan), where=usable))


def _constant(margin: Array) -> Array:
    """Whether one value takes all of a margin float[..., K]."""
    return np.asarray(margin.max(-1) >= margin.sum(-1) * (1 - 1e-12))


def _cells_before(table: Array) -> Array:
    """For each place of a table, the cells in all rows above and all columns to the left of it."""
    inner = np.cumsum(np.cumsum(table, -2), -1)[..., :-1, :-1]
    padding = [(0, 0)] * (table.ndim - 2) + [(1, 0), (1, 0)]
    return np.pad(inner, padding)


def _grouped(counts: npt.ArrayLike, g: npt.ArrayLike) -> tuple[Array, Array, int]:
    n_uk = np.asarray(counts, float)
    _, questions = same_length(n_uk.sum(axis=1), g)
    names, group = np.unique(questions, return_inverse=True)
    return n_uk, group, len(names)


def _sum_by(cells: Array, group: Array, groups: int) -> Array:
    """Sums of float[n, ...] over the cells of each group, float[groups, ...]."""
    flat = cells.reshape(len(cells), -1)
    columns = [np.bincount(group, weights=column, minlength=groups) for column in flat.T]
    return np.stack(columns, axis=1).reshape(groups, *cells.shape[1:])
