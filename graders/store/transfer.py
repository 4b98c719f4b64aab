"""Rows of the exchange format that are neither content nor verdicts: kept with their import, unpacked when it is done.

Screens travel under a number of their own (their place in the export), not under their row.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.records import MetricValue, Provenance, SubjectKey, Verdict
from graders.store import cells, content, verdicts
from graders.store.cells import CellState
from graders.store.projects import Project, criteria
from graders.store.workspace import Workspace, dumps

TABLES = ("metrics", "routes", "screens", "assignments", "calls", "events")


def set_seed(ws: Workspace, project: Project, seed: int) -> None:
    """Give a project the seed of its draws."""
    with ws.write() as db:
        db.execute("UPDATE project SET seed = ? WHERE id = ?", (seed, project.id))


def keep(ws: Workspace, import_id: int, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Keep rows as they stand."""
    with ws.write() as db:
        db.executemany("INSERT INTO kept VALUES (?, ?, ?)", [(import_id, table, dumps(dict(fields))) for table, fields in rows])


def unapplied(db: sqlite3.Connection, import_id: int) -> list[tuple[int, int, int, int, Verdict, int]]:
    """(verdict row, cell, criterion, question, verdict, author row) of an import's verdicts on cells that others brought."""
    rows = db.execute(
        "SELECT v.*, c.criterion_id, c.question_id, a.kind AS author_kind, a.name AS author FROM verdict v JOIN cell c ON c.id = v.cell_id "
        "JOIN author a ON a.id = v.author_id WHERE v.import_id = ? AND c.import_id <> ? ORDER BY v.id",
        (import_id, import_id),
    ).fetchall()
    return [
        (
            row["id"],
            row["cell_id"],
            row["criterion_id"],
            row["question_id"],
            Verdict(
                subject=SubjectKey("", ""),
                criterion="",
                author=row["author"],
                author_kind=row["author_kind"],
                mark=verdicts.read_mark(row),
                kind=row["kind"],
                criterion_hash=row["criterion_hash"],
                provenance=None if row["provenance"] is None else Provenance(**json.loads(row["provenance"])),
            ),
            row["author_id"],
        )
        for row in rows
    ]


def unpack(ws: Workspace, project: Project, import_id: int) -> None:
    """Put kept rows into their tables. Screens only into a project that has none."""
    kept: dict[str, list[dict[str, Any]]] = {}
    for row in ws.db.execute("SELECT tbl, body FROM kept WHERE import_id = ? ORDER BY rowid", (import_id,)):
        kept.setdefault(row[0], []).append(json.loads(row[1]))
    finder = _Finder(ws.db, project)
    ws.background(kept.get("metrics", []), lambda db, rows: _metrics(db, project, finder, rows))
    ws.background(kept.get("routes", []), lambda db, rows: _routes(ws, db, project, finder, rows))
    if kept.get("screens") and not ws.db.execute("SELECT 1 FROM screen WHERE project_id = ?", (project.id,)).fetchone():
        with ws.write() as db:
            _screens(db, ws, project, finder, kept["screens"], kept.get("assignments", []))
    with ws.write() as db:
        db.executemany(
            "INSERT OR IGNORE INTO call (key, project_id, provider, model, state, payload, reply, cause, sends, causes, perhaps_paid, "
            "certainly_paid, input_tokens, cached_tokens, output_tokens, money, seconds, at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            [
                (
                    r["key"],
                    project.id,
                    r["provider"],
                    r["model"],
                    r["state"],
                    dumps(r.get("payload") or {}),
                    r.get("reply"),
                    r.get("cause") or "",
                    r.get("sends") or 0,
                    dumps(r.get("causes") or []),
                    r.get("perhaps_paid") or 0,
                    r.get("certainly_paid") or 0,
                    r.get("input_tokens"),
                    r.get("cached_tokens"),
                    r.get("output_tokens"),
                    r.get("money"),
                    r.get("seconds"),
                    r["at"],
                )
                for r in kept.get("calls", [])
            ],
        )
        if not db.execute("SELECT 1 FROM event WHERE project_id = ? AND kind = 'draw'", (project.id,)).fetchone():
            db.executemany(
                "INSERT INTO event (project_id, at, actor, kind, body) VALUES (?,?,?,?,?)",
                [(project.id, r["at"], r.get("actor") or "", r["kind"], dumps(r.get("body") or {})) for r in kept.get("events", [])],
            )
        db.execute("DELETE FROM kept WHERE import_id = ?", (import_id,))


class _Finder:
    """Rows by the names that files use."""

    def __init__(self, db: sqlite3.Connection, project: Project) -> None:
        self.db, self.project = db, project
        self.questions: dict[str, int] = {}
        self.criteria: dict[str, int] = {
            row[0]: row[1] for row in db.execute("SELECT key, id FROM criterion WHERE project_id = ?", (project.id,))
        }

    def subjects(self, rows: Sequence[Mapping[str, Any]]) -> list[int | None]:
        """The subject of each row (question_id, model, answer_version)."""
        missing = {str(r["question_id"]) for r in rows} - set(self.questions)
        self.questions.update(content.question_ids(self.db, self.project, missing))
        known = content.subject_rows(
            self.db, self.project, {self.questions[str(r["question_id"])] for r in rows if str(r["question_id"]) in self.questions}
        )
        return [
            known.get((self.questions.get(str(r["question_id"]), 0), str(r["model"]), int(r.get("answer_version") or 1), "")) for r in rows
        ]


def _metrics(db: sqlite3.Connection, project: Project, finder: _Finder, rows: Sequence[Mapping[str, Any]]) -> None:
    values = []
    for row, subject in zip(rows, finder.subjects(rows), strict=True):
        if subject is not None:
            value = MetricValue(
                metric=row["metric"],
                value=row.get("value"),
                status=row.get("status") or "ok",
                reason=row.get("reason") or "",
                reference=row.get("reference"),
                version=row.get("grader_version") or "",
            )
            values.append((subject, value, str(row.get("inputs") or "")))
    verdicts.put_metrics(db, project, values)


def _routes(ws: Workspace, db: sqlite3.Connection, project: Project, finder: _Finder, rows: Sequence[Mapping[str, Any]]) -> None:
    known = {c.id: c for c in criteria(ws, project)}
    wanted: dict[int, Mapping[str, Any]] = {}
    for row, subject in zip(rows, finder.subjects(rows), strict=True):
        criterion = known.get(finder.criteria.get(str(row["criterion"]), 0))
        if subject is not None and criterion is not None:
            wanted[cells.add_cell(db, project, subject, criterion, str(row.get("part") or ""))] = row
    changes = {}
    for cell in cells.load_cells(db, wanted).values():
        row, criterion = wanted[cell.id], known[cell.criterion_id]
        final = None if row.get("final") is None else criterion.scale.parse(row["final"])
        suggestion = None if row.get("suggestion") is None else criterion.scale.parse(row["suggestion"])
        changes[cell.id] = (
            CellState(
                suggestion,
                row.get("confidence"),
                row.get("suggestion_reason") or "",
                row.get("route") or "",
                row.get("reason") or "",
                final,
                row.get("final_source") or "pending",
                row.get("final_reason") or "",
                (row.get("final_source") or "pending") == "pending",
            ),
            criterion,
        )
    cells.set_states(db, changes)


def _screens(
    db: sqlite3.Connection,
    ws: Workspace,
    project: Project,
    finder: _Finder,
    screens: Sequence[Mapping[str, Any]],
    assignments: Sequence[Mapping[str, Any]],
) -> None:
    rows: dict[int, int] = {}
    for screen in screens:
        subjects = finder.subjects([{"question_id": screen["question_id"], **answer} for answer in screen["answers"]])
        row = (
            db.execute(
                "INSERT INTO screen (project_id, question_id, design, probability, seed, needed, done, created_at) VALUES (?,?,?,?,?,?,?,?)",
                (
                    project.id,
                    finder.questions[str(screen["question_id"])],
                    screen["design"],
                    screen["probability"],
                    screen["seed"],
                    screen["needed"],
                    screen["done"],
                    screen["created_at"],
                ),
            ).lastrowid
            or 0
        )
        rows[int(screen["screen"])] = row
        db.executemany("INSERT INTO screen_subject VALUES (?, ?)", [(row, s) for s in subjects if s is not None])
        db.execute("INSERT INTO queue VALUES (?, ?, ?, ?)", (row, project.id, screen["priority"], screen["free"]))
    db.executemany(
        "INSERT INTO assignment (screen_id, project_id, person_id, occasion, arm, probability, order_seed, state, lease_until, save_id, comment, flagged, "
        "reason, seconds, saved_at) VALUES (?,?,?,?,?,?,?,?,0,?,?,?,?,?,?)",
        [
            (
                rows[int(a["screen"])],
                project.id,
                a["person"],
                a["occasion"],
                a["arm"],
                a["probability"],
                a["order_seed"],
                a["state"],
                a.get("save_id") or "",
                a.get("comment") or "",
                int(bool(a.get("flagged"))),
                a.get("reason") or "",
                a.get("seconds") or 0,
                a.get("saved_at") or "",
            )
            for a in assignments
        ],
    )
