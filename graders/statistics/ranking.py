"""Models in order: ranks and ties by the differences between their means, two of them side by side,
and where a judge alone puts them in another order."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from graders.statistics.influence import Influence
from graders.statistics.prediction_powered import (
    MIN_QUESTIONS,
    Differences,
    intervals,
    rank_intervals,
)
from graders.statistics.resampling import Interval

#: As many standard errors as an order that is wrong with a chance of 5 % has between its two: what
#: "more questions" is counted for.
SURE_Z = 1.6449


@dataclass(frozen=True, slots=True)
class Ranking:
    """Models with a figure, the highest first.

    `order`: their places in what was given; `apart`: their differences in this order, None without
    a model; `ranks`: best and worst rank by place, None for a figure that carries no decision.
    """

    order: Sequence[int]
    apart: Differences | None
    ranks: Mapping[int, tuple[int, int] | None]

    def ties(self) -> list[tuple[int, int]]:
        """(first, last) places in the order, from 0, of the longest runs of models that cannot be
        told apart."""
        if self.apart is None:
            return []
        tied = ~self.apart.told
        runs: list[tuple[int, int]] = []
        for first in range(len(tied)):
            last = first
            while last + 1 < len(tied) and tied[first : last + 1, last + 1].all():
                last += 1
            if last > first and (not runs or last > runs[-1][1]):
                runs.append((first, last))
        return runs


def ranking(
    names: Sequence[str],
    figures: Sequence[Interval],
    differences_of: Callable[[Sequence[int]], Differences],
    scores: Sequence[float] | None = None,
) -> Ranking:
    """The order of models by their figures, or by `scores` where these are given; equal ones by
    name. `differences_of` some models, given by their places. No order is sure of a model whose
    figure carries no decision."""
    order = [m for m, figure in enumerate(figures) if figure.value is not None]
    by = [figure.value or 0.0 for figure in figures] if scores is None else scores
    order.sort(key=lambda m: (-by[m], names[m]))
    if not order:
        return Ranking(order, None, {})
    sure = np.array([figures[m].status == "OK" for m in order], bool)
    apart = differences_of(order)
    apart = apart._replace(p_flip=np.where(sure[:, None] & sure[None, :], apart.p_flip, np.nan))
    best, worst = rank_intervals(apart)
    ranks = {
        m: (int(best[place]), int(worst[place])) if sure[place] else None
        for place, m in enumerate(order)
    }
    return Ranking(order, apart, ranks)


class Two(NamedTuple):
    """The difference of two models with its standard error and 95 % interval (NaN where there is
    none), the chance `p_flip` that its sign is wrong (None where that is not known), questions with
    labels of both, the part of the variance that more `label`s would lessen, and whether the two
    cannot be told apart (`tied`)."""

    d: float
    se: float
    low: float
    high: float
    p_flip: float | None
    questions: int
    label: float
    tied: bool


def two(apart: Differences, i: int, j: int) -> Two:
    """Row minus column."""
    d, se, low, high, flip, label = (
        float(part[i, j])
        for part in (apart.d, apart.se, apart.low, apart.high, apart.p_flip, apart.label)
    )
    known = flip if math.isfinite(flip) else None
    questions, tied = int(apart.df[i, j]) + 1, not apart.told[i, j]
    return Two(d, se, low, high, known, questions, label, tied)


class Why(StrEnum):
    """Why no number of further labels makes an order sure, or none that there is; empty where one
    does."""

    ENOUGH = ""
    NO_DIFFERENCE = "no_difference"
    NO_INTERVAL = "no_interval"
    LABELS_ALONE = "labels_alone"
    TOO_MANY = "too_many"


def more_questions(of: Two, there: int) -> tuple[int | None, Why]:
    """How many more labelled questions would make the order sure, if figures stayed as they are;
    None where that is not known, and why. `there`: the questions that could be labelled."""
    if of.d == 0:
        return None, Why.NO_DIFFERENCE
    if not math.isfinite(of.se) or of.se <= 0:
        return None, Why.NO_INTERVAL
    allowed, rest = (abs(of.d) / SURE_Z) ** 2, max(of.se**2 - of.label, 0.0)
    if of.se**2 <= allowed:
        return 0, Why.ENOUGH
    if allowed <= rest:
        return None, Why.LABELS_ALONE
    more = math.ceil(of.questions * (of.label / (allowed - rest) - 1))
    return more, Why.TOO_MANY if of.questions + more > there else Why.ENOUGH


class Against(NamedTuple):
    """Where a judge alone ranks against what corrected figures are sure of: so many `pairs` of the
    `models`; how many of these it is too `lenient` and too `strict` with, and by how much at
    `most`; `worst`: the better and the worse model of the largest such difference and that
    difference, None without a pair."""

    pairs: int
    lenient: int
    strict: int
    models: int
    most: float
    worst: tuple[int, int, float] | None


def against(
    corrected: Influence,
    judge: Influence,
    differences_of: Callable[[Sequence[int]], Differences],
) -> Against | None:
    """Models are named by their places; None with fewer than two whose figure is sure."""
    figures = intervals(corrected)
    known = [
        m
        for m, figure in enumerate(figures)
        if corrected.n_labelled[m] and judge.n_cells[m] and figure.status == "OK"
    ]
    if len(known) < 2:
        return None
    apart = differences_of(known)
    judged = judge.theta[known]
    wrong = (apart.d > 0) & apart.told & (judged[:, None] < judged[None, :])
    lean = judged - corrected.theta[known]
    places = [(int(i), int(j)) for i, j in np.argwhere(wrong)]
    worst = max(places, key=lambda place: float(apart.d[place]), default=None)
    return Against(
        pairs=len(places),
        lenient=int((lean > 0).sum()),
        strict=int((lean < 0).sum()),
        models=len(known),
        most=float(np.abs(lean).max()),
        worst=None if worst is None else (known[worst[0]], known[worst[1]], float(apart.d[worst])),
    )


def partial(parts: Mapping[str, Influence]) -> tuple[set[str], set[str]]:
    """Of several means per model, those that lack labels of models which others have, and those
    with labels on fewer than MIN_QUESTIONS questions; neither where it holds for all."""
    there = {key: part.n_labelled > 0 for key, part in parts.items()}
    anywhere = np.any(list(there.values()), axis=0)
    lacking = {key for key, has in there.items() if (has != anywhere).any()}
    lacking = set() if len(lacking) == len(parts) else lacking
    few = {
        key
        for key, part in parts.items()
        if key not in lacking and part.n_labelled.max(initial=0) < MIN_QUESTIONS
    }
    return lacking, set() if len(few) + len(lacking) == len(parts) else few
