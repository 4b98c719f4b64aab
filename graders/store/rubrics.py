"""Versions of a project's rubrics, and how many verdicts each wording of a criterion has."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graders.store.content import DONE, chunks, marks
from graders.store.projects import Project
from graders.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Version:
    """One text of a rubric: its row, its label, when it came in, whether it is in force."""

    id: int
    version: str
    source: str
    at: str
    active: bool


def versions(ws: Workspace, project: Project, name: str) -> list[Version]:
    """All texts that a rubric had, latest first."""
    rows = ws.db.execute(
        "SELECT id, version, source, created_at, active FROM rubric WHERE project_id = ? AND name = ? ORDER BY id DESC", (project.id, name)
    )
    return [Version(row["id"], row["version"], row["source"], row["created_at"], bool(row["active"])) for row in rows]


def changed_by(ws: Workspace, project: Project) -> dict[int, str]:
    """Version row -> id of the person who put it in force, where that was noted."""
    rows = ws.db.execute("SELECT actor, body FROM event WHERE project_id = ? AND kind = 'rubric'", (project.id,))
    return {int(body["row"]): row["actor"] for row in rows if "row" in (body := json.loads(row["body"]))}


def opinions_by_wording(db: sqlite3.Connection, project: Project, keys: Sequence[str]) -> dict[str, list[tuple[str, str, int]]]:
    """Criterion key -> (wording's hash, kind of author, present verdicts) on current answers, also of criteria that are out of force."""
    found: dict[str, list[tuple[str, str, int]]] = {}
    for batch in chunks(keys):
        sql = (
            "SELECT k.key, o.criterion_hash, a.kind, count(*) FROM criterion k CROSS JOIN opinion o ON o.criterion_id = k.id "
            "CROSS JOIN author a ON a.id = o.author_id CROSS JOIN cell c ON c.id = o.cell_id "
            f"WHERE k.project_id = ? AND k.key IN ({marks(len(batch))}) AND o.import_id {DONE} AND c.tally_id IS NOT NULL GROUP BY 1, 2, 3"
        )
        for key, wording, kind, count in db.execute(sql, (project.id, *batch)):
            found.setdefault(key, []).append((wording, kind, count))
    return found


def stale_subjects(db: sqlite3.Connection, project: Project, keys: Sequence[str]) -> list[int]:
    """Current answers (subject rows) with a judge's verdict under another wording of one of these criteria than the present one."""
    found: set[int] = set()
    for batch in chunks(keys):
        sql = (
            "SELECT DISTINCT c.subject_id FROM criterion k CROSS JOIN opinion o ON o.criterion_id = k.id CROSS JOIN author a ON a.id = o.author_id "
            "CROSS JOIN cell c ON c.id = o.cell_id WHERE k.project_id = ? AND k.active = 1 AND a.kind = 'judge' AND o.criterion_hash <> k.hash "
            f"AND o.import_id {DONE} AND c.tally_id IS NOT NULL AND c.retired = 0 AND k.key IN ({marks(len(batch))})"
        )
        found.update(row[0] for row in db.execute(sql, (project.id, *batch)))
    return sorted(found)
