"""One value from several people: majority, or the classes of Dawid and Skene (1979). `ratings`:
int[P, n] codes 0..K-1, -1 missing.

Judges never vote on a human value: the rows are people.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.statistics.resampling import Array

#: What each person's table of answers starts with: people are rather right than wrong.
RIGHT, WRONG = 1.0, 0.01
ROUNDS, CLOSE = 100, 1e-6
#: Where Dawid-Skene gained: this many people with this many cells each, on scales of more than two
#: values. Elsewhere majority is as good.
MIN_PEOPLE, MIN_CELLS = 5, 50


class Majority(NamedTuple):
    """`value` int[n]: the most frequent value, -1 where there is none or it is tied; `tied`
    bool[n]."""

    value: npt.NDArray[np.int64]
    tied: npt.NDArray[np.bool_]


def majority(ratings: npt.ArrayLike, K: int) -> Majority:
    """The most frequent value of each cell; ties go to adjudication."""
    votes = _votes(_checked(ratings, K), K).sum(axis=0)
    most = votes.max(axis=1, initial=0)
    tied = (votes == most[:, None]).sum(axis=1) > 1
    tied &= most > 0
    return Majority(np.where((most > 0) & ~tied, votes.argmax(axis=1) if K else 0, -1), tied)


def dawid_skene(ratings: npt.ArrayLike, K: int) -> Array:
    """float[n, K]: the chance of each value, from people whose ways of erring are estimated
    together with it, by EM.

    Starts from shares of votes; each person's table has RIGHT added on its diagonal and WRONG
    elsewhere. A cell without a rating has the shares of all values. See `worth_it` for where this
    beats the majority.
    """
    given = _checked(ratings, K)
    votes = _votes(given, K)
    counts = votes.sum(axis=0)
    rated = counts.sum(axis=1, keepdims=True)
    prob: Array = np.where(rated > 0, counts / np.maximum(rated, 1), 1 / K)
    P = len(given)
    said = votes.transpose(1, 0, 2).reshape(-1, P * K)
    start = WRONG + (RIGHT - WRONG) * np.tile(np.eye(K), P)
    for _ in range(ROUNDS):
        prior = prob[rated[:, 0] > 0].sum(axis=0) + WRONG
        # tables[k, p, l]: person p says l where the value is k
        tables = (prob.T @ said + start).reshape(K, P, K)
        tables /= tables.sum(axis=2, keepdims=True)
        logs = np.log(prior / prior.sum()) + said @ np.log(tables).reshape(K, P * K).T
        after = np.exp(logs - logs.max(axis=1, keepdims=True))
        after /= after.sum(axis=1, keepdims=True)
        moved = np.abs(after - prob).max(initial=0)
        prob = after
        if moved < CLOSE:
            break
    return prob


class Likeliest(NamedTuple):
    """The `position` of a cell's likeliest value on the scale, its estimated `chance`, and how many
    `people` rated the cell."""

    position: int
    chance: float
    people: int


def likeliest_value(cells: Array, ratings: Array, K: int, cell: int) -> Likeliest | None:
    """What Dawid-Skene says of one of the `cells` (int[n], ascending); None where it is not among
    them."""
    place = int(np.searchsorted(cells, cell))
    if place == len(cells) or cells[place] != cell:
        return None
    chances = dawid_skene(ratings, K)[place]
    best = int(chances.argmax())
    return Likeliest(best, float(chances[best]), int((ratings[:, place] >= 0).sum()))


def worth_it(ratings: npt.ArrayLike, K: int) -> bool:
    """Whether Dawid-Skene may be offered: at least 5 people with 50 cells each, more than two
    values."""
    return K > 2 and int(((_checked(ratings, K) >= 0).sum(axis=1) >= MIN_CELLS).sum()) >= MIN_PEOPLE


def _checked(ratings: npt.ArrayLike, K: int) -> npt.NDArray[Any]:
    given = np.atleast_2d(np.asarray(ratings))
    if given.ndim != 2 or (
        given.size and (given.dtype.kind not in "iu" or given.min() < -1 or given.max() >= K)
    ):
        raise InputError(**error_parts("statistics.ratings", last=K - 1))
    return given.astype(np.int64)


def _votes(given: npt.NDArray[Any], K: int) -> Array:
    """float[P, n, K]."""
    return np.asarray((given[:, :, None] == np.arange(K)).astype(float))


def ratings_of(
    given: Sequence[tuple[Array, Array]], numbers: Sequence[float]
) -> tuple[Array, Array]:
    """What people gave, each as (cells int[m], numbers float[m]), side by side: the cells ascending
    int[n], and int[P, n] positions of the numbers among those of the scale, -1 missing."""
    rated = np.unique(np.concatenate([cell for cell, _ in given])) if given else np.zeros(0, int)
    ratings = np.full((len(given), len(rated)), -1)
    for place, (cell, number) in enumerate(given):
        ratings[place, np.searchsorted(rated, cell)] = np.searchsorted(numbers, number)
    return rated, ratings
