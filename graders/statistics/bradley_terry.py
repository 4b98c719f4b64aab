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
from graders.statistics.level import LEVEL
from graders.statistics.prediction_powered import Differences
from graders.statistics.resampling import Interval, Status, undefined

MIN_QUESTIONS = 10
PRIOR = 1.0
ROUNDS = 100


class Strengths(NamedTuple):
    """`intervals`: one per model, on the log-odds scale, mean 0; `win` float[M, M]: chance that the
    row beats the column; `covariance` float[M, M] of the strengths."""

    intervals: tuple[Interval, ...]
    win: Array
    covariance: Array


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
    from scipy.special import ndtr

    s = np.array([of.intervals[m].value for m in models], float)
    cov = of.covariance[np.ix_(models, models)]
    d = s[:, None] - s[None, :]
    own = np.diag(cov)
    se = np.sqrt(np.maximum(own[:, None] + own[None, :] - cov - cov.T, 0.0))
    questions = max((of.intervals[m].n_questions for m in models), default=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        flip = np.where(se > 0, ndtr(-np.abs(d) / se), 0.5)
    df = np.full(d.shape, max(questions - 1, 0))
    return Differences(d, se, flip, d - 2 * se, d + 2 * se, df, se**2)


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
    linked to the largest group of compared models, is UNDEFINED."""
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
        return Strengths((nothing,) * M, np.full((M, M), np.nan), np.full((M, M), np.nan))
    s, covariance, groups = _fit(a, b, won, question, M)
    middle = s[linked].mean()
    centring = np.eye(M) - np.where(linked, 1 / linked.sum(), 0.0)[None, :]
    covariance = centring @ covariance @ centring.T
    win = 1 / (1 + np.exp(-(s[:, None] - s[None, :])))
    win[~linked], win[:, ~linked] = np.nan, np.nan
    made = [
        _interval(s[m] - middle, covariance[m, m], int(games[m]), groups, bool(linked[m]), level)
        for m in range(M)
    ]
    return Strengths(tuple(made), win, covariance)


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


def _interval(
    value: float, variance: float, games: int, questions: int, linked: bool, level: float
) -> Interval:
    from scipy.special import stdtrit

    method = say("statistics.method.bradley_terry")
    if not linked:
        return undefined(
            say("statistics.not_compared") if not games else say("statistics.not_linked"),
            level=level,
            method=method,
        )
    reason = (
        say("statistics.fewer_questions", least=MIN_QUESTIONS) if questions < MIN_QUESTIONS else ""
    )
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
