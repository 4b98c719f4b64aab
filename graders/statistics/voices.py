"""What machines say of cells as rows of numbers, and the order from sure to doubtful that follows
from them without a label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from graders.statistics.arrays import Array, find
from graders.statistics.confidence import from_voices, siblings
from graders.statistics.means import mean_known


class Voices(NamedTuple):
    """Cells as rows: `cell`, the machine's `value` (0, 1, -1 none), `votes` and `stated` float[J,
    n], further features float[n, d]."""

    cell: Array
    value: Array
    votes: Array
    stated: Array
    more: Array


class Others(NamedTuple):
    """The answers to one question that judges spoke of: their places among all cells, and the
    vectors of their texts, None where one lacks."""

    places: Sequence[int]
    vectors: Sequence[Array] | None


def voices_of(
    cell: Sequence[int],
    value: Sequence[int],
    votes: Sequence[Sequence[float]],
    stated: Sequence[Sequence[float]],
    more: Sequence[Sequence[float]],
) -> Voices:
    """From one entry per cell; of `votes` and `stated` that is a row of J numbers, NaN where a
    judge or rule says nothing, of `more` a row of features."""
    n = len(cell)
    said, sure, further = (
        np.array(rows, float).reshape(n, -1) if n else np.zeros((0, 0))
        for rows in (votes, stated, more)
    )
    # By judge in memory too: sums over judges round as they come.
    return Voices(
        np.array(cell, np.int64),
        np.array(value, int),
        np.ascontiguousarray(said.T),
        np.ascontiguousarray(sure.T),
        further,
    )


def log_lengths(characters: Sequence[int]) -> list[float]:
    """log(1 + n) of each number of characters: twice as long says the same of short and long
    texts."""
    return [float(value) for value in np.log1p(characters)]


def share_of_yes(votes: Array) -> Array:
    """float[n]: the share of judges, float[J, n], that say the second value, NaN where none has
    spoken."""
    return mean_known(votes)


def with_others(found: Voices, share: Array, questions: Sequence[Others]) -> Voices:
    """The same with four features more (see `siblings`): what judges say of the other answers to a
    question, by their `share` float[n] of yes; NaN where there are none to look at, and for the
    nearest one where vectors lack."""
    made = np.full((len(found.cell), 4), np.nan)
    for places, vectors in questions:
        at = list(places)
        near = vectors is not None and len({len(vector) for vector in vectors}) == 1
        embedding = np.stack(vectors) if near and vectors is not None else np.ones((len(at), 1))
        made[at] = np.column_stack(siblings(share[at], embedding, np.zeros(len(at))))
        if not near:
            made[at, 3] = np.nan
    return found._replace(more=np.column_stack([found.more, made]))


def joined(parts: Sequence[Voices]) -> Voices:
    """Several after each other, by cell."""
    whole = Voices(
        *(
            np.concatenate(columns, axis=-1 if at in (2, 3) else 0)
            for at, columns in enumerate(zip(*parts, strict=True))
        )
    )
    order = np.argsort(whole.cell, kind="stable")
    return Voices(
        whole.cell[order],
        whole.value[order],
        whole.votes[:, order],
        whole.stated[:, order],
        whole.more[order],
    )


def sure_of(cells: Array, found: Voices, rules: int = 0) -> tuple[Array, Array]:
    """(sure, chance) of `cells` int[n] ascending: -1 and 0 where the machine has no value or nobody
    has spoken. The last `rules` of the votes are those of rules."""
    sure, chance = np.full(len(cells), -1.0), np.zeros(len(cells))
    spoken = (found.value >= 0) & ~np.isnan(found.votes).all(axis=0)
    if spoken.any():
        place, _ = find(cells, found.cell[spoken])
        sure[place], chance[place] = from_voices(
            found.value[spoken],
            found.votes[:, spoken],
            found.stated[:, spoken],
            found.more[spoken],
            rules,
        )
    return sure, chance


def learned_order(
    cells: Array, chance_of: Mapping[int, float], testable: Array, labelled: Array
) -> tuple[Array, Array]:
    """(sure, chance) of `cells` int[n] ascending, by the chance learned of some of them.

    Where the machine has no value that is `testable`, bool[n], the chance is 0; there, and on
    answers that are `labelled`, bool[n], nothing can be tested: `sure` is -1.
    """
    chance = np.zeros(len(cells))
    place, _ = find(cells, np.array(list(chance_of), np.int64))
    chance[place] = list(chance_of.values())
    chance[~testable] = 0.0
    return np.where(testable & ~labelled, chance, -1.0), chance
