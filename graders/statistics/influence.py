"""What each question adds to the error of each model's mean, from judged cells and a few labelled
ones.

The formulas stand in prediction_powered.py, which turns these sums into intervals and differences;
sums of several criteria can be added up before that (`combine`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.statistics.arrays import Array, same_length

Lambda = Literal["pooled", "own"] | float


@dataclass(frozen=True, slots=True)
class Influence:
    """What each question adds to the error of each model's mean; `intervals`, `differences` and
    `combine` read it.

    `theta` float[M]; `label`, `judge` float[G, M]: sums of u_i / N over a question's labelled and
    its other cells; `lam` float[M]; `n_questions`, `n_labelled` int[M]: questions with cells and
    with labels; `n_cells`; `off_mode`: labels off the most frequent one.
    """

    theta: Array
    label: Array
    judge: Array
    lam: Array
    n_cells: Array
    n_questions: Array
    n_labelled: Array
    off_mode: Array


def influence(
    y: npt.ArrayLike,
    labelled: npt.ArrayLike,
    f: npt.ArrayLike,
    pi: npt.ArrayLike,
    g: npt.ArrayLike,
    model: npt.ArrayLike,
    lam: Lambda = "pooled",
    shape: tuple[int, int] | None = None,
) -> Influence:
    """The means and what each question adds to their error. `shape` (G, M) lets several calls share
    questions and models."""
    human, known, judged, chance, question, which = same_length(y, labelled, f, pi, g, model)
    known = known.astype(bool)
    judged = judged.astype(float)
    human, weight = _checked(human, known, judged, chance)
    if shape is None:
        question = np.unique(question, return_inverse=True)[1]
        shape = (int(question.max(initial=-1)) + 1, int(which.max(initial=-1)) + 1)
    G, M = shape
    place = question * M + which

    def by_model(values: Array) -> Array:
        return np.bincount(which, weights=values, minlength=M)

    def by_question(values: Array, cells: npt.NDArray[np.bool_]) -> Array:
        return np.bincount(place[cells], weights=values[cells], minlength=G * M).reshape(G, M)

    cells, total = by_model(np.ones(len(which))), by_model(weight)
    with np.errstate(divide="ignore", invalid="ignore"):
        # a draw that is half labelled, or came without probabilities, still adds up to N
        weight = weight * (cells / total)[which]
        mean_y, mean_f, label_f = (
            by_model(weight * human) / cells,
            by_model(judged) / cells,
            by_model(weight * judged) / cells,
        )
    weight = np.where(known, weight, 0.0)
    everywhere = np.ones(len(which), bool)
    y_off, f_off = np.where(known, human - mean_y[which], 0.0), judged - mean_f[which]
    ratio = _lambda(
        by_question(weight * y_off, everywhere),
        by_question((1 - weight) * f_off, everywhere),
        total > 0,
        lam,
    )
    own = ratio[which]
    u = own * f_off + weight * (y_off - own * (judged - label_f[which]))
    with np.errstate(divide="ignore", invalid="ignore"):
        u /= cells[which]
    return Influence(
        theta=ratio * mean_f + mean_y - ratio * label_f,
        label=np.nan_to_num(by_question(u, known)),
        judge=np.nan_to_num(by_question(u, ~known)),
        lam=ratio,
        n_cells=cells.astype(int),
        n_questions=np.count_nonzero(by_question(np.ones(len(u)), everywhere), axis=0),
        n_labelled=np.count_nonzero(by_question(np.ones(len(u)), known), axis=0),
        off_mode=_off_mode(human[known], which[known], M),
    )


def combine(parts: Sequence[Influence], weights: Sequence[float]) -> Influence:
    """A weighted mean of several means per model (say of criteria), made of calls of `influence`
    with one shape."""
    share = np.asarray(weights, float)
    if len(parts) != len(share) or not len(share) or np.any(share < 0) or share.sum() <= 0:
        raise InputError(**error_parts("statistics.weights_of_parts", weights=str(list(weights))))
    share = share / share.sum()
    used = [(part, s) for part, s in zip(parts, share, strict=True) if s > 0]
    return Influence(
        theta=np.sum([s * part.theta for part, s in used], axis=0),
        label=np.sum([s * part.label for part, s in used], axis=0),
        judge=np.sum([s * part.judge for part, s in used], axis=0),
        lam=np.sum([s * part.lam for part, s in used], axis=0),
        n_cells=np.sum([part.n_cells for part, _ in used], axis=0),
        n_questions=np.min([part.n_questions for part, _ in used], axis=0),
        n_labelled=np.min([part.n_labelled for part, _ in used], axis=0),
        off_mode=np.max([part.off_mode for part, _ in used], axis=0),
    )


def some(of: Influence, models: Sequence[int]) -> Influence:
    """The same for some models, in the order given."""
    at = list(models)
    columns = ("theta", "lam", "n_cells", "n_questions", "n_labelled", "off_mode")
    return replace(
        of,
        label=of.label[:, at],
        judge=of.judge[:, at],
        **{name: getattr(of, name)[at] for name in columns},
    )


def _checked(human: Array, known: Array, judged: Array, chance: Array) -> tuple[Array, Array]:
    """Human values with 0 where there is no label, and 1/probability likewise."""
    if not np.all(np.isfinite(judged)):
        raise InputError(**error_parts("statistics.judge_values"))
    human = np.where(known, human, 0.0).astype(float)
    if not np.all(np.isfinite(human)):
        raise InputError(**error_parts("statistics.human_values"))
    chance = np.where(known, chance, 1.0).astype(float)
    if not np.all((chance > 0) & (chance <= 1)):
        raise InputError(**error_parts("statistics.probabilities"))
    return human, np.where(known, 1 / chance, 0.0)


def _lambda(a: Array, b: Array, has: Array, lam: Lambda) -> Array:
    """λ float[M] within 0 to 1: -Σ a b / Σ b² over questions, of all models together or of each; a
    number as it is."""
    M = a.shape[1]
    if not isinstance(lam, str):
        return np.full(M, float(lam))
    above, below = -(a * b).sum(axis=0), (b**2).sum(axis=0)
    if lam == "pooled":
        above, below = np.full(M, above[has].sum()), np.full(M, below[has].sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.clip(np.where(has & (below > 0), above / below, 0.0), 0.0, 1.0))


def _off_mode(human: Array, which: Array, M: int) -> Array:
    """int[M]: labels that are not a model's most frequent one."""
    found = np.zeros(M, int)
    for m in np.unique(which):
        counts = np.unique(human[which == m], return_counts=True)[1]
        found[m] = counts.sum() - counts.max()
    return found
