"""Gold questions: settled cells that a lead marked, to check people by or to practise on; and what
people said of them.

A gold cell is in force while its adjudicated verdict, which has the right value and why, stands
under the present wording.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.scale import Value
from graders.store.answers.content import marks
from graders.store.desk.own_screens import GOLD, IN_FORCE, PRACTICE
from graders.store.projects import Project


@dataclass(frozen=True, slots=True)
class GoldCell:
    """A gold cell in force: the right value (None: not applicable) and why; `practice` or a
    check."""

    cell_id: int
    subject_id: int
    criterion_id: int
    part: str
    value: Value | None
    why: str
    practice: bool


def put(
    db: sqlite3.Connection, project: Project, cell_id: int, practice: bool | None, by: str, now: str
) -> None:
    """Mark a cell as a check or for practice; None takes the mark off."""
    if practice is None:
        db.execute("DELETE FROM gold WHERE cell_id = ?", (cell_id,))
    else:
        db.execute(
            "INSERT OR REPLACE INTO gold VALUES (?, ?, ?, ?, ?)",
            (cell_id, project.id, int(practice), by, now),
        )


def in_force(
    db: sqlite3.Connection, project: Project, subjects: Sequence[int] = ()
) -> list[GoldCell]:
    """The gold cells of a project (of some subjects), by cell."""
    where = f"AND c.subject_id IN ({marks(len(subjects))})" if subjects else ""
    sql = (
        "SELECT c.id, c.subject_id, c.criterion_id, c.part, v.value, v.rationale, g.practice "
        f"FROM {IN_FORCE} WHERE g.project_id = ? {where} ORDER BY c.id"
    )
    rows = db.execute(sql, (project.id, *subjects))
    return [
        GoldCell(
            r[0], r[1], r[2], r[3], None if r[4] is None else json.loads(r[4]), r[5], bool(r[6])
        )
        for r in rows
    ]


def checked(db: sqlite3.Connection, project: Project) -> list[tuple[int, int, int, bool]]:
    """(author row, question row, cell row, right or not) of what people said blind of gold cells
    that checked them."""
    sql = (
        f"SELECT o.author_id, o.question_id, c.id, o.value IS v.value FROM {IN_FORCE} "
        "JOIN opinion o ON o.criterion_id = k.id AND o.cell_id = c.id "
        f"AND o.design = '{GOLD}' AND o.blind = 1 AND o.criterion_hash = k.hash "
        "WHERE g.project_id = ? AND g.practice = 0 ORDER BY c.id, o.author_id"
    )
    return [(row[0], row[1], row[2], bool(row[3])) for row in db.execute(sql, (project.id,))]


def uses(db: sqlite3.Connection, cell_ids: Sequence[int]) -> dict[int, str]:
    """What cells are marked for: ``gold`` (a check) or ``practice``; without those that are not."""
    sql = f"SELECT cell_id, practice FROM gold WHERE cell_id IN ({marks(len(cell_ids))})"
    return {row[0]: PRACTICE if row[1] else GOLD for row in db.execute(sql, list(cell_ids))}


@dataclass(frozen=True, slots=True)
class CellTexts:
    """What a cell is about: the id and text of its question, and the model that answered."""

    question_id: str
    question: str
    model: str


def texts_of(db: sqlite3.Connection, cell_ids: Sequence[int]) -> dict[int, CellTexts]:
    """Question and model of cells, by cell row."""
    sql = (
        "SELECT c.id, q.key, q.text, a.model FROM cell c "
        "JOIN question q ON q.id = c.question_id JOIN subject s ON s.id = c.subject_id "
        f"JOIN answer a ON a.id = s.answer_id WHERE c.id IN ({marks(len(cell_ids))})"
    )
    return {row[0]: CellTexts(*row[1:]) for row in db.execute(sql, list(cell_ids))}
