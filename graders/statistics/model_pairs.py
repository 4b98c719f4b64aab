"""Every two models on the questions that both have: the one source of what is said of two.

A model's mean is over its own questions, and of two models that answered different ones the
difference of their means tells as much about the questions as about them. So each pair is taken on
the questions that both have, with the formulas of `prediction_powered`: the same weight λ of the
judge for all pairs, each side's means, weights and sums over the shared questions alone. Where all
models have the same questions this is the difference of their means.

Places by pairs: the scores s that come nearest to the differences, by least squares with the number
of shared questions as weights, Σ n_ab (d_ab - s_a + s_b)² (the rank aggregation of Jiang, Lim, Yao,
Ye 2011, doi 10.1007/s10107-010-0419-x); a little pull to their own means places models that share
no question with others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from graders.core.words import say
from graders.statistics.arrays import Array
from graders.statistics.influence import Influence
from graders.statistics.prediction_powered import (
    MIN_QUESTIONS,
    Differences,
    PairSums,
    differences_of,
    intervals,
    pair_sums,
)
from graders.statistics.resampling import Interval
from graders.statistics.standing import Standing

#: How much of a shared question the pull of a model's own mean weighs.
PULL = 1e-6


class Part(NamedTuple):
    """A criterion's cells, the means of them, and its share in the overall mean."""

    cells: Standing
    means: Influence
    share: float


@dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs of models: sums, and figures of the models over their own questions; `lam`: the
    weight of the judge; `whole`: every question with cells has labels; `balanced`: all models have
    the same questions."""

    sums: PairSums
    figures: Sequence[Interval]
    theta: Array
    lam: Array
    whole: bool
    balanced: bool

    def of(self, which: Sequence[int]) -> Differences:
        """The differences of some models, in the order given. How sure the order of two is stays
        unknown where too few questions with labels are shared."""
        found = differences_of(self.sums.some(which))
        few = self.sums.both[np.ix_(which, which)] < MIN_QUESTIONS
        return found._replace(p_flip=np.where(few, np.nan, found.p_flip))

    def doubt(self, a: int, b: int) -> str:
        """Why nothing can be told of two models; empty where it can."""
        for model in (a, b):
            if self.figures[model].status != "OK":
                return self.figures[model].reason
        if self.sums.both[a, b] < MIN_QUESTIONS:
            return say("statistics.fewer_shared_questions", least=MIN_QUESTIONS)
        return ""

    def scores(self) -> Array:
        """What models are placed by, float[M]: their means, or what comes nearest to all
        differences on shared questions. NaN for models without a mean."""
        there = np.flatnonzero(np.isfinite(self.theta))
        if self.balanced or len(there) < 2:
            return self.theta
        n = self.sums.both[np.ix_(there, there)].astype(float)
        d = self.sums.d[np.ix_(there, there)]
        np.fill_diagonal(n, 0.0)
        n = np.where(np.isfinite(d), n, 0.0)
        left = np.diag(n.sum(axis=1) + PULL) - n
        right = (n * np.nan_to_num(d)).sum(axis=1) + PULL * self.theta[there]
        found = np.full(len(self.theta), np.nan)
        found[there] = np.linalg.solve(left, right)
        return found


def pairs_of(parts: Sequence[Part], whole: Influence, show: str) -> Pairs:
    """The pairs of models by a mean over `parts`, whose means are `whole` together; `show` as in
    `Standing.influence`."""
    G, M = whole.label.shape
    theta = np.where(whole.n_labelled > 0, whole.theta, np.nan)
    everywhere = not (whole.n_questions - whole.n_labelled).any()
    own = intervals(whole), theta, whole.lam, everywhere
    bases = [_Bases.of(part, show, (G, M)) for part in parts if part.share > 0]
    if all(one.alike for one in bases):
        return Pairs(pair_sums(whole), *own, balanced=True)
    return Pairs(_sums(bases, (G, M)), *own, balanced=False)


def _sums(bases: Sequence[_Bases], shape: tuple[int, int]) -> PairSums:
    """The sums of all pairs, each on its own questions: model by model with those after it."""
    G, M = shape
    total = sum(one.share for one in bases)
    d, label_sums, judge_sums, cross, value = (np.zeros((M, M)) for _ in range(5))
    both, questions = np.full((M, M), G), np.full((M, M), G)
    for a in range(M):
        rows = np.flatnonzero(np.any([one.n[:, a] > 0 for one in bases], axis=0))
        after = slice(a, M)
        label, judge = np.zeros((len(rows), M - a)), np.zeros((len(rows), M - a))
        for one in bases:
            share = one.share / total
            mine, other = one.sides(a, rows)
            value[a, after] += share * mine.theta
            value[a + 1 :, a] += share * other.theta[1:]
            d[a, after] += share * (mine.theta - other.theta)
            label += share * (mine.label - other.label)
            judge += share * (mine.judge - other.judge)
            n = np.minimum(mine.n_labelled, other.n_labelled)
            both[a, after] = np.minimum(both[a, after], n)
            questions[a, after] = np.minimum(questions[a, after], mine.n_questions)
        label_sums[a, after] = np.einsum("gm,gm->m", label, label)
        judge_sums[a, after] = np.einsum("gm,gm->m", judge, judge)
        cross[a, after] = np.einsum("gm,gm->m", label, judge)
    lower = np.tril_indices(M, -1)
    for part, sign in (
        (d, -1),
        (label_sums, 1),
        (judge_sums, 1),
        (cross, 1),
        (both, 1),
        (questions, 1),
    ):
        part[lower] = sign * part.T[lower]
    return PairSums(d, label_sums, judge_sums, cross, both, questions, value, G)


class _Side(NamedTuple):
    """One side of the pairs of a model with each other: its means float[M], what each question adds
    to their error float[G, M], and the questions with cells and with labels, int[M]."""

    theta: Array
    label: Array
    judge: Array
    n_questions: Array
    n_labelled: Array


@dataclass(frozen=True, slots=True)
class _Bases:
    """Sums over the cells of a question and model, float[G, M]: how many cells, of them labelled,
    the judge's values of labelled and of other cells, weights, and weighted values of people and
    judge."""

    n: Array
    n_label: Array
    f_label: Array
    f_rest: Array
    w: Array
    wy: Array
    wf: Array
    lam: float
    share: float

    @classmethod
    def of(cls, part: Part, show: str, shape: tuple[int, int]) -> _Bases:
        cells = part.cells.counted_cells(show)
        G, M = shape
        place = cells.question * M + cells.model
        known = cells.labelled
        weight = np.where(known, 1 / np.where(known, cells.pi, 1.0), 0.0)
        y, f = np.where(known, cells.y, 0.0), np.nan_to_num(cells.f)

        def sums(values: Array) -> Array:
            return np.bincount(place, weights=values, minlength=G * M).reshape(G, M)

        return cls(
            sums(np.ones(len(y))),
            sums(known.astype(float)),
            sums(np.where(known, f, 0.0)),
            sums(np.where(known, 0.0, f)),
            sums(weight),
            sums(weight * y),
            sums(weight * f),
            float(part.means.lam.max(initial=0.0)),
            part.share,
        )

    @property
    def alike(self) -> bool:
        """Whether all models that have labels have the same questions."""
        has = self.n[:, self.n_label.any(axis=0)] > 0
        return bool((has == has[:, :1]).all())

    def sides(self, a: int, rows: Array) -> tuple[_Side, _Side]:
        """Model `a`, and each from `a` on, on the questions that both have; `rows`: those of
        `a`."""
        kept = (self.n[rows, a:] > 0) & (self.n[rows, a : a + 1] > 0)
        return self._side(kept, rows, slice(a, a + 1)), self._side(kept, rows, slice(a, None))

    def _side(self, kept: Array, rows: Array, which: slice) -> _Side:
        n, n_label, f_label, f_rest, w, wy, wf = (
            np.where(kept, values[rows, which], 0.0)
            for values in (
                self.n,
                self.n_label,
                self.f_label,
                self.f_rest,
                self.w,
                self.wy,
                self.wf,
            )
        )
        cells, total, lam = n.sum(axis=0), w.sum(axis=0), self.lam
        with np.errstate(divide="ignore", invalid="ignore"):
            mean_f = (f_label + f_rest).sum(axis=0) / cells
            mean_y, label_f = wy.sum(axis=0) / total, wf.sum(axis=0) / total
            people = (cells / total) * (wy - w * mean_y - lam * (wf - w * label_f))
            label = (lam * (f_label - n_label * mean_f) + people) / cells
            judge = lam * (f_rest - (n - n_label) * mean_f) / cells
        return _Side(
            lam * mean_f + mean_y - lam * label_f,
            np.nan_to_num(label),
            np.nan_to_num(judge),
            np.count_nonzero(n, axis=0),
            np.count_nonzero(n_label, axis=0),
        )
