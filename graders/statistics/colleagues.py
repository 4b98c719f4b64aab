"""A person beside colleagues: how often they give the same value, how far the person's values lie
from theirs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics.means import mean_interval
from graders.statistics.opinions import Opinions
from graders.statistics.resampling import Array, Interval, undefined


@dataclass(frozen=True, slots=True)
class Colleagues:
    """A person's opinions that a colleague's stand beside: the `same` share of colleagues with the
    same value in questions `question`, and the distance to the others' mean as a share of the scale
    (`apart`, in questions `apart_question`), on scales with an order."""

    same: Array
    question: Array
    apart: Array
    apart_question: Array

    @classmethod
    def joined(cls, parts: Sequence[Colleagues]) -> Colleagues:
        """Those of several criteria, whose questions are named alike; at least one."""
        return cls(
            np.concatenate([part.same for part in parts]),
            np.concatenate([part.question for part in parts]),
            np.concatenate([part.apart for part in parts]),
            np.concatenate([part.apart_question for part in parts]),
        )

    def agreement(self) -> Interval:
        """The mean share of colleagues with the same value."""
        return _mean(self.same, self.question, (0, 1))

    def severity(self) -> Interval:
        """The mean distance to the others' mean: below 0 the person is more severe."""
        return _mean(self.apart, self.apart_question)


#: A person whom nobody stands beside.
ALONE = Colleagues(np.zeros(0), np.zeros(0, int), np.zeros(0), np.zeros(0, int))


def beside_colleagues(
    scale: Scale, opinions: Opinions, used: Array, people: Collection[int]
) -> Mapping[int, Colleagues]:
    """Each of `people` beside the others on one criterion, from the opinions `used` bool[m].

    Questions are named by their rows in the store, which are the same on all criteria.
    """
    kept = np.flatnonzero(used & opinions.by(people))
    at, number, author = opinions.at[kept], opinions.number[kept], opinions.author[kept]
    if not len(at):
        return {}
    others = np.bincount(at)[at] - 1
    _, value = np.unique(number, return_inverse=True)
    pair = at * (value.max() + 1) + value
    same = (np.bincount(pair)[pair] - 1) / np.maximum(others, 1)
    span = (scale.high - scale.low) if not scale.labels else max(1, len(scale.labels) - 1)
    mean = others_mean(at, number)
    question = opinions.names[opinions.question[at]]
    found = {}
    for person in np.unique(author).tolist():
        mine = (author == person) & (others > 0)
        leaning = mine if scale.is_ordered else np.zeros(len(mine), bool)
        found[person] = Colleagues(
            same[mine],
            question[mine],
            (number[leaning] - mean[leaning]) / span,
            question[leaning],
        )
    return found


def _mean(values: Array, questions: Array, bounds: tuple[float, float] | None = None) -> Interval:
    if not len(values):
        return undefined(say("statistics.no_colleague"))
    return mean_interval(values, questions, bounds=bounds)


def others_mean(at: Array, number: Array) -> Array:
    """The mean of the others' values, NaN where there is none; rounded, so that equal means of
    different sums are one value."""
    others = np.bincount(at)[at] - 1 if len(at) else np.zeros(0)
    total = np.bincount(at, weights=number)[at] - number if len(at) else np.zeros(0)
    return np.asarray(np.where(others > 0, np.round(total / np.maximum(others, 1), 9), np.nan))
