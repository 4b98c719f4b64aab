"""What machines say of cells, as rows of numbers: verdicts, confidences, metric values, lengths,
and the other answers to a question."""

from __future__ import annotations

import math
from collections.abc import Sequence

from graders.core.records import KnownCell, Mark
from graders.core.scale import Scale
from graders.statistics.arrays import Array, known
from graders.statistics.voices import (
    Others,
    Voices,
    log_lengths,
    share_of_yes,
    voices_of,
    with_others,
)
from graders.workflows.learning.known_of_cells import TO_OTHERS, TO_QUESTION, Gathered
from graders.workflows.promise.counted_cells import Sources


def rows_of(some: Gathered, scale: Scale, sources: Sources) -> Voices:
    """Cells as rows of numbers, by row id: what judges and rules say, then metric values, lengths
    and what judges say of the other answers to a question."""
    cells = sorted(some.known)
    value, votes, stated = [], [], []
    for cell in cells:
        of_cell, suggestion = some.known[cell], some.cells[cell].state.suggestion
        value.append(-1 if suggestion is None else scale.code(suggestion))
        marks = [
            *map(of_cell.judges.get, sources.judges),
            *map(of_cell.rules.get, sources.rules),
        ]
        votes.append([_vote(mark, scale) for mark in marks])
        stated.append(
            [
                _stated(mark, scale) if place < len(sources.judges) else math.nan
                for place, mark in enumerate(marks)
            ]
        )
    more = [_texts(some.known[cell], some, cell, sources) for cell in cells]
    rows = voices_of(cells, value, votes, stated, more)
    share = share_of_yes(rows.votes[: len(sources.judges)])
    return with_others(rows, share, _others(some, cells, share))


def _vote(mark: Mark | None, scale: Scale) -> float:
    """The value of a verdict as a number, NaN for none."""
    return math.nan if mark is None or mark.value is None else scale.code(mark.value)


def _stated(mark: Mark | None, scale: Scale) -> float:
    """The chance of the second value that a judge states, NaN for none."""
    if mark is None or mark.value is None or mark.confidence is None:
        return math.nan
    # Of two values no judge is less than half sure of the one that it names: below it the chance
    # of the other was stated.
    sure = 0.5 + abs(min(max(mark.confidence, 0.0), 1.0) - 0.5)
    return sure if scale.code(mark.value) else 1 - sure


def _texts(of_cell: KnownCell, some: Gathered, cell: int, sources: Sources) -> list[float]:
    """Metric values, cosines and lengths of one cell, NaN where one is missing."""
    values = [of_cell.metrics.get(name) for name in (*sources.metrics, TO_QUESTION, TO_OTHERS)]
    marks = [of_cell.judges.get(name) for name in sources.judges]
    references = some.subjects[some.cells[cell].subject_id].subject.question.references
    lengths = [
        of_cell.answer_characters,
        of_cell.question_characters,
        min(map(len, references), default=0),
    ]
    lengths += [0 if mark is None else len(mark.rationale or "") for mark in marks]
    return [
        *(math.nan if value is None else float(value) for value in values),
        float(len(references)),
        *log_lengths(lengths),
    ]


def _others(some: Gathered, cells: Sequence[int], share: Array) -> list[Others]:
    """The answers to each factual question that judges spoke of."""
    groups: dict[tuple[int, str], list[int]] = {}
    for at, (cell, spoken) in enumerate(zip(cells, known(share).tolist(), strict=True)):
        home = some.cells[cell]
        if spoken and some.subjects[home.subject_id].subject.question.task_type == "factual":
            groups.setdefault((home.question_id, home.part), []).append(at)
    return [
        Others(places, _vectors(some, [some.cells[cells[at]].subject_id for at in places]))
        for places in groups.values()
    ]


def _vectors(some: Gathered, subjects: Sequence[int]) -> list[Array] | None:
    """The vectors of answers, None where one lacks."""
    vectors = [some.vectors[subject] for subject in subjects if subject in some.vectors]
    return vectors if len(vectors) == len(subjects) else None
