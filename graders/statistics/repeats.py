"""How far people agree with themselves: what they said of a cell, and said again when its screen
came back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics import pair_figures
from graders.statistics.means import mean_interval
from graders.statistics.opinions import Opinions
from graders.statistics.resampling import Array, Interval, undefined

#: (author row, cell row, question row, number said first, number said again)
Look = tuple[int, int, int, float, float]


@dataclass(frozen=True, slots=True)
class Twice:
    """Cells that people graded twice, an entry each: author row, question row, number said first
    and again, 1/probability of the first."""

    author: Array
    question: Array
    first: Array
    again: Array
    weight: Array

    @classmethod
    def of(
        cls, opinions: Opinions, used: Array, people: Collection[int], looks: Sequence[Look]
    ) -> Twice:
        """Those second looks of `people` whose first verdict is blind and among the opinions `used`
        bool[m]."""
        if not looks:  # as in most projects, and there may be a hundred thousand opinions
            return cls(*(np.zeros(0, kind) for kind in (int, int, float, float, float)))
        places = np.flatnonzero(used & opinions.blind)
        given = zip(
            opinions.author[places].tolist(),
            opinions.cells[opinions.at[places]].tolist(),
            strict=True,
        )
        place_of = dict(zip(given, places.tolist(), strict=True))
        kept = [
            (look, place_of[look[:2]])
            for look in looks
            if look[:2] in place_of and look[0] in people
        ]
        return cls(
            author=np.array([look[0] for look, _ in kept], int),
            question=np.array([look[2] for look, _ in kept], int),
            first=np.array([look[3] for look, _ in kept], float),
            again=np.array([look[4] for look, _ in kept], float),
            weight=np.array([1 / opinions.probability[place] for _, place in kept], float),
        )


def agreement_with_oneself(
    scale: Scale, twice: Twice, people: Collection[int], *, weighted: bool
) -> Interval:
    """How far `people` agree with themselves on a criterion: its lead figure of what was said first
    and again, the cells of all of them together."""
    counts = np.isin(twice.author, list(people))
    if not counts.any():
        return undefined(say("statistics.none_came_back"))
    names, question = np.unique(twice.question[counts], return_inverse=True)
    weight = twice.weight[counts] if weighted else None
    return pair_figures.pair(
        scale, twice.first[counts], twice.again[counts], question, len(names), weight
    ).lead


def same_again(parts: Sequence[Twice], author: int) -> Interval:
    """The share of cells on which a person gave the same value again, over all criteria."""
    equal = np.concatenate(
        [part.first[part.author == author] == part.again[part.author == author] for part in parts]
        or [np.zeros(0)]
    )
    question = np.concatenate(
        [part.question[part.author == author] for part in parts] or [np.zeros(0, int)]
    )
    if not len(equal):
        return undefined(say("statistics.none_came_back"))
    return mean_interval(equal.astype(float), question, bounds=(0, 1))
