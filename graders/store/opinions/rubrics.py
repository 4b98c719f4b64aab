"""Versions of a project's rubrics, and how many verdicts each wording of a criterion has."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graders.store.answers.content import DONE, chunks, marks, tuples
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
        (
            "SELECT id, version, source, created_at, active FROM rubric WHERE project_id = ? "
            "AND name = ? ORDER BY id DESC"
        ),
        (project.id, name),
    )
    return [
        Version(row["id"], row["version"], row["source"], row["created_at"], bool(row["active"]))
        for row in rows
    ]


def changed_by(ws: Workspace, project: Project) -> dict[int, str]:
    """Version row -> id of the person who put it in force, where that was noted."""
    rows = ws.db.execute(
        "SELECT actor, body FROM event WHERE project_id = ? AND kind = 'rubric'", (project.id,)
    )
    return {
        int(body["row"]): row["actor"] for row in rows if "row" in (body := json.loads(row["body"]))
    }


def opinions_by_wording(
    db: sqlite3.Connection, project: Project, keys: Sequence[str]
) -> dict[str, list[tuple[str, str, int]]]:
    """Criterion key -> (wording's hash, kind of author, present verdicts) on current answers, also
    of criteria that are out of force.

    Nearly all stand under the present wording and count: those are all less the others, since a
    look at each would take seconds of a million cells.
    """
    found: dict[str, list[tuple[str, str, int]]] = {}
    for batch in chunks(keys):
        named = f"k.project_id = ? AND k.key IN ({marks(len(batch))})"
        values = (project.id, *batch)
        every = (
            "SELECT k.key, k.hash, a.kind, sum((SELECT count(*) FROM opinion o "
            "WHERE o.criterion_id = k.id AND o.author_id = a.id)) "
            f"FROM criterion k JOIN author a ON a.project_id = k.project_id WHERE {named} "
            "GROUP BY k.id, a.kind"
        )
        present = {
            (key, kind): [wording, count] for key, wording, kind, count in tuples(db, every, values)
        }
        other = (
            f"SELECT k.key, o.criterion_hash, a.kind, count(*), sum(o.import_id {DONE} "
            "AND c.tally_id IS NOT NULL) FROM criterion k "
            "CROSS JOIN opinion o ON o.criterion_id = k.id AND o.criterion_hash <> k.hash "
            "CROSS JOIN author a ON a.id = o.author_id "
            f"CROSS JOIN cell c ON c.id = o.cell_id WHERE {named} GROUP BY 1, 2, 3"
        )
        for key, wording, kind, count, counts in tuples(db, other, values):
            present[key, kind][1] -= count
            if counts:
                found.setdefault(key, []).append((wording, kind, counts))
        gone = (
            "SELECT k.key, a.kind, count(*) FROM {} CROSS "
            "JOIN criterion k ON k.id = o.criterion_id CROSS "
            "JOIN author a ON a.id = o.author_id {} "
        )
        of_cells = gone.format(
            "cell c CROSS JOIN opinion o ON o.cell_id = c.id", "WHERE c.tally_id IS NULL"
        )
        # Of unfinished imports; an index leads to what files brought.
        unfinished = gone.format(
            "opinion o",
            (
                "CROSS JOIN cell c ON c.id = o.cell_id WHERE o.import_id > 0 "
                f"AND o.import_id NOT {DONE} AND c.tally_id IS NOT NULL"
            ),
        )
        for sql in (of_cells, unfinished):
            for key, kind, count in tuples(
                db, f"{sql} AND o.criterion_hash = k.hash AND {named} GROUP BY 1, 2", values
            ):
                present[key, kind][1] -= count
        for (key, kind), (wording, count) in present.items():
            if count:
                found.setdefault(key, []).append((wording, kind, count))
    return found


def stale_subjects(db: sqlite3.Connection, project: Project, keys: Sequence[str]) -> list[int]:
    """Current answers (subject rows) with a judge's verdict under another wording of one of these
    criteria than the present one."""
    found: set[int] = set()
    for batch in chunks(keys):
        sql = (
            "SELECT DISTINCT c.subject_id FROM criterion k CROSS "
            "JOIN opinion o ON o.criterion_id = k.id CROSS "
            "JOIN author a ON a.id = o.author_id "
            "CROSS JOIN cell c ON c.id = o.cell_id WHERE k.project_id = ? AND k.active = 1 "
            "AND a.kind = 'judge' AND o.criterion_hash <> k.hash "
            f"AND o.import_id {DONE} AND c.tally_id IS NOT NULL AND c.retired = 0 "
            f"AND k.key IN ({marks(len(batch))})"
        )
        found.update(row[0] for row in db.execute(sql, (project.id, *batch)))
    return sorted(found)
