"""A judge beside several people: each pair, the means over people, and the ceiling that people
themselves reach. Written a second time, for arrays of codes, to hold the product's figures against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics.agreement import (
    kappa,
    lead_weights,
    spearman,
    value_counts,
)
from graders.statistics.confidence_level import LEVEL
from graders.statistics.resampling import (
    Array,
    Interval,
    Statistic,
    cluster_tables,
    delete_one,
    jackknife_interval,
    undefined,
)
from tests.support.two_graders import Pair, pair_from_tables

Figure = Literal["kappa", "spearman"]

#: Below this number of people a mean over them speaks for them only.
ANY_PEOPLE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeHuman:
    """A judge against P people.

    `pairs`: judge with each person; `between`: (i, j, pair) of people i < j. `macro`,
    `macro_people`: means of the lead figure over those pairs that share enough cells, each pair
    with equal weight. `ceiling`: each person against what the others say (mean on ordered scales,
    majority else, ties left out), averaged over people; `at_ceiling`: the judge against the same
    targets on the same cells. `population` says for whom it holds.
    """

    pairs: tuple[Pair, ...]
    between: tuple[tuple[int, int, Pair], ...]
    macro: Interval
    macro_people: Interval
    ceiling: Interval
    at_ceiling: Interval
    population: str


def judge_human(
    judge: npt.ArrayLike,
    people: npt.ArrayLike,
    g: npt.ArrayLike,
    scale: Scale,
    min_cells: int = 30,
    w: npt.ArrayLike | None = None,
    figure: Figure = "kappa",
    level: float = LEVEL,
) -> JudgeHuman:
    """All figures of a judge and P people on one criterion.

    `judge`: int[n], `people`: int[P, n] codes (positions in `scale.values`, -1 missing); `g`:
    int[n] questions; `w`: float[n] 1/probability. `figure` is the one that is averaged: kappa
    (quadratic on ordered scales) or Spearman's rho.
    """
    f, y = np.asarray(judge), np.atleast_2d(np.asarray(people))
    if figure == "spearman" and not scale.is_ordered:
        raise InputError("figure", found="spearman on labels without order", expected="kappa")
    K, stat = len(scale.values), _figure(figure, scale)
    enough = partial(
        _mean_over,
        min_cells=min_cells,
        level=level,
        why=say(f"statistics.{'one_is_constant' if figure == 'spearman' else 'one_value'}"),
    )
    judged = [
        _Part(cluster_tables(f, codes, g, K, w), stat, (f >= 0) & (codes >= 0)) for codes in y
    ]
    couples = [(i, j) for i in range(len(y)) for j in range(i + 1, len(y))]
    duos = [
        _Part(cluster_tables(y[i], y[j], g, K, w), stat, (y[i] >= 0) & (y[j] >= 0))
        for i, j in couples
    ]
    own, against = _against_others(f, y, g, scale, w, figure)
    one_person = len(y) < 2
    macro = enough(judged)
    nobody_else = undefined("fewer than 2 people", level=level)
    return JudgeHuman(
        pairs=tuple(pair_from_tables(part.tables, scale, level) for part in judged),
        between=tuple(
            (i, j, pair_from_tables(part.tables, scale, level))
            for (i, j), part in zip(couples, duos, strict=True)
        ),
        macro=_only_one(macro) if one_person else macro,
        macro_people=nobody_else if one_person else enough(duos),
        ceiling=nobody_else if one_person else enough(own),
        at_ceiling=nobody_else if one_person else enough(against),
        population=f"for these {len(y)} people" if len(y) < ANY_PEOPLE else "for people like these",
    )


def others_mean(people: npt.ArrayLike, values: Sequence[float]) -> Array:
    """float[P, n]: the mean value of the others who graded the cell; NaN where nobody else did
    (inside arrays only)."""
    y = np.asarray(people)
    numbers = np.where(y >= 0, np.asarray(values, float)[np.maximum(y, 0)], 0.0)
    others = (y >= 0).sum(axis=0)[None] - (y >= 0)
    total = numbers.sum(axis=0)[None] - numbers
    # Rounded, so that equal means of different sums are one value and not two.
    return np.round(np.where(others > 0, total / np.maximum(others, 1), np.nan), 9)


def others_majority(people: npt.ArrayLike, K: int) -> Array:
    """int[P, n]: the value that most of the others gave; -1 where they tie or nobody else graded
    the cell."""
    y = np.asarray(people)
    everyone = value_counts(y, K)
    found = np.full(y.shape, -1)
    for p, codes in enumerate(y):
        counts = everyone.copy()
        rated = np.flatnonzero(codes >= 0)
        counts[rated, codes[rated]] -= 1
        top = counts.max(axis=1)
        single = (counts == top[:, None]).sum(axis=1) == 1
        found[p] = np.where((top > 0) & single, counts.argmax(axis=1), -1)
    return found


class _Part(NamedTuple):
    """Two graders: their tables by question, the figure of such tables, and which cells, bool[n],
    both graded."""

    tables: Array
    stat: Statistic
    cells: Array


def _targets(people: Array, scale: Scale) -> list[tuple[Array, tuple[float, ...]]]:
    """For each person the codes int[n] of what the others say (-1: nothing), and the numbers of
    these codes."""
    if not scale.is_ordered:
        return [(codes, scale.numbers) for codes in others_majority(people, len(scale.values))]
    found: list[tuple[Array, tuple[float, ...]]] = []
    for mean in others_mean(people, scale.numbers):
        known = ~np.isnan(mean)
        numbers, code = np.unique(mean[known], return_inverse=True)
        codes = np.full(len(mean), -1)
        codes[known] = code
        found.append((codes, tuple(float(x) for x in numbers)))
    return found


def _against_others(
    f: Array, y: Array, g: npt.ArrayLike, scale: Scale, w: npt.ArrayLike | None, figure: Figure
) -> tuple[list[_Part], list[_Part]]:
    """Each person, and the judge, against that person's targets, on the cells that both graded."""
    K, own, against = len(scale.values), [], []
    for codes, (target, numbers) in zip(y, _targets(y, scale), strict=True):
        cells = (codes >= 0) & (f >= 0) & (target >= 0)
        if cells.any():
            shown = np.where(cells, target, -1)
            stat = _figure(figure, scale, numbers)
            own.append(_Part(cluster_tables(codes, shown, g, K, w, len(numbers)), stat, cells))
            against.append(_Part(cluster_tables(f, shown, g, K, w, len(numbers)), stat, cells))
    return own, against


def _figure(figure: Figure, scale: Scale, columns: Sequence[float] | None = None) -> Statistic:
    if figure == "spearman":
        return spearman
    return partial(kappa, weights=lead_weights(scale), values=scale.numbers, columns=columns)


def _mean_over(parts: Sequence[_Part], *, min_cells: int, level: float, why: str) -> Interval:
    """Mean of the figures of all parts with enough cells, with the jackknife over their common
    questions."""
    usable = [part for part in parts if part.cells.sum() >= min_cells]
    if not usable:
        return undefined(f"no two of them share {min_cells} cells", level=level)
    kept = np.stack([part.tables.any(axis=(1, 2)) for part in usable]).any(axis=0)
    found = [delete_one(part.tables[kept], part.stat) for part in usable]
    # A pair whose figure is 0/0 says nothing; the others still do.
    defined = [(value, rest) for value, rest in found if np.isfinite(value)]
    cells = int(np.stack([part.cells for part in usable]).any(axis=0).sum())
    if not defined:
        return undefined(why, n_cells=cells, n_questions=int(kept.sum()), level=level)
    value = float(np.mean([value for value, _ in defined]))
    rest = np.mean([rest for _, rest in defined], axis=0)
    mean = jackknife_interval(value, rest, level=level, n_cells=cells)
    return replace(mean, method=f"mean of {len(defined)}; {mean.method}")


def _only_one(mean: Interval) -> Interval:
    if mean.value is None:
        return mean
    return replace(
        mean,
        status="INCONCLUSIVE",
        reason=mean.reason or "one person only: how far people agree is not known",
    )
