"""Intervals for figures about cells that come in questions.

Every figure is a function of tables that add up over questions, so leaving a question out is a
subtraction and a bootstrap draw is a matrix product. Cells of one question are alike: intervals
that treat them as independent are too narrow, therefore questions are what is left out or drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.arrays import Array as Array
from graders.statistics.arrays import same_length
from graders.statistics.confidence_level import LEVEL
from graders.statistics.proportion import clustered_interval

Statistic = Callable[[Array], Array]
Transform = Literal["fisher", "logit", "none"]
Status = Literal["OK", "EARLY", "INCONCLUSIVE", "UNDEFINED"]

MIN_QUESTIONS = 10
MAX_UNDEFINED = 0.05
#: Numbers held at once while resampling (8 bytes each).
CHUNK = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A figure and how far it can be trusted.

    ``OK``; ``EARLY``: an early estimate, from fewer labels than a figure needs (show it grey);
    ``INCONCLUSIVE``: there is a value, but it cannot carry a decision (show it grey);
    ``UNDEFINED``: there is none. `value` is None exactly when UNDEFINED; `low` and `high` are None
    where no interval can be given. `reason` says why the status is not OK.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float
    n_cells: int
    n_questions: int
    method: str
    status: Status
    reason: str = ""


def undefined(
    reason: str, *, n_cells: int = 0, n_questions: int = 0, level: float = LEVEL, method: str = ""
) -> Interval:
    """The record of a figure that has no value."""
    return Interval(
        value=None,
        low=None,
        high=None,
        level=level,
        n_cells=n_cells,
        n_questions=n_questions,
        method=method,
        status="UNDEFINED",
        reason=reason,
    )


def early(interval: Interval, reason: str) -> Interval:
    """A figure as an early estimate, for this reason; one that has no value stays as it is."""
    if interval.value is None:
        return interval
    return replace(interval, status="EARLY", reason=reason)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval as pages and documents show it.

    `status`: OK; EARLY: an early estimate, before the labels suffice; INCONCLUSIVE: it cannot carry
    a decision; UNDEFINED: there is none, and `value` is None. `low` and `high` are None where no
    interval can be given; `reason` says why the status is not OK. No number in it is NaN.
    """

    value: float | None
    low: float | None
    high: float | None
    n_cells: int
    n_questions: int
    status: Status
    reason: str
    method: str


def shown(interval: Interval) -> Estimate:
    """An interval as it is shown."""
    return estimate(interval, interval.value, interval.low, interval.high)


def estimate(
    interval: Interval, value: float | None, low: float | None, high: float | None
) -> Estimate:
    """An interval as it is shown in other units."""
    return Estimate(
        value,
        low,
        high,
        interval.n_cells,
        interval.n_questions,
        interval.status,
        interval.reason,
        interval.method,
    )


def cluster_tables(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    g: npt.ArrayLike,
    K: int,
    w: npt.ArrayLike | None = None,
    L: int | None = None,
) -> Array:
    """One table per question: cells with rater a = k and b = l. float[G, K, L], questions in
    ascending order of `g`.

    `a`, `b`: int[n] codes, -1 missing (the cell is left out); `L`: number of codes of `b`, `K`
    unless given.
    `w`: float[n], 1/probability of the cell's draw; it is scaled so that the tables still add up to
    the number of cells, which no figure notices.
    """
    first, second, questions = same_length(a, b, g)
    names, group = np.unique(questions, return_inverse=True)
    columns = K if L is None else L
    both = (first >= 0) & (second >= 0)
    index = (group[both] * K + first[both]) * columns + second[both]
    counts = np.bincount(index, weights=scaled_weights(w, both), minlength=len(names) * K * columns)
    return counts.astype(float).reshape(len(names), K, columns)


def scaled_weights(w: npt.ArrayLike | None, used: Array) -> Array | None:
    """The weights of the cells that are used, scaled to mean 1; None stays None."""
    if w is None:
        return None
    all_weights = np.asarray(w, float)
    if all_weights.shape != used.shape or not np.all(
        np.isfinite(all_weights[used]) & (all_weights[used] > 0)
    ):
        raise InputError(**error_parts("statistics.weights_of_cells"))
    kept = all_weights[used]
    return kept * (len(kept) / kept.sum()) if len(kept) else kept


def delete_one(tables: Array, stat: Statistic) -> tuple[float, Array]:
    """The figure on all questions, and float[G]: on all but each one. NaN where it is 0/0."""
    total = tables.sum(axis=0)
    rest = np.full(len(tables), np.nan)
    if len(tables) == 1:
        return float(stat(total[None])[0]), rest
    step = max(1, CHUNK // max(1, total.size))
    # Weighted tables leave rounding dust where a count should be 0; dust would pass for a cell.
    dust = 1e-12 * max(float(np.abs(total).max(initial=0)), 1.0)
    for start in range(0, len(tables), step):
        left = total[None] - tables[start : start + step]
        rest[start : start + step] = stat(np.where(np.abs(left) < dust, 0.0, left))
    return float(stat(total[None])[0]), rest


def jackknife(
    tables: Array,
    stat: Statistic,
    scale: Transform = "fisher",
    level: float = LEVEL,
    *,
    n_cells: int | None = None,
    why: str = "",
) -> Interval:
    """Delete-one-question interval: z +- t(G-1) se on the Fisher (-1..1), logit (0..1) or plain
    scale.

    `tables`: float[G, ...], additive over questions; `stat`: [B, ...] -> [B]; `n_cells`: how many
    cells they hold, their sum unless given; `why`: the reason stored where the figure is 0/0. On
    the logit scale a table must add up to its question's cells: a share of 0 or 1, or one that
    becomes so without a question, gets the Clopper-Pearson interval on n/deff.
    """
    kept = with_cells(tables)
    cells = round(float(kept.sum())) if n_cells is None else n_cells
    if not len(kept):
        return undefined("no cells", level=level)
    value, rest = delete_one(kept, stat)
    found = jackknife_interval(value, rest, scale, level, n_cells=cells, why=why)
    if scale == "logit" and len(kept) > 1 and np.any((rest <= 0) | (rest >= 1)):
        sizes = kept.reshape(len(kept), -1).sum(axis=1)
        low, high = clustered_interval(stat(kept) * sizes, sizes, level)
        few = len(kept) < MIN_QUESTIONS
        return replace(
            found,
            low=low,
            high=high,
            method=say("statistics.method.clopper_pearson"),
            status="INCONCLUSIVE" if few else "OK",
            reason=say("statistics.fewer_questions", least=MIN_QUESTIONS) if few else "",
        )
    return found


def jackknife_interval(
    value: float,
    rest: Array,
    scale: Transform = "fisher",
    level: float = LEVEL,
    *,
    n_cells: int,
    why: str = "",
) -> Interval:
    """The interval that `jackknife` gives, from the figure and its G delete-one values (NaN where
    0/0)."""
    from scipy.special import stdtrit

    method = say("statistics.method.jackknife", scale=scale)
    questions = len(rest)
    if not np.isfinite(value):
        return undefined(
            why or say("statistics.zero_by_zero"),
            n_cells=n_cells,
            n_questions=questions,
            level=level,
            method=method,
        )
    defined = rest[np.isfinite(rest)]
    reason = doubt(questions, 1 - len(defined) / questions)
    edge = _edge(scale)
    if edge and (value >= edge[1] or value <= edge[0]):
        low = high = None
        reason = reason or say("statistics.at_limit")
    elif len(defined) < 2:
        low = high = None
    else:
        if edge and np.any((defined >= edge[1]) | (defined <= edge[0])):
            scale = "none"
            method = say("statistics.method.jackknife_plain")
            reason = reason or say("statistics.one_question")
        forward, back = _transform(scale)
        z = forward(defined)
        se = np.sqrt((len(z) - 1) / len(z) * ((z - z.mean()) ** 2).sum())
        reach = float(stdtrit(len(z) - 1, (1 + level) / 2)) * se
        centre = forward(np.array([value]))[0]
        low, high = float(back(centre - reach)), float(back(centre + reach))
        if edge and scale == "none":
            low, high = max(low, float(round(edge[0]))), min(high, float(round(edge[1])))
    return Interval(
        value=value,
        low=low,
        high=high,
        level=level,
        n_cells=n_cells,
        n_questions=questions,
        method=method,
        status="INCONCLUSIVE" if reason else "OK",
        reason=reason,
    )


def bootstrap_values(tables: Array, stat: Statistic, draws: int = 2000, seed: int = 0) -> Array:
    """float[draws]: the figure on questions drawn with replacement. Same seed, same draws."""
    groups = len(tables)
    flat = tables.reshape(groups, -1)
    generator = np.random.default_rng(seed)
    step = max(1, CHUNK // groups)
    found = []
    for start in range(0, draws, step):
        size = min(step, draws - start)
        drawn = (
            generator.integers(0, groups, size=(size, groups)) + np.arange(size)[:, None] * groups
        )
        times = np.bincount(drawn.ravel(), minlength=size * groups).reshape(size, groups)
        found.append(stat((times.astype(float) @ flat).reshape(size, *tables.shape[1:])))
    return np.concatenate(found)


def bootstrap(
    tables: Array,
    stat: Statistic,
    draws: int = 2000,
    seed: int = 0,
    level: float = LEVEL,
    *,
    n_cells: int | None = None,
    why: str = "",
) -> Interval:
    """Percentile interval over questions drawn with replacement; for ranks and other figures that
    jump.

    Arguments as in `jackknife`.
    """
    kept = with_cells(tables)
    method = say("statistics.method.bootstrap", draws=draws)
    cells = round(float(kept.sum())) if n_cells is None else n_cells
    if not len(kept):
        return undefined("no cells", level=level)
    value = float(stat(kept.sum(axis=0)[None])[0])
    if not np.isfinite(value):
        return undefined(
            why or say("statistics.zero_by_zero"),
            n_cells=cells,
            n_questions=len(kept),
            level=level,
            method=method,
        )
    drawn = bootstrap_values(kept, stat, draws, seed)
    defined = drawn[np.isfinite(drawn)]
    reason = doubt(len(kept), 1 - len(defined) / len(drawn))
    low, high = (
        (float(q) for q in np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]))
        if len(defined) and len(kept) > 1
        else (None, None)
    )
    return Interval(
        value=value,
        low=low,
        high=high,
        level=level,
        n_cells=cells,
        n_questions=len(kept),
        method=method,
        status="INCONCLUSIVE" if reason else "OK",
        reason=reason,
    )


def with_cells(tables: Array) -> Array:
    """The tables of the questions that have a cell."""
    return tables[np.any(tables.reshape(len(tables), -1) != 0, axis=1)] if len(tables) else tables


def doubt(questions: int, undefined_share: float) -> str:
    """Why a figure from so few questions, or with so many undefined resamples, is INCONCLUSIVE;
    empty if it is not."""
    if questions < MIN_QUESTIONS:
        return say("statistics.fewer_questions", least=MIN_QUESTIONS)
    if undefined_share > MAX_UNDEFINED:
        return say("statistics.undefined_resamples", share=undefined_share)
    return ""


def _edge(scale: Transform) -> tuple[float, float] | None:
    return {"fisher": (-1 + 1e-12, 1 - 1e-12), "logit": (1e-12, 1 - 1e-12)}.get(scale)


def _transform(scale: Transform) -> tuple[Callable[[Array], Array], Callable[[Any], Any]]:
    if scale == "fisher":
        return np.arctanh, np.tanh
    if scale == "logit":
        return lambda p: np.log(p / (1 - p)), lambda z: 1 / (1 + np.exp(-z))
    return lambda v: v, lambda v: v
