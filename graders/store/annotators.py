"""What the queue knows of one person: screens done, in hand and left, and the person's own verdicts."""

from __future__ import annotations

import sqlite3
from typing import Any

from graders.store.projects import Project


def my_counts(db: sqlite3.Connection, project: Project, person_id: str) -> dict[str, Any]:
    """A person's screens: done (also where cells were left open), leased, flagged, and the median of their last fifty seconds-per-screen."""
    row = db.execute(
        "SELECT sum(state IN ('done', 'partial')), sum(state = 'leased'), sum(state IN ('done', 'partial', 'skipped') AND flagged) FROM assignment "
        "WHERE project_id = ? AND person_id = ?",
        (project.id, person_id),
    ).fetchone()
    seconds = sorted(
        r[0]
        for r in db.execute(
            "SELECT seconds FROM assignment WHERE project_id = ? AND person_id = ? AND state = 'done' AND seconds > 0 "
            "ORDER BY id DESC LIMIT 50",
            (project.id, person_id),
        )
    )
    return {"done": row[0] or 0, "leased": row[1] or 0, "flagged": row[2] or 0, "seconds": seconds[len(seconds) // 2] if seconds else None}


def for_others(db: sqlite3.Connection, project: Project, person_id: str) -> int:
    """Screens that still need a person, but not this one, who saved or skipped them."""
    sql = (
        "SELECT count(*) FROM assignment a JOIN screen s ON s.id = a.screen_id "
        "WHERE a.project_id = ? AND a.person_id = ? AND a.state IN ('done', 'partial', 'skipped') AND s.done < s.needed"
    )
    return int(db.execute(sql, (project.id, person_id)).fetchone()[0])


def my_saves(db: sqlite3.Connection, project: Project, person_id: str, since: str) -> dict[str, Any]:
    """A person's saves since a time: screens, seconds."""
    row = db.execute(
        "SELECT count(*), coalesce(sum(seconds), 0) FROM assignment WHERE project_id = ? AND person_id = ? AND state IN ('done', 'partial') AND saved_at >= ?",
        (project.id, person_id, since),
    ).fetchone()
    return {"screens": row[0], "seconds": row[1]}


def my_verdicts(db: sqlite3.Connection, project: Project, person_id: str, query: str, limit: int = 100) -> list[dict[str, Any]]:
    """A person's latest verdicts whose question, answer or value holds `query`, newest first."""
    like = "%" + query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    rows = db.execute(
        "SELECT v.uid, v.value, v.reason, v.created_at, v.screen_id, q.key, q.text AS question, a.text AS answer, c.criterion_id, cell.final, cell.final_source, "
        "cell.final_reason FROM verdict v JOIN author au ON au.id = v.author_id AND au.kind = 'person' AND au.name = ? AND au.project_id = ? "
        "JOIN cell ON cell.id = v.cell_id JOIN opinion c ON c.verdict_id = v.id AND c.cell_id = v.cell_id JOIN subject s ON s.id = cell.subject_id "
        "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = cell.question_id "
        "WHERE (? = '%%' OR q.text LIKE ? ESCAPE '\\' OR a.text LIKE ? ESCAPE '\\' OR v.value LIKE ? ESCAPE '\\') ORDER BY v.id DESC LIMIT ?",
        (person_id, project.id, like, like, like, like, limit),
    )
    return [dict(row) for row in rows]
