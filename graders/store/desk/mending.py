"""What a lead mends or asks for from an answer: the references of its question, another opinion on
it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from graders.store.desk.queued_screens import NewScreen, add_screens
from graders.store.projects import Project
from graders.store.workspace import Workspace, dumps

#: Screens that a person asked for: blind, of no draw, before all others.
ASKED, FIRST = "asked", -1.0


def set_references(db: sqlite3.Connection, question_row: int, references: Sequence[str]) -> None:
    """Give a question other references."""
    db.execute("UPDATE question SET refs = ? WHERE id = ?", (dumps(list(references)), question_row))


def open_screen(db: sqlite3.Connection, subject_id: int) -> tuple[int, str] | None:
    """The screen with a free place that asks about an answer, not about one criterion alone, and
    its design; None where there is none."""
    sql = (
        "SELECT s.id, s.design FROM screen_subject x JOIN screen s ON s.id = x.screen_id "
        "JOIN queue q ON q.screen_id = s.id "
        "WHERE x.subject_id = ? AND q.free > 0 AND s.design <> 'placed' "
        "ORDER BY s.design = ? DESC, s.id LIMIT 1"
    )
    row = db.execute(sql, (subject_id, ASKED)).fetchone()
    return None if row is None else (row[0], row[1])


def ask_for_opinion(
    db: sqlite3.Connection, ws: Workspace, project: Project, question_row: int, subject_id: int
) -> bool:
    """Put the open screen of an answer before all others, or make one; returns whether one was
    made.

    A screen that is made is blind and of no draw: what is chosen because it looks wrong never
    enters an estimate.
    """
    known = open_screen(db, subject_id)
    if known is not None:
        db.execute("UPDATE queue SET priority = ? WHERE screen_id = ?", (FIRST, known[0]))
        return False
    add_screens(db, ws, project, [NewScreen(question_row, ASKED, (subject_id,), 1.0, FIRST)])
    return True
