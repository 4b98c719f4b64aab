"""Whether stated chances come true: Brier score, calibration error, reliability bins, Platt
scaling.

Brier score (Brier 1950), mean of (p - y)², for K values half the sum over values; calibration error
over bins with equally many cells; Wilson bars (1927); Platt scaling (1999). Each figure comes with
its floor: what a perfect predictor, whose chances are exactly right, would get on the same cells.
`p`: float[n] chances, `y`: 0 or 1 [n], `g`: int[n] questions, `w`: float[n] 1/probability of the
cell's draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.statistics.arrays import Array, same_length
from graders.statistics.confidence_level import LEVEL
from graders.statistics.proportion import design_effect
from graders.statistics.resampling import CHUNK, Interval, bootstrap, scaled_weights, undefined

#: A bin with fewer cells says nothing and is not drawn.
MIN_BIN = 10
#: Labels from which chances may be corrected in steps.
ISOTONIC_FROM = 400


class Calibrated(NamedTuple):
    """A figure and what a perfect predictor would get on the same cells; `floor` is None where
    there are none."""

    figure: Interval
    floor: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Cells with similar chances. `chance`: mean stated chance; `share`: how many came true, Wilson
    bar `low` to `high`.

    `low` and `high` are None, and `shown` is false, for a bin with fewer than MIN_BIN cells.
    """

    n_cells: int
    n_questions: int
    chance: float
    share: float
    low: float | None
    high: float | None
    shown: bool


def brier(
    p: npt.ArrayLike,
    y: npt.ArrayLike,
    g: npt.ArrayLike,
    w: npt.ArrayLike | None = None,
    *,
    draws: int = 2000,
    seed: int = 0,
) -> Calibrated:
    """Brier score with its interval by questions; the floor is mean p(1 - p).

    For K values: `p` float[n, K], `y` int[n] positions; the score is half the sum of (p_k - [y =
    k])², which for two values is (p - y)². Unlike the score of the likeliest value's chance alone,
    it cannot be lowered by saying little.
    """
    given = np.asarray(p, float)
    if given.ndim == 2:
        _, hit, group, weight = _cells(given.max(axis=1, initial=0), np.zeros(len(given)), g, w)
        scores, floors = brier_scores(given, np.asarray(y, int)), (1 - (given**2).sum(axis=1)) / 2
    else:
        chance, hit, group, weight = _cells(given, y, g, w)
        scores, floors = (chance - hit) ** 2, chance * (1 - chance)
    if not len(scores):
        return Calibrated(undefined("no cells"), None)
    squares = _per_question(np.column_stack([weight * scores, weight]), group)
    found = bootstrap(squares, lambda t: t[:, 0] / t[:, 1], draws, seed, n_cells=len(scores))
    return Calibrated(found, float(np.average(floors, weights=weight)))


def brier_scores(p: Array, codes: npt.NDArray[np.int64]) -> Array:
    """float[n]: half the sum over values of (p_k - [y = k])², from p float[n, K] and positions
    int[n]."""
    true = p[np.arange(len(codes)), codes]
    return np.asarray(((p**2).sum(axis=1) - 2 * true + 1) / 2)


def ece(
    p: npt.ArrayLike,
    y: npt.ArrayLike,
    g: npt.ArrayLike,
    bins: int = 10,
    w: npt.ArrayLike | None = None,
    *,
    draws: int = 2000,
    seed: int = 0,
) -> Calibrated:
    """Expected calibration error: |mean p - mean y| of each bin, weighed by its cells.

    Interval: questions drawn with replacement, bins kept. Floor: the mean over 200 simulated y ~ p.
    It is never 0, because a bin of few cells misses its chance by luck.
    """
    chance, hit, group, weight = _cells(p, y, g, w)
    if not len(chance):
        return Calibrated(undefined("no cells"), None)
    place = bin_places(chance, bins)
    used = int(place.max()) + 1
    cells = np.zeros((len(chance), used, 3))
    cells[np.arange(len(chance)), place] = np.column_stack([weight * chance, weight * hit, weight])
    tables = _per_question(cells.reshape(len(chance), -1), group).reshape(-1, used, 3)
    found = bootstrap(
        tables,
        lambda t: np.abs(t[..., 0] - t[..., 1]).sum(-1) / t[..., 2].sum(-1),
        draws,
        seed,
        n_cells=len(chance),
    )
    return Calibrated(found, _simulated_ece(chance, weight, place, seed))


def reliability(
    p: npt.ArrayLike, y: npt.ArrayLike, g: npt.ArrayLike, bins: int = 10, level: float = LEVEL
) -> tuple[Bin, ...]:
    """The bins of a reliability diagram, lowest chances first. Bars are for n/deff cells, since
    cells of a question are alike."""
    chance, hit, group, _ = _cells(p, y, g, None)
    place = bin_places(chance, bins)
    made = []
    for number in range(int(place.max(initial=-1)) + 1):
        inside = place == number
        n = int(inside.sum())
        hits = np.bincount(group[inside], weights=hit[inside])
        sizes = np.bincount(group[inside])
        share, shown = float(hit[inside].mean()), n >= MIN_BIN
        low, high = wilson(share, n / design_effect(hits, sizes), level) if shown else (None, None)
        made.append(
            Bin(
                n_cells=n,
                n_questions=int((sizes > 0).sum()),
                chance=float(chance[inside].mean()),
                share=share,
                low=low,
                high=high,
                shown=shown,
            )
        )
    return tuple(made)


def wilson(share: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's interval of a share of `n` cells; `n` may be a fraction."""
    from scipy.special import ndtri

    z2 = float(ndtri((1 + level) / 2)) ** 2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    reach = np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n**2))) / (1 + z2 / n)
    return max(0.0, float(centre - reach)), min(1.0, float(centre + reach))


def platt(score: npt.ArrayLike, y: npt.ArrayLike, g: npt.ArrayLike, folds: int = 5) -> Array:
    """Chances float[n] from scores: logistic curve p = 1/(1 + exp(-(a score + b))), fitted without
    the cell's own question.

    Where the other questions hold one outcome only, the chance is their share of ones with half a
    cell added to each side.
    """
    from sklearn.linear_model import LogisticRegression

    x, hit, questions = same_length(score, y, g)
    x, hit = x.astype(float)[:, None], hit.astype(int)
    made = np.empty(len(x))
    place = question_folds(questions, folds)
    for fold in range(int(place.max(initial=-1)) + 1):
        inside = place == fold
        known = hit[~inside]
        if len(set(known.tolist())) < 2:
            made[inside] = (known.sum() + 0.5) / (len(known) + 1)
            continue
        # Scores far from unit spread would be held back by the penalty; Platt's curve has none.
        middle, spread = x[~inside].mean(), x[~inside].std() or 1.0
        curve = LogisticRegression(C=1e6, max_iter=1000).fit((x[~inside] - middle) / spread, known)
        made[inside] = curve.predict_proba((x[inside] - middle) / spread)[:, 1]
    return made


def isotonic(score: npt.ArrayLike, y: npt.ArrayLike, g: npt.ArrayLike, folds: int = 5) -> Array:
    """Chances float[n] that rise with the score in steps (pool adjacent violators, Ayer et al.
    1955), fitted without the cell's own question. Below some 400 labels its steps follow luck: see
    `recalibrated`."""
    from sklearn.isotonic import IsotonicRegression

    x, hit, questions = same_length(score, y, g)
    x, hit = x.astype(float), hit.astype(float)
    made = np.empty(len(x))
    place = question_folds(questions, folds)
    for fold in range(int(place.max(initial=-1)) + 1):
        inside = place == fold
        made[inside] = (
            IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
            .fit(x[~inside], hit[~inside])
            .predict(x[inside])
        )
    return made


def recalibrated(
    p: npt.ArrayLike, y: npt.ArrayLike, g: npt.ArrayLike, w: npt.ArrayLike | None = None
) -> tuple[Literal["platt", "isotonic"], Calibrated] | None:
    """What the chances `p` would be worth after learning from labels of other questions: the
    curve's name and its Brier score.

    Platt's curve on the log odds; steps only from ISOTONIC_FROM labels and where their cross-fitted
    score is lower. None on fewer than 5 questions.
    """
    chance = np.asarray(p, float)
    if len(np.unique(np.asarray(g))) < 5:
        return None
    held = np.clip(chance, 0.01, 0.99)
    curve = brier(platt(np.log(held / (1 - held)), y, g), y, g, w)
    if len(chance) >= ISOTONIC_FROM:
        steps = brier(isotonic(chance, y, g), y, g, w)
        if (steps.figure.value or 0.0) < (curve.figure.value or 0.0):
            return "isotonic", steps
    return "platt", curve


def question_folds(g: npt.ArrayLike, folds: int = 5) -> npt.NDArray[np.int64]:
    """int[n]: the fold of each cell; cells of a question share one, folds are about equally large,
    the same every time."""
    names, group, sizes = np.unique(np.asarray(g), return_inverse=True, return_counts=True)
    if len(names) < folds:
        raise InputError(**error_parts("statistics.folds", questions=len(names), folds=folds))
    filled = np.zeros(folds)
    fold_of = np.empty(len(names), np.int64)
    for question in np.argsort(-sizes, kind="stable"):
        fold_of[question] = int(np.argmin(filled))
        filled[fold_of[question]] += sizes[question]
    return fold_of[group]


def bin_places(p: npt.ArrayLike, bins: int = 10) -> npt.NDArray[np.int64]:
    """int[n]: the bin of each cell when cells are sorted by `p` (stable) and cut into equally
    many."""
    chance = np.asarray(p)
    place = np.empty(len(chance), np.int64)
    for number, part in enumerate(
        np.array_split(np.argsort(chance, kind="stable"), max(1, min(bins, len(chance))))
    ):
        place[part] = number
    return place


def _simulated_ece(
    chance: Array, weight: Array, place: Array, seed: int, draws: int = 200
) -> float:
    generator = np.random.default_rng(seed)
    order = np.argsort(place, kind="stable")
    p, v = chance[order], weight[order]
    starts: Sequence[int] | Any = np.searchsorted(place[order], np.arange(int(place.max()) + 1))
    step = max(1, CHUNK // len(p))
    total = 0.0
    for start in range(0, draws, step):
        size = min(step, draws - start)
        miss = v * (p - (generator.random((size, len(p))) < p))
        total += float(np.abs(np.add.reduceat(miss, starts, axis=1)).sum())
    return total / draws / float(v.sum())


def _cells(
    p: npt.ArrayLike, y: npt.ArrayLike, g: npt.ArrayLike, w: npt.ArrayLike | None
) -> tuple[Array, Array, Array, Array]:
    """Checked chances, outcomes, positions of questions and weights."""
    chance, hit, questions = same_length(p, y, g)
    chance, hit = chance.astype(float), hit.astype(float)
    if not np.all((chance >= 0) & (chance <= 1)):
        raise InputError(**error_parts("statistics.chances"))
    if not np.all((hit == 0) | (hit == 1)):
        raise InputError(**error_parts("statistics.outcomes"))
    group = np.unique(questions, return_inverse=True)[1]
    weight = scaled_weights(w, np.ones(len(chance), bool))
    return chance, hit, group, np.ones(len(chance)) if weight is None else weight


def _per_question(cells: Array, group: Array) -> Array:
    """Sums of float[n, c] over the cells of each question, float[G, c]."""
    return np.stack([np.bincount(group, weights=column) for column in cells.T], axis=1)
