"""Means of models from many judged cells and a few labelled ones: people's labels correct the
judge, the judge narrows people's means.

Prediction-powered inference (Angelopoulos, Bates, Fannjiang, Jordan, Zrnic 2023; its tuned form
PPI++: Angelopoulos, Duchi, Zrnic 2023, arXiv 2311.01453; labels drawn with unequal probability:
Zrnic, Candès 2024, arXiv 2403.03208) in Hájek's form, with questions as clusters. For one model, N
judged cells, w_i = 1/probability where cell i is labelled and 0 elsewhere, scaled to add up to N:

    theta = λ mean(f) + Σ w (y - λ f) / N u_i = λ (f_i - mean f) + w_i ((y_i - λ f_i) - their
    weighted mean)

The variance is that of Σ u over questions. Two changes carry few labels: λ is estimated once for
all models, and the variance of the labelled part is shrunk to the mean over models, v_m <- (shrink
v̄ + (n - 1) v_m) / (shrink + n - 1), because twenty labels of one value would otherwise give an
interval of no width. Labels are blind ones of drawn cells; anything else makes the weights a
fiction.

In all functions: `y` float[N] human values (read where `labelled`), `labelled` bool[N], `f`
float[N] the judge's values, `pi` float[N] probability of a cell's draw (read where labelled), `g`
int[N] questions, `model` int[N] models 0..M-1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.bias import holm
from graders.statistics.confidence_level import LEVEL
from graders.statistics.influence import Influence, Lambda, influence
from graders.statistics.resampling import Array, Interval, Status, undefined

#: Fewer labelled questions of a model, or labels off the most frequent value with no model to pool
#: with, carry no decision.
MIN_QUESTIONS, MIN_OFF_MODE = 10, 5
SHRINK = 10.0


class Corrected(NamedTuple):
    """Means with intervals, λ float[M], and `gain` float[M]: (width of people only / width)²,
    labels that the judge is worth."""

    intervals: tuple[Interval, ...]
    lam: Array
    gain: Array


class Differences(NamedTuple):
    """Row minus column, float[M, M]: difference, standard error, chance that the order is wrong,
    interval, degrees of freedom; `label`: the part of the variance that more labels would
    lessen."""

    d: Array
    se: Array
    p_flip: Array
    low: Array
    high: Array
    df: Array
    label: Array

    @property
    def told(self) -> npt.NDArray[np.bool_]:
        """Whether the order of two can be told, bool[M, M]: their interval holds no 0, and the
        chance of a wrong order is known. Ties, warnings, comparisons and gates ask this alone."""
        return np.isfinite(self.p_flip) & ((self.low > 0) | (self.high < 0))


def ppi(
    y: npt.ArrayLike,
    labelled: npt.ArrayLike,
    f: npt.ArrayLike,
    pi: npt.ArrayLike,
    g: npt.ArrayLike,
    model: npt.ArrayLike,
    lam: Lambda = "pooled",
    shrink: float = SHRINK,
) -> Corrected:
    """Each model's mean human value with its 95 % interval, t(labelled questions - 1).

    `lam`: one λ for all models, each its own, or a number: 0 is people only, 1 plain
    prediction-powered inference. `shrink` 0 leaves every model its own variance. The gain compares
    with people only under the same shrinking.
    """
    found = influence(y, labelled, f, pi, g, model, lam)
    corrected = intervals(found, shrink)
    alone = intervals(influence(y, labelled, f, pi, g, model, 0.0), shrink)
    return Corrected(corrected, found.lam, gains(corrected, alone))


def intervals(
    found: Influence, shrink: float = SHRINK, level: float = LEVEL, exactly: bool = False
) -> tuple[Interval, ...]:
    """One interval per model. `exactly`: for these questions only, not for others like them (finite
    population: 1 - n/N)."""
    from scipy.special import stdtrit

    label = _label_variance((found.label**2).sum(axis=0), found.n_labelled, shrink)
    if exactly:
        label = label * (1 - found.n_labelled / np.maximum(found.n_questions, 1))
    se = np.sqrt(_total(label, found))
    several = int(np.count_nonzero(found.n_labelled)) > 1
    made = []
    for m in range(len(found.theta)):
        sizes = {"n_cells": int(found.n_cells[m]), "n_questions": int(found.n_labelled[m])}
        if not found.n_labelled[m]:
            why = say("statistics.no_blind_labels") if found.n_cells[m] else "no cells"
            made.append(undefined(why, n_cells=sizes["n_cells"], n_questions=0, level=level))
            continue
        reason = _doubt(int(found.n_labelled[m]), int(found.off_mode[m]), several, float(label[m]))
        low = high = None
        if found.n_labelled[m] > 1 and se[m] > 0:
            reach = float(stdtrit(found.n_labelled[m] - 1, (1 + level) / 2) * se[m])
            low, high = float(found.theta[m]) - reach, float(found.theta[m]) + reach
        status: Status = "INCONCLUSIVE" if reason else "OK"
        method = say("statistics.method.ppi", weight=found.lam[m])
        value = float(found.theta[m])
        made.append(
            Interval(
                value=value,
                low=low,
                high=high,
                level=level,
                method=method,
                status=status,
                reason=reason,
                **sizes,
            )
        )
    return tuple(made)


class PairSums(NamedTuple):
    """Row minus column, float[M, M]: the difference `d`; sums over questions of the squared
    differences of the `label`led parts of the error, of the `judge`d parts, and of their products;
    `both`: the smaller number of labelled questions, `questions`: of questions, int[M, M]; `value`:
    the row's mean. `G`: questions in all."""

    d: Array
    label: Array
    judge: Array
    cross: Array
    both: Array
    questions: Array
    value: Array
    G: int

    def some(self, models: Sequence[int]) -> PairSums:
        """The same for some models, in the order given."""
        at = np.ix_(list(models), list(models))
        return PairSums(
            self.d[at],
            self.label[at],
            self.judge[at],
            self.cross[at],
            self.both[at],
            self.questions[at],
            self.value[at],
            self.G,
        )


def pair_sums(found: Influence) -> PairSums:
    """The sums of all pairs of means over the same questions."""
    M = len(found.theta)
    both, questions = (
        np.minimum(n[:, None], n[None, :]) for n in (found.n_labelled, found.n_questions)
    )
    return PairSums(
        found.theta[:, None] - found.theta[None, :],
        _apart(found.label, found.label),
        _apart(found.judge, found.judge),
        _apart(found.label, found.judge),
        both,
        questions,
        np.repeat(found.theta[:, None], M, axis=1),
        found.label.shape[0],
    )


def differences(found: Influence, shrink: float = SHRINK, level: float = LEVEL) -> Differences:
    """Every pair of models on per-question differences, never from two intervals; chance of a wrong
    order = Φ(-|d|/se)."""
    return differences_of(pair_sums(found), shrink, level)


def differences_of(sums: PairSums, shrink: float = SHRINK, level: float = LEVEL) -> Differences:
    """The same from the sums of pairs."""
    from scipy.special import ndtr, stdtrit

    d, both, M = sums.d, sums.both, len(sums.d)
    upper = np.triu_indices(M, 1)
    label = np.zeros((M, M))
    label[upper] = _label_variance(sums.label[upper], both[upper], shrink)
    label = label + label.T
    G = max(sums.G, 2)
    judge = G / (G - 1) * sums.judge
    variance = label + judge + 2 * sums.cross
    se = np.sqrt(np.where(variance > 0, variance, label + judge))
    df = np.maximum(both - 1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        # One question that both have labels of says nothing of others: it has no spread.
        flip = np.where((df > 0) & (se > 0), ndtr(-np.abs(d) / se), np.where(d == 0, 0.5, np.nan))
        reach = np.where(
            (df > 0) & (se > 0), stdtrit(np.maximum(df, 1), (1 + level) / 2) * se, np.nan
        )
    return Differences(d, se, flip, d - reach, d + reach, df, label)


def rank_intervals(
    found: Differences, level: float = LEVEL
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Best and worst rank of each model, int[M] from 1: one more than the models surely better, and
    those not surely worse.

    Surely: two-sided t-tests of a model's M - 1 differences, by Holm's rule for that model
    (Mogstad, Romano, Shaikh, Wilhelm 2024). A model without a mean has no surer place than any, and
    where the chance of a wrong order is not known no order is sure.
    """
    from scipy.special import stdtr

    M = len(found.d)
    best, worst = np.ones(M, np.int64), np.full(M, M, np.int64)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(
            found.df > 0, 2 * stdtr(np.maximum(found.df, 1), -np.abs(found.d) / found.se), 1.0
        )
    p = np.where(np.isfinite(p) & np.isfinite(found.p_flip), p, 1.0)
    for m in range(M):
        others = np.arange(M) != m
        sure = holm(p[m, others]) <= 1 - level
        best[m] += int((sure & (found.d[m, others] < 0)).sum())
        worst[m] -= int((sure & (found.d[m, others] > 0)).sum())
    return best, worst


def gains(corrected: Sequence[Interval], alone: Sequence[Interval]) -> Array:
    """float[M]: (width of people only / width)², NaN where either has no interval or one of no
    width: all said the same there."""
    widths = [(_width(one), _width(two)) for one, two in zip(alone, corrected, strict=True)]
    return np.array([(people / both) ** 2 if both else np.nan for people, both in widths])


def rogan_gladen(
    y: npt.ArrayLike, f: npt.ArrayLike, f_all: npt.ArrayLike, level: float = LEVEL
) -> Interval:
    """Share of ones among the cells of `f_all`, corrected by how often the judge finds ones (se)
    and zeros (sp) on labelled cells.

    p = (q + sp - 1) / (se + sp - 1), se and sp with one added to each side; variance as in Lee et
    al. 2025 (arXiv 2511.21140) after Rogan, Gladen 1978. `y`, `f`: 0 or 1 [n] of independent
    labelled cells of one model; `f_all`: 0 or 1 [N]. UNDEFINED where se + sp <= 1: such a judge
    tells nothing. Wide for one model, wrong when se and sp of several models are pooled.
    """
    from scipy.special import ndtri

    human, judged, every = (np.asarray(values, float) for values in (y, f, f_all))
    if human.shape != judged.shape or not all(
        np.all((v == 0) | (v == 1)) for v in (human, judged, every)
    ):
        raise InputError(**error_parts("statistics.two_valued"))
    method = "Rogan-Gladen"
    if not len(human) or not len(every):
        return undefined(
            "no labels" if len(every) else "no cells",
            n_cells=len(every),
            level=level,
            method=method,
        )
    ones, zeros = int(human.sum()), int(len(human) - human.sum())
    se = ((judged * human).sum() + 1) / (ones + 2)
    sp = (((1 - judged) * (1 - human)).sum() + 1) / (zeros + 2)
    known = se + sp - 1
    if known <= 0:
        return undefined(
            say("statistics.no_better_than_chance"),
            n_cells=len(every),
            n_questions=len(human),
            level=level,
            method=method,
        )
    q = every.mean()
    p = float(np.clip((q + sp - 1) / known, 0, 1))
    variance = (
        q * (1 - q) / len(every)
        + p**2 * se * (1 - se) / (ones + 2)
        + (1 - p) ** 2 * sp * (1 - sp) / (zeros + 2)
    )
    reach = float(ndtri((1 + level) / 2) * np.sqrt(variance) / known)
    few = len(human) < MIN_QUESTIONS
    return Interval(
        value=p,
        low=max(0.0, p - reach),
        high=min(1.0, p + reach),
        level=level,
        n_cells=len(every),
        n_questions=len(human),
        method=method,
        status="INCONCLUSIVE" if few else "OK",
        reason=say("statistics.fewer_labels", least=MIN_QUESTIONS) if few else "",
    )


def _label_variance(squares: Array, n: Array, shrink: float) -> Array:
    """Variance of the labelled part of means whose squared sums are given, shrunk to the mean over
    them (each as n times itself)."""
    usable = n > 1
    v = np.where(usable, n * n / np.maximum(n - 1, 1) * squares, 0.0)
    middle = v[usable].mean() if usable.any() else 0.0
    shrunk = (shrink * middle + np.maximum(n - 1, 0) * v) / np.maximum(shrink + n - 1, 1)
    return np.asarray(np.where(usable, shrunk / np.maximum(n, 1), 0.0))


def _total(label: Array, found: Influence) -> Array:
    """Variance of the means: labelled part, judged part, and what they share where a question has
    cells of both kinds."""
    G = max(found.label.shape[0], 2)
    judge = G / (G - 1) * (found.judge**2).sum(axis=0)
    total = label + judge + 2 * (found.label * found.judge).sum(axis=0)
    return np.asarray(np.where(total > 0, total, label + judge))


def _apart(a: Array, b: Array) -> Array:
    """float[M, M]: sums over questions of (a_m - a_k)(b_m - b_k)."""
    product = a.T @ b
    own = np.diag(product)
    found: Array = own[:, None] + own[None, :] - product - product.T
    if a is b:
        found = np.maximum(found, 0.0)  # what rounding leaves of two equal columns
    return found


def _doubt(questions: int, off_mode: int, several: bool, label_variance: float) -> str:
    if questions < MIN_QUESTIONS:
        return say("statistics.fewer_labelled_questions", least=MIN_QUESTIONS)
    if off_mode < MIN_OFF_MODE and not several:
        return say("statistics.fewer_off_mode", least=MIN_OFF_MODE)
    if label_variance <= 0:
        return say("statistics.labels_alike")
    return ""


def _width(found: Interval) -> float:
    return float("nan") if found.low is None or found.high is None else found.high - found.low
