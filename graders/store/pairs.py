"""Subjects that are pairs of two models' current answers: which there could be, and making those that were drawn."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from graders.core.control import AUTHOR_GLOB
from graders.store.content import DONE
from graders.store.projects import Project


def answers(db: sqlite3.Connection, project: Project) -> dict[int, dict[str, int]]:
    """Question row -> model -> row of its current answer, in the order in which questions came; authors' own texts are no model's."""
    found: dict[int, dict[str, int]] = {}
    sql = f"SELECT question_id, model, id FROM answer WHERE project_id = ? AND current = 1 AND import_id {DONE} AND model NOT GLOB ? ORDER BY question_id, model"
    for question, model, answer in db.execute(sql, (project.id, AUTHOR_GLOB)):
        found.setdefault(question, {})[model] = answer
    return found


def known(db: sqlite3.Connection, project: Project) -> set[frozenset[int]]:
    """The pairs of answer rows that are there, in whatever order."""
    sql = "SELECT answer_id, other_id FROM subject WHERE project_id = ? AND other_id IS NOT NULL"
    return {frozenset(row) for row in db.execute(sql, (project.id,))}


def add(db: sqlite3.Connection, project: Project, pairs: Sequence[tuple[int, int, int]]) -> None:
    """Make the subjects of (question, first answer, second answer)."""
    db.executemany(
        "INSERT OR IGNORE INTO subject (project_id, question_id, answer_id, other_id, import_id) VALUES (?,?,?,?,0)",
        [(project.id, *pair) for pair in pairs],
    )
