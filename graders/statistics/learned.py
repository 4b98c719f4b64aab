"""A judge learned from people's verdicts: standardised features, a multinomial logistic model,
chances by value.

Every figure is out of fold: a cell is judged by a model that saw no cell of its question. Inside
arrays NaN stands for a feature that is missing; what leaves this module is a number or a reason.
Labels are positions in `numbers`, the numbers that stand for the values. A verdict is right if it
lies within `tolerance` of the person's value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graders.core.derived_judges import LabelValues
from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.calibration import Calibrated, brier, brier_scores, ece, question_folds
from graders.statistics.means import mean_interval
from graders.statistics.multinomial import FOLDS, Model, cross_fit, fit
from graders.statistics.resampling import Array, Interval

MIN_LABELS = 50
#: Labels that are not the most frequent value.
MIN_RARER = 10
#: A judge that graded a smaller share of the labels is no rival: it would be compared on other
#: cells.
MIN_SHARED = 0.5
#: A smaller gain in Brier score is no gain (the solver's own rounding reaches some millionths).
MIN_GAIN = 0.001

#: Judge -> its values (among the numbers), its confidence in them; float[n] each, NaN where there
#: is none.
Judges = Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]]


class Opinion(NamedTuple):
    """What the model thinks of n cells.

    `chances`: float[n, K], the chance that a person's value lies within the tolerance of each value
    (so it is also the chance that a suggestion of that value is right); `codes`: int[n], the
    likeliest of them; `confidence`: its chance.
    """

    chances: Array
    codes: npt.NDArray[np.int64]
    confidence: Array


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Rival:
    """The single judge (or constant) with the lowest Brier score, and the one that is most often
    right.

    `gain`: the Brier score of `name` minus the learned one; `gain_right`: the share of learned
    verdicts within the tolerance minus that of `surest`; each on the cells that both judged.
    """

    name: str
    brier: float
    gain: Interval
    surest: str
    right: float
    gain_right: Interval


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Learned:
    """What was learned from n labels.

    `refused`: why nothing was learned, empty if something was; then `model`, `out_of_fold` (the
    labels' own cells), `brier` (over all values), `ece` (of the confidence), `right` (share within
    the tolerance) and `rival` are there. `deployed`: whether it may judge by itself, because its
    Brier score is clearly better than the rival's and it is not clearly less often right than any;
    else its chances tell how likely a suggestion is right, and no more. `why` says so in words.
    """

    labels: int
    questions: int
    refused: str = ""
    deployed: bool = False
    why: str = ""
    numbers: Array | None = None
    tolerance: float = 0.0
    model: Model | None = None
    out_of_fold: Opinion | None = None
    brier: Calibrated | None = None
    ece: Calibrated | None = None
    right: Interval | None = None
    rival: Rival | None = None

    def predict(self, X: npt.ArrayLike) -> Opinion:
        """The opinion on cells that were not among the labels. `X`: float[n, d], as in `learn`."""
        if self.model is None or self.numbers is None:
            raise InputError(**error_parts("statistics.no_model", why=self.refused))
        return decide(self.model.probabilities(X, len(self.numbers)), self.numbers, self.tolerance)


def learn(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    g: npt.ArrayLike,
    values: LabelValues,
    *,
    judges: Judges | None = None,
    tolerance: float = 0.0,
    w: npt.ArrayLike | None = None,
) -> Learned:
    """Learn from n labelled cells.

    `X`: float[n, d] features, NaN missing; `y`: int[n] positions in the `values`; `g`: int[n]
    questions; `w`: float[n] 1/probability of the cell's draw, used for the figures (the model
    itself is fitted without weights: it is conditional on the features). Never fails for want of
    labels: `refused`.
    """
    features, codes, group, numbers = (
        np.asarray(X, float),
        np.asarray(y, int),
        np.asarray(g),
        np.asarray(values.numbers, float),
    )
    labels, questions = len(codes), len(np.unique(group))
    if refused := shortfall(codes, group, values.words or [f"{v:g}" for v in numbers]):
        return Learned(
            labels=labels,
            questions=questions,
            refused=refused,
            why=say("statistics.nothing_learned", why=refused),
        )
    p = cross_fit(features, codes, group, len(numbers), ordered=values.ordered)
    opinion = decide(p, numbers, tolerance)
    hit = _within(numbers[opinion.codes], numbers[codes], tolerance)
    rival = _rival(brier_scores(p, codes), hit, codes, group, numbers, tolerance, judges or {}, w)
    score = brier(p, codes, group, w)
    deployed = _clear(rival.gain) and not (
        rival.gain_right.high is not None and rival.gain_right.high < 0
    )
    return Learned(
        labels=labels,
        questions=questions,
        deployed=deployed,
        why=_sentence(
            say("statistics.learned.ground", labels=labels, questions=questions),
            score,
            rival,
            deployed,
        ),
        numbers=numbers,
        tolerance=tolerance,
        model=fit(features, codes, ordered=values.ordered),
        out_of_fold=opinion,
        brier=score,
        ece=ece(opinion.confidence, hit, group, w=w),
        right=mean_interval(hit, group, w, (0, 1)),
        rival=rival,
    )


def shortfall(y: npt.ArrayLike, g: npt.ArrayLike, words: Sequence[str]) -> str:
    """Why these labels do not suffice, such as "needs 12 more labels"; empty if they do."""
    codes = np.asarray(y, int)
    counts = np.bincount(codes, minlength=len(words))
    top = int(counts.argmax())
    more, rarer = MIN_LABELS - len(codes), MIN_RARER - (len(codes) - int(counts[top]))
    questions = FOLDS - len(np.unique(np.asarray(g)))
    need = max(more, rarer)
    if need > 0:
        labels = say("statistics.shortfall.labels", n=need)
        if rarer <= 0 or not len(codes):
            return labels
        if rarer == need:
            return say("statistics.shortfall.other", labels=labels, label=words[top])
        return say("statistics.shortfall.rarer", labels=labels, rarer=rarer, label=words[top])
    if questions > 0:
        return say("statistics.shortfall.questions", n=questions)
    return ""


def decide(p: npt.ArrayLike, numbers: npt.ArrayLike, tolerance: float = 0.0) -> Opinion:
    """The value v with the highest P(|y - v| <= tolerance), from p float[n, K]; of several the one
    likeliest itself."""
    chance, values = np.asarray(p, float), np.asarray(numbers, float)
    near = _within(values[:, None], values[None, :], tolerance)
    chances = np.clip(chance @ near.astype(float), 0, 1)
    codes = np.argmax(chances + 1e-9 * chance, axis=1)
    return Opinion(chances, codes, chances[np.arange(len(codes)), codes])


def _within(a: Array, b: Array, tolerance: float) -> npt.NDArray[np.bool_]:
    return np.asarray(np.abs(a - b) <= tolerance + 1e-9)


def _rival(
    learned: Array,
    hit: npt.NDArray[np.bool_],
    codes: npt.NDArray[np.int64],
    g: Array,
    values: Array,
    tolerance: float,
    judges: Judges,
    w: npt.ArrayLike | None,
) -> Rival:
    """The best of the single judges and of the constant, each at its better face: as sure as it
    says, or wholly sure."""
    weight = np.ones(len(codes)) if w is None else np.asarray(w, float)
    scored = []
    for name, p, number in _faces(codes, g, values, tolerance, judges):
        shared = ~np.isnan(number)
        if shared.mean() >= MIN_SHARED:
            scores = brier_scores(p, codes)
            hits = _within(np.where(shared, number, np.inf), values[codes], tolerance)
            score, right = (
                float(np.average(each[shared], weights=weight[shared])) for each in (scores, hits)
            )
            scored.append(_Scored(name, score, right, scores, hits, shared))
    best, surest = (
        min(scored, key=lambda face: face.brier),
        max(scored, key=lambda face: face.right),
    )
    return Rival(
        name=best.name,
        brier=best.brier,
        gain=_mean_gain(best.scores - learned, g, w, best.shared),
        surest=surest.name,
        right=surest.right,
        gain_right=_mean_gain(hit.astype(float) - surest.hits, g, w, surest.shared),
    )


def _mean_gain(
    gain: Array, g: Array, w: npt.ArrayLike | None, shared: npt.NDArray[np.bool_]
) -> Interval:
    return mean_interval(
        gain[shared], g[shared], None if w is None else np.asarray(w, float)[shared]
    )


class _Scored(NamedTuple):
    """A rival: its Brier score, how often it is right, both per cell too, and the cells that it
    judged."""

    name: str
    brier: float
    right: float
    scores: Array
    hits: npt.NDArray[np.bool_]
    shared: npt.NDArray[np.bool_]


def _faces(
    codes: npt.NDArray[np.int64], g: Array, values: Array, tolerance: float, judges: Judges
) -> Iterator[tuple[str, Array, Array]]:
    """Name, chances float[n, K] and verdicts float[n] (NaN: none) of the constant and of each
    judge, sure and as it says."""
    place, K = question_folds(g, FOLDS), len(values)
    p = np.stack(
        [
            np.bincount(codes[place != fold], minlength=K) / (place != fold).sum()
            for fold in range(FOLDS)
        ]
    )[place]
    yield say("statistics.learned.constant"), p, values[decide(p, values, tolerance).codes]
    for name, (numbers, stated) in judges.items():
        number, sure = np.asarray(numbers, float), np.asarray(stated, float)
        said = values[None, :] == number[:, None]
        for confidence in (np.ones(len(number)), np.where(np.isnan(sure), 1.0, sure)):
            yield (
                name,
                np.where(said, confidence[:, None], (1 - confidence[:, None]) / max(1, K - 1)),
                number,
            )


def _clear(gain: Interval) -> bool:
    return gain.status == "OK" and gain.low is not None and gain.low > MIN_GAIN


def _sentence(ground: str, score: Calibrated, rival: Rival, deployed: bool) -> str:
    found, gain = score.figure, rival.gain
    rests = say(
        "statistics.learned.rests",
        ground=ground,
        score=_number(found),
        floor=score.floor or 0,
        rival=rival.name,
        rival_score=rival.brier,
        gain=_number(gain),
    )
    if deployed:
        return say("statistics.learned.deployed", rests=rests)
    cause = (
        say("statistics.learned.not_better")
        if not _clear(gain)
        else say("statistics.learned.less_right", surest=rival.surest)
    )
    return say("statistics.learned.only_tells", rests=rests, cause=cause)


def _number(found: Interval) -> str:
    span = (
        f" ({found.low:.3f} to {found.high:.3f})"
        if found.low is not None and found.high is not None
        else ""
    )
    return f"{found.value or 0:.3f}{span}"
