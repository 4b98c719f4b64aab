"""How far people agree with themselves: what they said of a cell, and said again when its screen
came back at least 50 screens later."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graders.statistics.means import mean_interval
from graders.statistics.resampling import Array, Interval, undefined
from graders.store.desk import repeats
from graders.workflows.agreement.ground import Ground
from graders.workflows.opinions import pair_figures

NONE_YET = "no screen came back yet"


@dataclass(frozen=True, slots=True)
class Twice:
    """Cells that people graded twice, an entry each: author row, question row, number said first
    and again, 1/probability of the first."""

    author: Array
    question: Array
    first: Array
    again: Array
    weight: Array


def twice(db: sqlite3.Connection, found: Ground, place: int) -> Twice:
    """Those of the criterion at a `place` of the ground whose first verdict counts there."""
    row, opinions = found.criteria[place], found.loaded[place]
    rows = repeats.said_twice(db, found.project, row)
    if not rows:  # as in most projects, and there may be a hundred thousand opinions
        return Twice(*(np.zeros(0, kind) for kind in (int, int, float, float, float)))
    used = np.flatnonzero(found.used(opinions) & opinions.blind)
    given = zip(
        opinions.author[used].tolist(), opinions.cells[opinions.at[used]].tolist(), strict=True
    )
    known = dict(zip(given, used.tolist(), strict=True))
    kept = [
        (one, known[one[:2]]) for one in rows if one[:2] in known and one[0] in found.circle.people
    ]
    return Twice(
        np.array([one[0] for one, _ in kept], int),
        np.array([one[2] for one, _ in kept], int),
        np.array([one[3] for one, _ in kept], float),
        np.array([row.scale.number(json.loads(one[4])) for one, _ in kept], float),
        np.array([1 / opinions.probability[at] for _, at in kept], float),
    )


def ceiling(db: sqlite3.Connection, found: Ground, place: int) -> Interval:
    """How far people agree with themselves on a criterion: its lead figure of what was said first
    and again, everybody's cells together."""
    both = twice(db, found, place)
    counts = np.array([found.circle.counts(int(author)) for author in both.author], bool)
    if not counts.any():
        return undefined(NONE_YET)
    names, question = np.unique(both.question[counts], return_inverse=True)
    weight = both.weight[counts] if found.view.blind_only else None
    figure = pair_figures.pair(
        found.criteria[place].scale,
        both.first[counts],
        both.again[counts],
        question,
        len(names),
        weight,
    ).lead
    return figure


def same(parts: Sequence[Twice], author: int) -> Interval:
    """The share of cells on which one person gave the same value again, over all criteria."""
    equal = np.concatenate(
        [part.first[part.author == author] == part.again[part.author == author] for part in parts]
        or [np.zeros(0)]
    )
    question = np.concatenate(
        [part.question[part.author == author] for part in parts] or [np.zeros(0, int)]
    )
    return (
        mean_interval(equal.astype(float), question, bounds=(0, 1))
        if len(equal)
        else undefined(NONE_YET)
    )
