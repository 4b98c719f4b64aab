"""Chances of values from features: a multinomial logistic model on standardised features, NaN where
one is missing.

On ordered scales of more than two values half of every chance is a cumulative model's, one logistic
model for each step of the scale (Frank, Hall 2001, A Simple Approach to Ordinal Classification):
the multinomial one knows nothing of the order and needs many labels to find it, and steps taken one
by one find it from few. Where a value counts as right that is only near, a line (`line`) has a
third of the weight: it is smooth, but on a skewed scale too sure of values that hardly anybody
gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graders.statistics.calibration import question_folds
from graders.statistics.line import Line, fit_line
from graders.statistics.resampling import Array

FOLDS = 5
PENALTY = 0.3
#: A step is learned from the same labels as all values together, and says less.
STEP_PENALTY = 0.1


@dataclass(frozen=True, eq=False, slots=True)
class Model:
    """A fitted model as plain arrays. `fill`: means for missing features [d]; `patterns`: the
    missing-indicators' columns; `centre`, `spread` [d + indicators]; `weights` [classes, d +
    indicators], `offsets` [classes]; `classes`: their positions; `steps`: (weights [classes - 1, d
    + indicators], offsets) of the chance to reach each class but the first, on ordered scales;
    `line`: where values near the right one are asked for."""

    fill: Array
    patterns: tuple[int, ...]
    centre: Array
    spread: Array
    weights: Array
    offsets: Array
    classes: npt.NDArray[np.int64]
    steps: tuple[Array, Array] | None = None
    line: Line | None = None

    def probabilities(self, X: npt.ArrayLike, K: int) -> Array:
        """float[n, K]: the probability of each value; without a line 0 for values that no label
        had."""
        z = (_completed(np.asarray(X, float), self.fill, self.patterns) - self.centre) / self.spread
        logits = z @ self.weights.T + self.offsets
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        said = [raised / raised.sum(axis=1, keepdims=True)]
        if self.steps is not None:
            said.append(_by_steps(z, *self.steps))
        made = np.zeros((len(z), K))
        made[:, self.classes] = np.mean(said, axis=0)
        return (
            made
            if self.line is None
            else (len(said) * made + self.line.probabilities(z, K)) / (len(said) + 1)
        )


def _by_steps(z: Array, weights: Array, offsets: Array) -> Array:
    """float[n, classes]: the chances of classes from the chances to reach each; a later step is
    never likelier than one before it."""
    from scipy.special import expit

    reached = np.minimum.accumulate(expit(z @ weights.T + offsets), axis=1)
    edge = np.ones((len(z), 1))
    return -np.diff(np.hstack([edge, reached, 0 * edge]), axis=1)


def fit(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    C: float = PENALTY,
    *,
    ordered: bool = False,
    near: bool = False,
) -> Model:
    """The model of labels `y` int[n] given features `X` float[n, d]; missing ones become the mean,
    with an indicator each.

    Columns that are always missing together share one indicator. Labels of one value only give that
    value for certain. `ordered`: the positions stand in the order of a scale; with more than two of
    them the steps between them are learned too, and where values `near` the right one are asked
    for, a line.
    """
    raw, codes = np.asarray(X, float), np.asarray(y, int)
    fill, patterns = _gaps(raw)
    full = _completed(raw, fill, patterns)
    centre, spread = full.mean(axis=0), full.std(axis=0)
    spread[spread < 1e-12] = 1.0
    classes = np.unique(codes)
    if len(classes) == 1:
        return Model(
            fill, patterns, centre, spread, np.zeros((1, full.shape[1])), np.zeros(1), classes
        )
    # scikit-learn itself rests on it.
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    z = (full - centre) / spread
    # Products this small are faster on one thread, and several threads wait for each other on a
    # busy machine.
    with threadpool_limits(1, "blas"):
        weights, offsets = _logistic(z, codes, C)
        stepped = ordered and len(classes) > 2
        taken = (
            [_logistic(z, codes >= least, STEP_PENALTY) for least in classes[1:]] if stepped else []
        )
    if len(classes) == 2:
        weights, offsets = (
            np.vstack([np.zeros_like(weights), weights]),
            np.concatenate([[0.0], offsets]),
        )
    steps = (
        (np.vstack([w for w, _ in taken]), np.concatenate([b for _, b in taken])) if taken else None
    )
    return Model(
        fill,
        patterns,
        centre,
        spread,
        weights,
        offsets,
        classes,
        steps,
        fit_line(z, codes) if stepped and near else None,
    )


def _logistic(z: Array, y: Array, C: float) -> tuple[Array, Array]:
    from sklearn.linear_model import LogisticRegression

    found = LogisticRegression(C=C, max_iter=2000).fit(z, y)
    return found.coef_, found.intercept_


def cross_fit(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    g: npt.ArrayLike,
    K: int,
    folds: int = FOLDS,
    *,
    ordered: bool = False,
    near: bool = False,
    labelled: npt.ArrayLike | None = None,
) -> Array:
    """float[n, K]: probabilities of each cell's value by a model that saw no cell of its question.

    `labelled`: bool[n], the cells whose `y` is known, from which is learned; all of them where it
    is not given.
    """
    raw, codes = np.asarray(X, float), np.asarray(y, int)
    known = np.ones(len(codes), bool) if labelled is None else np.asarray(labelled, bool)
    place = question_folds(g, folds)
    made = np.empty((len(codes), K))
    for fold in range(folds):
        inside = place == fold
        taught = known & ~inside
        made[inside] = fit(raw[taught], codes[taught], ordered=ordered, near=near).probabilities(
            raw[inside], K
        )
    return made


def completed(X: npt.ArrayLike) -> Array:
    """Features float[n, d] without gaps: a missing one becomes the mean, with an indicator for each
    pattern of gaps."""
    raw = np.asarray(X, float)
    return _completed(raw, *_gaps(raw))


def _gaps(raw: Array) -> tuple[Array, tuple[int, ...]]:
    """What missing features become, and the columns that show each pattern of gaps."""
    absent = np.isnan(raw)
    known = (~absent).sum(axis=0)
    fill = np.where(absent, 0, raw).sum(axis=0) / np.maximum(known, 1)
    partly = np.flatnonzero((known > 0) & (known < len(raw)))
    return fill, tuple(
        {absent[:, column].tobytes(): int(column) for column in reversed(partly)}.values()
    )


def _completed(raw: Array, fill: Array, patterns: Sequence[int]) -> Array:
    absent = np.isnan(raw)
    return np.hstack([np.where(absent, fill, raw), absent[:, list(patterns)].astype(float)])
