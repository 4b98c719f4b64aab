"""Copies of answers with a fault put in by code. They are a project of their own, named in its settings: what counts answers of a project
never meets them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

from graders.store.content import DONE, IS_CURRENT, chunks, marks
from graders.store.projects import CriterionRow, Project

#: The setting of a project of copies: the name of the project whose answers they are of.
SEEDED_OF = "seeded_of"


class Said(NamedTuple):
    """A present opinion of a judge or rule; `part` of the criterion, `number` None without a value."""

    kind: str
    author: str
    question: str
    model: str
    version: int
    criterion: str
    part: str
    number: float | None


def doubted(db: sqlite3.Connection, criteria: Sequence[CriterionRow]) -> set[int]:
    """Subjects (row ids) that somebody gave the worst value of an ordered criterion, or a named fault: a further one would show less."""
    found: set[int] = set()
    for row in criteria:
        if not row.scale.is_ordered:
            continue
        fault = row.key.startswith("faults/")
        low = row.scale.numbers[0] if row.scale.is_discrete else row.scale.low
        sql = (
            f"SELECT DISTINCT c.subject_id FROM opinion o JOIN cell c ON c.id = o.cell_id WHERE o.criterion_id = ? AND o.import_id {DONE} "
            f"AND o.number {'>' if fault else '<='} ?"
        )
        found.update(one[0] for one in db.execute(sql, (row.id, low)))
    return found


def copies(db: sqlite3.Connection, project: Project) -> list[dict[str, Any]]:
    """The copies of a project of copies: question (its key), model (their mark), version, metadata as JSON."""
    sql = (
        "SELECT q.key AS question_id, a.model, a.version, a.metadata FROM answer a JOIN question q ON q.id = a.question_id "
        f"WHERE a.project_id = ? AND a.current = 1 AND a.import_id {DONE} ORDER BY a.id"
    )
    return [dict(row) for row in db.execute(sql, (project.id,))]


def said(db: sqlite3.Connection, project: Project, questions: Sequence[str]) -> list[Said]:
    """What judges and rules say of the present answers to some questions (keys), under the criteria as they are worded."""
    found: list[Said] = []
    for batch in chunks(questions):
        sql = (
            "SELECT w.kind, w.name, q.key, a.model, a.version, k.key, c.part, o.number FROM question q "
            f"CROSS JOIN subject s ON s.question_id = q.id AND s.other_id IS NULL AND s.import_id {DONE} AND {IS_CURRENT} "
            "CROSS JOIN answer a ON a.id = s.answer_id CROSS JOIN cell c ON c.subject_id = s.id CROSS JOIN criterion k ON k.id = c.criterion_id "
            f"AND k.active = 1 CROSS JOIN opinion o ON o.cell_id = c.id AND o.criterion_hash = k.hash AND o.import_id {DONE} "
            "CROSS JOIN author w ON w.id = o.author_id AND w.kind IN ('judge', 'rule') "
            f"WHERE q.project_id = ? AND q.key IN ({marks(len(batch))})"
        )
        found += [Said(*row) for row in db.execute(sql, (project.id, *batch))]
    return found
