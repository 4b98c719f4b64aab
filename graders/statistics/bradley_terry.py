"""Strengths of models from comparisons of two: Bradley, Terry (1952), ties as half a win each,
intervals over questions.

P(a beats b) = 1 / (1 + exp(-(s_a - s_b))), strengths add up to 0. Fitted by Newton's method with a
weak pull towards equality (half a won and half a lost game of each model against one of strength
0), so that a model which won every time has a finite strength. The variance is the sandwich over
questions (Huber 1967; Cameron, Miller 2015), because verdicts on one question are alike; the half
games of the pull count in it as any others, or a model that won every time would seem to be known
to a hair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.arrays import Array, same_length
from graders.statistics.confidence_level import LEVEL
from graders.statistics.prediction_powered import Differences
from graders.statistics.resampling import Interval, Status, undefined

MIN_QUESTIONS = 10
#: Models are ranked where at least so many comparisons link them, however they are split in two.
MIN_COMPARISONS = 10
PRIOR = 1.0
ROUNDS = 100


class Strengths(NamedTuple):
    """`intervals`: one per model, on the log-odds scale, mean 0; `win` float[M, M]: chance that the
    row beats the column; `covariance` float[M, M] of the strengths; `well_linked` bool[M]: those
    that enough comparisons link to be ranked."""

    intervals: tuple[Interval, ...]
    win: Array
    covariance: Array
    well_linked: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Games:
    """Comparisons of two answers, one entry each: int[n] places of the models, what the first won
    (1, .5 for a tie, 0), int[n] questions."""

    first: Array
    second: Array
    won: Array
    question: Array

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, int, float]]) -> Games:
        """From rows (first model, second model, question, what the first won)."""
        columns = np.array(rows, float).reshape(-1, 4)
        return cls(
            columns[:, 0].astype(int),
            columns[:, 1].astype(int),
            columns[:, 3],
            columns[:, 2].astype(int),
        )

    def __len__(self) -> int:
        return len(self.won)

    @property
    def questions(self) -> int:
        """How many questions there are comparisons on."""
        return len(np.unique(self.question))

    @property
    def ties(self) -> float:
        """The share of ties among at least one comparison."""
        return float((self.won == 0.5).mean())

    def strengths(self, models: int) -> Strengths:
        """The strengths of so many models."""
        return bradley_terry(self.first, self.second, self.won, self.question, models)

    def results(self, model: int) -> tuple[int, int, int]:
        """How many comparisons a model won, tied and lost."""
        won = np.concatenate([self.won[self.first == model], 1 - self.won[self.second == model]])
        return int((won == 1).sum()), int((won == 0.5).sum()), int((won == 0).sum())


def percent_to_win(strength: float) -> float:
    """The chance, 0 to 100, to win against an average opponent."""
    return float(100 / (1 + np.exp(-strength)))


def strength_differences(of: Strengths, models: Sequence[int]) -> Differences:
    """Differences of the strengths of some models, by the covariance of the fit."""
    from scipy.special import ndtr, stdtrit

    s = np.array([of.intervals[m].value for m in models], float)
    cov = of.covariance[np.ix_(models, models)]
    d = s[:, None] - s[None, :]
    own = np.diag(cov)
    se = np.sqrt(np.maximum(own[:, None] + own[None, :] - cov - cov.T, 0.0))
    questions = max((of.intervals[m].n_questions for m in models), default=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        flip = np.where(se > 0, ndtr(-np.abs(d) / se), 0.5)
    df = np.full(d.shape, max(questions - 1, 0))
    reach = np.where((df > 0) & (se > 0), stdtrit(np.maximum(df, 1), (1 + LEVEL) / 2) * se, np.nan)
    return Differences(d, se, flip, d - reach, d + reach, df, se**2)


def bradley_terry(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    outcome: npt.ArrayLike,
    g: npt.ArrayLike,
    M: int,
    level: float = LEVEL,
) -> Strengths:
    """Strengths of models 0..M-1. `first`, `second`: int[n] models; `outcome`: 1 the first won, .5
    tie, 0 the second, NaN is left out; `g`: int[n] questions. A model without a game, or one not
    linked to the largest group of compared models, is UNDEFINED; one that fewer than
    MIN_COMPARISONS comparisons link to the others is INCONCLUSIVE, and the mean is without it."""
    a, b, won, question = same_length(first, second, outcome, g)
    kept = np.isfinite(won.astype(float))
    a, b, won, question = (
        a[kept].astype(int),
        b[kept].astype(int),
        won[kept].astype(float),
        question[kept],
    )
    if len(a) and (min(a.min(), b.min()) < 0 or max(a.max(), b.max()) >= M or np.any(a == b)):
        raise InputError(**error_parts("statistics.compared_models", last=M - 1))
    if not np.all((won >= 0) & (won <= 1)):
        raise InputError(**error_parts("statistics.outcomes_half"))
    linked = _largest_group(a, b, M)
    games = np.bincount(a, minlength=M) + np.bincount(b, minlength=M)
    inside = linked[a] if len(a) else np.zeros(0, bool)
    a, b, won, question = a[inside], b[inside], won[inside], question[inside]
    if not len(a):
        nothing = undefined("no comparisons", level=level)
        unknown = np.full((M, M), np.nan)
        return Strengths((nothing,) * M, unknown, unknown.copy(), np.zeros(M, bool))
    s, covariance, groups = _fit(a, b, won, question, M)
    well = _well_linked(a, b, M)
    centre = well if well.any() else linked
    middle = s[centre].mean()
    centring = np.eye(M) - np.where(centre, 1 / centre.sum(), 0.0)[None, :]
    covariance = centring @ covariance @ centring.T
    win = 1 / (1 + np.exp(-(s[:, None] - s[None, :])))
    win[~linked], win[:, ~linked] = np.nan, np.nan
    made = [
        _interval(
            s[m] - middle,
            covariance[m, m],
            (int(games[m]), groups),
            (bool(linked[m]), bool(well[m])),
            level,
        )
        for m in range(M)
    ]
    return Strengths(tuple(made), win, covariance, well)


def _fit(a: Array, b: Array, won: Array, question: Array, M: int) -> tuple[Array, Array, int]:
    """Strengths, their sandwich covariance, number of questions."""
    names, group = np.unique(question, return_inverse=True)
    s = np.zeros(M)
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-(s[a] - s[b])))
        own = 1 / (1 + np.exp(-s))
        slope = (
            np.bincount(a, weights=won - p, minlength=M)
            - np.bincount(b, weights=won - p, minlength=M)
            + PRIOR * (0.5 - own)
        )
        bend = _information(a, b, p * (1 - p), M) + np.diag(PRIOR * own * (1 - own))
        step = np.linalg.solve(bend, slope)
        s = s + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-10:
            break
    p = 1 / (1 + np.exp(-(s[a] - s[b])))
    scores = np.zeros((len(names), M))
    np.add.at(scores, (group, a), won - p)
    np.add.at(scores, (group, b), p - won)
    bread = np.linalg.inv(bend)
    G = len(names)
    own = 1 / (1 + np.exp(-s))
    pull = np.diag(PRIOR * (own**2 + (1 - own) ** 2) / 2) * (np.abs(scores).max() > 1e-9)
    return s, bread @ (G / max(G - 1, 1) * scores.T @ scores + pull) @ bread, G


def _information(a: Array, b: Array, weight: Array, M: int) -> Array:
    found = np.zeros((M, M))
    np.add.at(found, (a, a), weight)
    np.add.at(found, (b, b), weight)
    np.add.at(found, (a, b), -weight)
    np.add.at(found, (b, a), -weight)
    return found


def _largest_group(a: Array, b: Array, M: int) -> npt.NDArray[np.bool_]:
    """Which models belong to the largest set that comparisons link; models of two sets cannot be
    ordered."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not len(a):
        return np.zeros(M, bool)
    _, label = connected_components(
        coo_array((np.ones(len(a)), (a, b)), shape=(M, M)), directed=False
    )
    return np.asarray(label == np.bincount(label[a]).argmax())


def _well_linked(a: Array, b: Array, M: int) -> npt.NDArray[np.bool_]:
    """Which models belong to the largest set that at least MIN_COMPARISONS comparisons link,
    however it is split in two; none where there is no such set."""
    counts = np.zeros((M, M))
    np.add.at(counts, (a, b), 1)
    counts += counts.T
    best = np.zeros(0, int)
    sets = [np.arange(M)]
    while sets:
        models = sets.pop()
        while (
            len(models) and (few := counts[np.ix_(models, models)].sum(1) < MIN_COMPARISONS).any()
        ):
            models = models[~few]
        if len(models) <= len(best):
            continue
        size, side = _smallest_cut(counts[np.ix_(models, models)])
        if size >= MIN_COMPARISONS:
            best = models
        else:
            sets += [models[side], models[~side]]
    return np.isin(np.arange(M), best)


def _smallest_cut(counts: Array) -> tuple[float, npt.NDArray[np.bool_]]:
    """The fewest comparisons across a split of at least two models in two, and bool[M], one of its
    sides (Stoer, Wagner 1997). `counts`: float[M, M], how often two were compared."""
    counts = counts.copy()
    merged = np.eye(len(counts), dtype=bool)
    there = list(range(len(counts)))
    smallest, side = np.inf, merged[0]
    while len(there) > 1:
        rest, weight = there[1:], counts[there[0]].copy()
        last = there[0]
        while rest:
            before, last = last, max(rest, key=weight.__getitem__)
            rest.remove(last)
            cut = float(weight[last])
            weight += counts[last]
        if cut < smallest:
            smallest, side = cut, merged[last].copy()
        counts[before] += counts[last]
        counts[:, before] += counts[:, last]
        counts[before, before] = 0
        merged[before] |= merged[last]
        there.remove(last)
    return smallest, side


def _interval(
    value: float,
    variance: float,
    counted: tuple[int, int],
    linked: tuple[bool, bool],
    level: float,
) -> Interval:
    """A strength; `counted`: its comparisons, and the questions of all; `linked`: to the others at
    all, and by enough comparisons."""
    from scipy.special import stdtrit

    (games, questions), (linked_at_all, well) = counted, linked
    method = say("statistics.method.bradley_terry")
    if not linked_at_all:
        return undefined(
            say("statistics.not_compared") if not games else say("statistics.not_linked"),
            level=level,
            method=method,
        )
    reason = ""
    if questions < MIN_QUESTIONS:
        reason = say("statistics.fewer_questions", least=MIN_QUESTIONS)
    elif not well:
        reason = say("statistics.weakly_linked", least=MIN_COMPARISONS)
    low = high = None
    if questions > 1 and variance > 0:
        reach = float(stdtrit(questions - 1, (1 + level) / 2) * np.sqrt(variance))
        low, high = float(value) - reach, float(value) + reach
    else:
        reason = reason or say("statistics.no_spread")
    status: Status = "INCONCLUSIVE" if reason else "OK"
    return Interval(
        value=float(value),
        low=low,
        high=high,
        level=level,
        n_cells=games,
        n_questions=questions,
        method=method,
        status=status,
        reason=reason,
    )
