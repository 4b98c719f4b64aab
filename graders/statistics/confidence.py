"""How sure the machine's value of each cell is, so that cells can be sorted from sure to doubtful.

For labels without order no human label is read: what judges and metrics say of a cell, and of the
other answers to its question, is distilled into one chance. On ordered scales judges are severe or
lenient, which labels alone remove: there the confidence is learned from the labels, out of fold
where a cell is labelled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.statistics.arrays import Array, same_length
from graders.statistics.learned import Opinion, decide
from graders.statistics.logistic import logistic
from graders.statistics.means import mean_known
from graders.statistics.multinomial import FOLDS, completed, cross_fit

#: Weight of a sibling is exp(SHARPNESS (cosine - 1)).
SHARPNESS = 8.0
PENALTY = 0.03
#: For the order of few judges, fewer than this: each one's own vote is most of their mean, and the
#: less is left to it, the more the others are heard.
MANY_JUDGES, OF_FEW = 3, 0.001
#: The distiller sees as many cells as labels would be few: weights add up to this.
MASS = 300.0
#: Parts of the questions; with more parts each model learns from more of few labels.
ROUTING_FOLDS = 10
#: It learns from so many cells at most, evenly taken: more change nothing but the time it takes.
MOST_CELLS = 50_000


class Siblings(NamedTuple):
    """What the other answers to a cell's question say: `sibling` float[n], the share of judges
    saying yes, weighed by closeness; `question`, the same unweighted; `answers`, how many the
    question has; `nearest`, the highest cosine (0 without others)."""

    sibling: Array
    question: Array
    answers: Array
    nearest: Array


def siblings(yes: npt.ArrayLike, embedding: npt.ArrayLike, g: npt.ArrayLike) -> Siblings:
    """Features from the other answers of each question.

    `yes`: float[n], share of judges that say yes; `embedding`: float[n, d], unit vectors of
    question and answer; `g`: int[n] questions. An answer with no sibling gets 1/2.
    """
    share, questions = same_length(yes, g)
    share, vectors = share.astype(float), np.asarray(embedding, float)
    if len(vectors) != len(share):
        raise InputError(
            **error_parts("statistics.embeddings", vectors=len(vectors), cells=len(share))
        )
    made = np.zeros((4, len(share)))
    order = np.argsort(questions, kind="stable")
    for cells in (
        np.split(order, np.flatnonzero(np.diff(questions[order])) + 1) if len(order) else []
    ):
        cosine = vectors[cells] @ vectors[cells].T
        weight = np.exp(SHARPNESS * (cosine - 1))
        np.fill_diagonal(weight, 0.0)
        a, size = share[cells], len(cells)
        made[0, cells] = (weight @ a + 0.01) / (weight.sum(axis=1) + 0.02)
        made[1, cells] = (a.sum() - a + 0.5) / size
        made[2, cells] = size
        if size > 1:
            np.fill_diagonal(cosine, -np.inf)
            made[3, cells] = cosine.max(axis=1)
    return Siblings(*made)


def distilled(X: npt.ArrayLike, mean: npt.ArrayLike, penalty: float = PENALTY) -> Array:
    """float[n]: the chance of yes that a logistic model gives after learning the judges' own mean
    from features.

    `X`: float[n, d]; `mean`: float[n] in 0..1, mean of the judges' votes and metric probabilities.
    Each cell is seen twice, as yes with weight 300 / n mean and as no with 300 / n (1 - mean), so
    that only what judges agree on across cells is kept; a smaller `penalty` keeps less of it.
    """
    from scipy.special import expit

    raw, target = np.asarray(X, float), np.asarray(mean, float)
    if not np.all((target >= 0) & (target <= 1)):
        raise InputError(**error_parts("statistics.mean_of_judges"))
    if not len(raw) or not 0 < target.sum() < len(target):
        return target.copy()
    spread = raw.std(axis=0)
    z = (raw - raw.mean(axis=0)) / np.where(spread < 1e-12, 1.0, spread)
    weight = MASS / len(z) * np.concatenate([target, 1 - target])
    taken = np.arange(0, len(z), -(-len(z) // MOST_CELLS))
    some = np.concatenate([taken, taken + len(z)])
    some = some[weight[some] > 0]
    both, said, share = z[some % len(z)], some < len(z), len(z) / len(taken)
    slopes, level = logistic(both, said, share * weight[some], penalty)
    return np.asarray(expit(z @ slopes + level))


def ranks(x: npt.ArrayLike) -> Array:
    """float[n] from 0 to below 1: places in ascending order divided by n; ties in the order
    given."""
    values = np.asarray(x)
    return np.argsort(np.argsort(values, kind="stable"), kind="stable") / max(1, len(values))


def combined(*scores: npt.ArrayLike) -> Array:
    """Mean rank of several confidences, float[n]."""
    return np.asarray(np.mean([ranks(score) for score in scores], axis=0))


def unanimity(verdicts: npt.ArrayLike, probability: npt.ArrayLike) -> Array:
    """float[n]: 1 where all judges (int[J, n]) gave the same value, 0 else; among equals the
    distance of a metric's chance from 1/2."""
    codes, p = np.asarray(verdicts), np.asarray(probability, float)
    return np.asarray((codes == codes[0]).all(axis=0) + np.abs(p - 0.5))


def from_voices(
    value: npt.ArrayLike,
    votes: npt.ArrayLike,
    stated: npt.ArrayLike,
    X: npt.ArrayLike,
    rules: int = 0,
) -> tuple[Array, Array]:
    """(sure, chance), float[n] each, of the machine's values on a scale of two; no label of a
    person is read.

    `value`: int[n], 0 or 1, the machine's; `votes`: float[J + rules, n], what judges and then
    `rules` say, NaN where they say nothing, at least one of each cell; `stated`: float[J + rules,
    n], the chance of 1 where a judge states it, else NaN; `X`: float[n, d] further features, NaN
    missing. `chance`: that of the machine's value, distilled; `sure`: the rank of what is distilled
    (of few judges with a smaller penalty), averaged with that of the judges' unanimity, then the
    chances stated.

    A rule has a say in what is distilled. It is no feature and makes nothing unanimous: where it
    speaks the value is its own, so that its voice would call its own errors the surest.
    """
    v, said, sure = np.asarray(value, int), np.asarray(votes, float), np.asarray(stated, float)
    judges = len(said) - rules
    theirs = said[:judges]
    given = ~np.isnan(theirs)
    alike = (theirs == v) & given
    unanimous = np.where((alike == given).all(axis=0), alike.sum(axis=0), 0)
    mean = mean_known(np.where(np.isnan(sure), said, sure))
    features = completed(
        np.column_stack(
            [theirs.T, sure[:judges].T, mean_known(theirs), unanimous, np.asarray(X, float)]
        )
    )
    yes = distilled(features, mean)
    first = yes if judges >= MANY_JUDGES else distilled(features, mean, OF_FEW)
    told = mean_known(sure)
    certain = np.abs(np.where(np.isnan(told), first, told) - 0.5)
    return (
        combined(np.where(v == 1, first, 1 - first), unanimous + certain),
        np.where(v == 1, yes, 1 - yes),
    )


def learned_confidence(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    g: npt.ArrayLike,
    numbers: npt.ArrayLike,
    labelled: npt.ArrayLike,
    tolerance: float = 0.0,
) -> Opinion:
    """The learned judge's value and confidence on all N cells, each by a model that saw no label of
    its question.

    Labelled and unlabelled cells are judged alike, so that the labelled ones stay a fair sample of
    any region of confident cells.

    `X`: float[N, d], NaN missing; `y`: int[N] positions in `numbers`, which have an order, read
    where `labelled`; `g`: int[N] questions; a value is right within `tolerance`. The labels that
    the confidence is learned from test it as well, if never on their own question: that is outside
    the proof, and measured in `make bench`. InputError for fewer than FOLDS questions.
    """
    values = np.asarray(numbers, float)
    folds = min(ROUTING_FOLDS, max(FOLDS, len(np.unique(g))))
    return decide(
        cross_fit(X, y, g, len(values), folds, ordered=True, near=tolerance > 0, labelled=labelled),
        values,
        tolerance,
    )
