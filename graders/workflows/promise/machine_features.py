"""What machines say of cells, as rows of numbers: verdicts, confidences, metric values, lengths,
and the other answers to a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from graders.core.records import KnownCell
from graders.core.scale import Scale
from graders.statistics.confidence import siblings
from graders.statistics.resampling import Array
from graders.workflows.learning.known_of_cells import TO_OTHERS, TO_QUESTION, Gathered


class Sources(NamedTuple):
    """Who and what speaks of a criterion's cells: names of judges, rules and metrics."""

    judges: tuple[str, ...]
    rules: tuple[str, ...]
    metrics: tuple[str, ...]


class Rows(NamedTuple):
    """Cells as rows: `cell`, the machine's `value` (0, 1, -1 none), `votes` and `stated` float[J,
    n], further features float[n, d]."""

    cell: Array
    value: Array
    votes: Array
    stated: Array
    more: Array


def rows_of(some: Gathered, scale: Scale, sources: Sources) -> Rows:
    ids = sorted(some.known)
    votes = np.full((len(sources.judges) + len(sources.rules), len(ids)), np.nan)
    stated, more = np.full_like(votes, np.nan), []
    value = np.full(len(ids), -1)
    for at, cell in enumerate(ids):
        known, suggestion = some.known[cell], some.cells[cell].state.suggestion
        value[at] = -1 if suggestion is None else scale.code(suggestion)
        for place, mark in enumerate(
            [*map(known.judges.get, sources.judges), *map(known.rules.get, sources.rules)]
        ):
            if mark is None or mark.value is None:
                continue
            votes[place, at] = scale.code(mark.value)
            if mark.confidence is not None and place < len(sources.judges):
                # Of two values nobody is less than half sure of the one that he names: below it the
                # chance of the other was stated.
                sure = 0.5 + abs(min(max(mark.confidence, 0.0), 1.0) - 0.5)
                stated[place, at] = sure if votes[place, at] else 1 - sure
        more.append(_texts(known, some, cell, sources))
    others = _siblings(some, ids, _share(votes[: len(sources.judges)]))
    return Rows(
        np.array(ids, np.int64),
        value,
        votes,
        stated,
        np.column_stack([np.array(more, float).reshape(len(ids), -1), others]),
    )


def _texts(known: KnownCell, some: Gathered, cell: int, sources: Sources) -> list[float]:
    """Metric values, cosines and lengths of one cell, NaN where one is missing."""
    found = [known.metrics.get(name) for name in (*sources.metrics, TO_QUESTION, TO_OTHERS)]
    said = [known.judges.get(name) for name in sources.judges]
    references = some.subjects[some.cells[cell].subject_id].subject.question.references
    lengths = [
        known.answer_characters,
        known.question_characters,
        min(map(len, references), default=0),
    ]
    lengths += [0 if mark is None else len(mark.rationale or "") for mark in said]
    return [
        *(np.nan if value is None else float(value) for value in found),
        float(len(references)),
        *np.log1p(lengths).tolist(),
    ]


def _share(votes: Array) -> Array:
    """The share of judges that say the second value, NaN where none has spoken."""
    count = (~np.isnan(votes)).sum(axis=0)
    return np.where(count > 0, np.nansum(votes, axis=0) / np.maximum(count, 1), np.nan)


def _siblings(some: Gathered, ids: Sequence[int], share: Array) -> Array:
    """float[n, 4]: what judges say of the other answers to a factual question; NaN where there are
    none to look at."""
    made = np.full((len(ids), 4), np.nan)
    groups: dict[tuple[int, str], list[int]] = {}
    for at, cell in enumerate(ids):
        if not np.isnan(share[at]):
            home = some.cells[cell]
            if some.subjects[home.subject_id].subject.question.task_type == "factual":
                groups.setdefault((home.question_id, home.part), []).append(at)
    for places in groups.values():
        vectors = [
            some.vectors[subject]
            for at in places
            if (subject := some.cells[ids[at]].subject_id) in some.vectors
        ]
        near = len(vectors) == len(places) and len({len(vector) for vector in vectors}) == 1
        found = siblings(
            share[places],
            np.stack(vectors) if near else np.ones((len(places), 1)),
            np.zeros(len(places)),
        )
        made[places] = np.column_stack(found)
        if not near:
            made[places, 3] = np.nan
    return made
