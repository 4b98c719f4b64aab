"""The cells of one criterion as models are ranked by: whose answer, what the judge says, what
people said blind; and the figures that are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from graders.statistics.influence import Influence, Lambda, influence
from graders.statistics.prediction_powered import rogan_gladen
from graders.statistics.resampling import Array, Interval

#: A difference smaller than this is none: sums of fractions leave a rest.
NOTHING = 1e-9
#: More models than there ever are: answers are numbered by question and model.
MOST_MODELS = 10**7


@dataclass(frozen=True, slots=True)
class Standing:
    """One criterion: arrays with one entry per cell, values on 0..1 of the scale; NaN where judge
    or people say nothing.

    Where the criterion has parts an entry is an answer, with the mean of its parts, so that one
    with twelve facts counts as much as one with two; `cells` says how many cells each entry stands
    for. `pi` is the probability of the draw that brought the labels; `judge` its name, empty where
    no judge graded. `left_out`: how many verdicts on an entry do not count here, by reason; reasons
    that none has are not there. `within`: nobody says how the labelled answers were chosen, so that
    figures are of these alone.
    """

    judge: str
    model: Array
    question: Array
    f: Array
    y: Array
    pi: Array
    left_out: Mapping[str, Array]
    cells: Array
    within: bool = False

    @property
    def labelled(self) -> Array:
        """Which cells have a human value that counts."""
        return np.asarray(np.isfinite(self.y))

    @property
    def judged(self) -> Array:
        """Which cells have a value of the judge."""
        return np.asarray(np.isfinite(self.f))

    @property
    def usable(self) -> Array:
        """Which cells figures are made of: those that the judge graded, or the labelled ones where
        it graded none of them, or where the labels speak for no others."""
        if self.within:
            return self.labelled
        judged = self.judged
        return judged if (judged & self.labelled).any() else self.labelled

    def only(self, kept: Array) -> Standing:
        """The same for some of the cells."""
        columns = ("model", "question", "f", "y", "pi", "cells")
        left_out = {name: counts[kept] for name, counts in self.left_out.items()}
        return replace(
            self, left_out=left_out, **{name: getattr(self, name)[kept] for name in columns}
        )

    def of_models(self, models: Sequence[int]) -> Standing:
        """The cells of some models."""
        return self.only(np.isin(self.model, models))

    def counted_cells(self, show: str) -> Standing:
        """The cells of which figures of the kind that is shown are made; of the judge's own each
        counts as a label."""
        if show == "judge":
            some = self.only(self.judged)
            return replace(some, y=some.f, pi=np.ones(len(some.f)))
        return self.only(self.usable)

    def shared(self, a: int, b: int, show: str) -> Standing:
        """The cells of the questions on which two models have a figure of the kind that is
        shown."""
        usable = self.judged if show == "judge" else self.usable
        both = np.intersect1d(
            self.question[usable & (self.model == a)], self.question[usable & (self.model == b)]
        )
        return self.only(np.isin(self.question, both))

    def influence(self, shape: tuple[int, int], show: str) -> Influence | None:
        """What the means and their intervals are made of: `corrected` by people, `people` alone or
        the `judge` alone; None where nothing was said of that kind. `shape`: questions and models.

        Without a judge on labelled cells there is nothing to correct: people's labels stand alone.
        """
        if not (self.judged if show == "judge" else self.labelled).any():
            return None
        lam: Lambda = "pooled" if show == "corrected" else 0.0
        some = self.counted_cells(show)
        judged = np.nan_to_num(some.f)
        return influence(
            some.y, some.labelled, judged, some.pi, some.question, some.model, lam, shape
        )

    def has_equal_chances(self, model: int) -> bool:
        """Whether the labels of a model that are 0 or 1 were drawn with one chance."""
        labelled = self._two_valued(model)
        return not (labelled.any() and np.ptp(self.pi[labelled]) > NOTHING)

    def share(self, model: int) -> Interval:
        """The share of ones among a model's cells, corrected by the judge's own errors on its
        labels (Rogan and Gladen). Cells on which people differ are no label here."""
        labelled, mine = self._two_valued(model), self.judged & (self.model == model)
        return rogan_gladen(self.y[labelled], self.f[labelled], self.f[mine])

    def cells_of(self, model: int) -> int:
        """How many cells of a model the judge graded."""
        return int((self.judged & (self.model == model)).sum())

    def _two_valued(self, model: int) -> Array:
        return np.asarray(self.judged & (self.model == model) & np.isin(self.y, (0, 1)))


class Counted(NamedTuple):
    """What the figures of a criterion are made of: `cells` that the judge graded and their
    `questions`, `labels` that count and the questions `labelled`, labels on cells that are
    `unjudged`, and those `left_out` by reason; the answers, as numbers, for which alone the labels
    speak, where nobody says how they were chosen (`within`)."""

    cells: int
    questions: Array
    labels: int
    labelled: Array
    unjudged: int
    left_out: Mapping[str, int]
    within: Array


def counted(of: Standing) -> Counted:
    """What figures are made of. Labels count where the judge said something, or everywhere where
    there is no judge."""
    judged = of.only(of.judged)
    used = judged if judged.labelled.any() and not of.within else of
    alone = of.labelled if of.within else np.zeros(len(of.y), bool)
    labels = int(used.cells[used.labelled].sum())
    return Counted(
        int(judged.cells.sum()),
        np.unique(judged.question),
        labels,
        np.unique(used.question[used.labelled]),
        int(of.cells[of.labelled].sum()) - labels,
        {name: int(counts.sum()) for name, counts in of.left_out.items()},
        np.unique(of.question[alone] * MOST_MODELS + of.model[alone]),
    )


def together(parts: Sequence[Array]) -> int:
    """How many questions there are in several lists of them, each counted once."""
    return len(np.unique(np.concatenate([*parts, np.zeros(0, int)])))


class Sides(NamedTuple):
    """Two models' values of each question on one criterion, float[G], and whether they are people's
    values, bool[G]."""

    a: Array
    b: Array
    people: Array


@dataclass(frozen=True, slots=True)
class Apart:
    """How far apart two models are by question: `values` float[G] on 0..1, NaN where there is no
    difference; `sides` by criterion."""

    values: Array
    sides: Sequence[Sides]

    def ordered(self, *, worst_first: bool) -> list[int]:
        """The questions with a difference, those first where the first model lost most, or else
        won most; equal ones as they come."""
        known = np.flatnonzero(np.isfinite(self.values))
        apart = self.values[known] if worst_first else -self.values[known]
        return list(known[np.lexsort((known, np.round(apart, 9)))].tolist())

    def counts(self) -> tuple[int, int, int]:
        """On how many questions the first model is worse, better, and the same."""
        known = self.values[np.isfinite(self.values)]
        same = int((np.abs(known) <= NOTHING).sum())
        return int((known < -NOTHING).sum()), int((known > NOTHING).sum()), same


def apart(
    cells: Sequence[tuple[Standing, float]], questions: int, a: int, b: int, show: str
) -> Apart:
    """`a` minus `b` on each of so many `questions`; `cells` and weight of each criterion.

    A side's value is the mean over its cells. With `show` corrected people's values count where
    they labelled both sides and the judge's elsewhere: never one against the other.
    """
    total, weights = np.zeros(questions), np.zeros(questions)
    sides = []
    for of, weight in cells:
        y, f = (
            [_by_question(of, values, model, questions) for model in (a, b)]
            for values in (of.y, of.f)
        )
        people = np.isfinite(y[0]) & np.isfinite(y[1]) & (show != "judge")
        other = np.full(questions, np.nan)
        one, two = (
            np.where(people, y[side], other if show == "people" else f[side]) for side in (0, 1)
        )
        known = np.isfinite(one) & np.isfinite(two)
        total[known] += weight * (one - two)[known]
        weights[known] += weight
        sides.append(Sides(one, two, people))
    with np.errstate(invalid="ignore", divide="ignore"):
        return Apart(np.where(weights > 0, total / weights, np.nan), sides)


def _by_question(cells: Standing, values: Array, model: int, questions: int) -> Array:
    kept = (cells.model == model) & np.isfinite(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(
            np.bincount(cells.question[kept], weights=values[kept], minlength=questions)
            / np.bincount(cells.question[kept], minlength=questions)
        )


def answered(
    question: Array, model: Array, a: int, b: int, kept: Array | None
) -> tuple[int, int, int]:
    """How many questions both of two models answered, and each alone. `question`, `model`: int[n]
    of the answers; `kept`: which questions count, None for all."""
    one, two = (np.unique(question[model == side]) for side in (a, b))
    if kept is not None:
        one, two = one[kept[one]], two[kept[two]]
    both = len(np.intersect1d(one, two))
    return both, len(one) - both, len(two) - both
