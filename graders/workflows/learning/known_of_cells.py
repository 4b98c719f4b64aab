"""What machines know of cells, gathered for what learns from it: verdicts of judges and rules,
metric
values, lengths, cosines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.derived_judges import is_derived
from graders.core.errors import CogradeError
from graders.core.records import KnownCell
from graders.core.text import characters
from graders.core.text_languages import subject_language
from graders.metrics.models.encoders import Encoders
from graders.statistics.arrays import mean_of
from graders.store.answers import content, metric_values
from graders.store.answers.content import StoredSubject, chunks
from graders.store.opinions import cells as cell_store
from graders.store.opinions.cells import Cell
from graders.store.opinions.uncounted import machine_marks
from graders.store.projects import CriterionRow
from graders.store.workspace import Workspace

#: Questions whose answers are read in one go.
QUESTIONS_AT_ONCE = 100
#: Names of the features that come from vectors.
TO_QUESTION, TO_OTHERS = "cosine_to_question", "cosine_to_other_answers"


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """Cells of some questions: what is `known` of each, the stored `cells`, answers (`subjects`)
    and their `vectors`, by row."""

    known: Mapping[int, KnownCell]
    cells: Mapping[int, Cell]
    subjects: Mapping[int, StoredSubject]
    vectors: Mapping[int, Any]


def gather(
    ws: Workspace, row: CriterionRow, cells: Mapping[int, Sequence[int]], encoder: Encoders | None
) -> Iterator[Gathered]:
    """Cells (question row -> cells) with all that machines know about them, some questions at a
    time; no verdict of a person is read.

    Without an `encoder` there are no vectors, and no cosines.
    """
    for questions in chunks(sorted(cells), QUESTIONS_AT_ONCE):
        ids = [cell for question in questions for cell in cells[question]]
        found = cell_store.load_cells(ws.db, ids)
        subjects = {
            s.id: s for s in content.subjects(ws.db, sorted({c.subject_id for c in found.values()}))
        }
        said = machine_marks(ws.db, row, found)
        metrics = metric_values.metrics_of(ws.db, subjects)
        near, vectors = _cosines(ws, questions, subjects, encoder)
        known = {
            cell.id: KnownCell(
                subject=subjects[cell.subject_id].subject.key,
                part=cell.part,
                judges={
                    name: mark
                    for kind, name, mark in said.get(cell.id, ())
                    if kind == "judge" and not is_derived(name)
                },
                rules={name: mark for kind, name, mark in said.get(cell.id, ()) if kind == "rule"},
                metrics={
                    **{m.metric: m.value for m in metrics.get(cell.subject_id, [])},
                    **near.get(cell.subject_id, {}),
                },
                answer_characters=characters(subjects[cell.subject_id].subject.answer.text),
                question_characters=characters(subjects[cell.subject_id].subject.question.text),
            )
            for cell in found.values()
            if subjects[cell.subject_id].subject.other is None
        }
        yield Gathered(known, found, subjects, vectors)


def _cosines(
    ws: Workspace,
    questions: Sequence[int],
    wanted: Mapping[int, StoredSubject],
    encoder: Encoders | None,
) -> tuple[dict[int, dict[str, float | None]], dict[int, Any]]:
    """By subject row: how near an answer is to its question and, on factual questions, to the other
    models' answers; and its vector."""
    if encoder is None:
        return {}, {}
    present = content.subjects(ws.db, content.subjects_of(ws.db, questions))
    everyone = {s.id: s for s in (*present, *wanted.values()) if s.subject.other is None}
    languages = {id_: subject_language(s.subject) for id_, s in everyone.items()}
    pairs = [
        (text, languages[id_])
        for id_, s in everyone.items()
        for text in (s.subject.answer.text, s.subject.question.text)
    ]
    try:
        encoder.prepare(
            [text for text, _ in pairs], [language for _, language in pairs], tokens=False
        )
        vectors = {
            id_: encoder.sentence(s.subject.answer.text, languages[id_])
            for id_, s in everyone.items()
        }
        asked = {
            id_: encoder.sentence(s.subject.question.text, languages[id_])
            for id_, s in everyone.items()
            if id_ in wanted
        }
    except CogradeError:  # no model for vectors: the rest is known all the same
        return {}, {}
    others: dict[int, list[int]] = {}
    for id_, stored in everyone.items():
        others.setdefault(stored.question_id, []).append(id_)
    found: dict[int, dict[str, float | None]] = {}
    for id_, question in asked.items():
        stored, vector = everyone[id_], vectors[id_]
        if vector is None or question is None:
            continue
        # Creative answers are not compared with each other.
        factual = stored.subject.question.task_type == "factual"
        peers = [
            peer
            for o in others[stored.question_id]
            if factual and o != id_ and (peer := vectors[o]) is not None
        ]
        near = mean_of([float(vector @ peer) for peer in peers]) if peers else None
        found[id_] = {TO_QUESTION: float(vector @ question), TO_OTHERS: near}
    return found, {id_: vector for id_, vector in vectors.items() if vector is not None}
