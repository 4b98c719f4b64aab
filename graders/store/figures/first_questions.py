"""Cells that a newcomer may try: two judges and two people spoke of them, and the text is short."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field

from graders.core.author_texts import AUTHOR_GLOB
from graders.core.derived_judges import is_derived
from graders.core.faults import FAULTS_RUBRIC
from graders.store.answers.content import DONE, tuples
from graders.store.projects import Project


@dataclass(slots=True)
class TriedCell:
    """A cell with the values (JSON) that judges and people gave it."""

    cell_id: int
    criterion_id: int
    question_id: str
    model: str
    language: str
    suggestion: str | None
    length: int
    judges: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)


def tried_cells(db: sqlite3.Connection, project: Project, longest: int) -> Iterator[TriedCell]:
    """Cells without parts of current answers of models, question and answer together of at most so
    many characters, shortest first; values of judges that were asked, and blind ones of people."""
    sql = (
        "SELECT c.id, c.criterion_id, q.key, a.model, q.language, c.suggestion, "
        "length(q.text) + length(a.text) AS long, w.kind, w.name, o.value "
        "FROM cell c JOIN criterion k ON k.id = c.criterion_id AND k.active = 1 "
        f"AND k.key NOT GLOB '{FAULTS_RUBRIC}/*' "
        "JOIN subject s ON s.id = c.subject_id AND s.other_id IS NULL "
        f"JOIN answer a ON a.id = s.answer_id AND a.model NOT GLOB '{AUTHOR_GLOB}' "
        "JOIN question q ON q.id = c.question_id "
        "JOIN opinion o ON o.cell_id = c.id AND o.criterion_id = k.id "
        "AND o.criterion_hash = k.hash AND o.value IS NOT NULL "
        "JOIN author w ON w.id = o.author_id AND (w.kind = 'judge' OR w.kind = 'person' "
        f"AND o.blind = 1) WHERE c.project_id = ? AND c.part = '' AND c.import_id {DONE} "
        "AND c.tally_id IS NOT NULL AND long <= ? ORDER BY long, c.id, w.id"
    )
    cell: TriedCell | None = None
    for *facts, kind, name, value in tuples(db, sql, (project.id, longest)):
        if kind == "judge" and is_derived(name):
            continue
        if cell is None or cell.cell_id != facts[0]:
            if cell is not None:
                yield cell
            cell = TriedCell(*facts)
        (cell.judges if kind == "judge" else cell.people).append(value)
    if cell is not None:
        yield cell
