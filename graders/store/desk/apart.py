"""Screens for one person alone, which stand in no queue: second looks, gold questions, practice,
copies with a fault."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from graders.store.projects import Project
from graders.store.workspace import Workspace

#: What tells such screens apart in a person's assignments (their `occasion`; 0 is the queue's).
OCCASIONS = {"repeat": 1, "gold": 2, "practice": 3, "control": 4}


def had(db: sqlite3.Connection, project: Project, person_id: str, design: str) -> int:
    """How many screens of a design a person has or had."""
    sql = (
        "SELECT count(*) FROM assignment WHERE project_id = ? AND person_id = ? AND occasion = ? "
        "AND occasion > 0 AND state NOT IN ('expired', 'released')"
    )
    return int(db.execute(sql, (project.id, person_id, OCCASIONS[design])).fetchone()[0])


def give(
    db: sqlite3.Connection,
    ws: Workspace,
    project: Project,
    person_id: str,
    subjects: Sequence[int],
    *,
    design: str,
    order_seed: int,
    until: float,
    again: int | None = None,
    question: int | None = None,
) -> int:
    """Make a blind screen of subjects of one question and lease it to a person until a time;
    returns its row. `again`: the screen that comes back; `question`: the question row that it is
    shown under, where it is not the subjects' own."""
    question = (
        question
        or db.execute("SELECT question_id FROM subject WHERE id = ?", (subjects[0],)).fetchone()[0]
    )
    screen = db.execute(
        (
            "INSERT INTO screen (project_id, question_id, design, probability, seed, created_at, "
            "again) VALUES (?, ?, ?, 1.0, ?, ?, ?)"
        ),
        (project.id, question, design, project.seed, ws.now(), again),
    ).lastrowid
    db.executemany(
        "INSERT INTO screen_subject VALUES (?, ?)", [(screen, subject) for subject in subjects]
    )
    db.execute(
        "INSERT INTO assignment (screen_id, project_id, person_id, occasion, arm, "
        "probability, order_seed, state, lease_until) "
        "VALUES (?, ?, ?, ?, 'blind', 1.0, ?, 'leased', ?)",
        (screen, project.id, person_id, OCCASIONS[design], order_seed, until),
    )
    return int(screen or 0)
