"""Rows of the exchange format that are neither content nor verdicts: kept with their import,
unpacked when it is done."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.records import MetricValue, Provenance, SubjectKey, Verdict
from graders.core.shapes import JSON
from graders.store.answers import content, metric_values
from graders.store.desk.reveals import CLOSED, SHOWN
from graders.store.figures import confidence_orders
from graders.store.opinions import cells, kept_labels, made_cells, stored_verdicts
from graders.store.opinions.finder import Finder
from graders.store.projects import Project, criteria
from graders.store.transfer import _exchange_work
from graders.store.workspace import Workspace, dumps

TABLES = (
    "metrics",
    "routes",
    "screens",
    "assignments",
    "seen",
    "review_order",
    "confidence_orders",
    "gold",
    "kept_labels",
    "calls",
    "events",
)


def set_seed(ws: Workspace, project: Project, seed: int) -> None:
    """Give a project the seed of its draws."""
    with ws.write() as db:
        db.execute("UPDATE project SET seed = ? WHERE id = ?", (seed, project.id))


def keep(ws: Workspace, import_id: int, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Keep rows as they stand."""
    with ws.write() as db:
        db.executemany(
            "INSERT INTO kept VALUES (?, ?, ?)",
            [(import_id, table, dumps(dict(fields))) for table, fields in rows],
        )


@dataclass(frozen=True, slots=True)
class Unapplied:
    """A verdict on a cell that another import brought: its row, and those of its cell, criterion,
    question and author."""

    row: int
    cell: int
    criterion: int
    question: int
    author: int
    verdict: Verdict


def unapplied(db: sqlite3.Connection, import_id: int) -> list[Unapplied]:
    """An import's verdicts on cells that others brought."""
    rows = db.execute(
        "SELECT v.*, c.criterion_id, c.question_id, a.kind AS author_kind, a.name AS author "
        "FROM verdict v JOIN cell c ON c.id = v.cell_id "
        "JOIN author a ON a.id = v.author_id WHERE v.import_id = ? AND c.import_id <> ? "
        "ORDER BY v.id",
        (import_id, import_id),
    ).fetchall()
    return [
        Unapplied(
            row["id"],
            row["cell_id"],
            row["criterion_id"],
            row["question_id"],
            row["author_id"],
            _late(row),
        )
        for row in rows
    ]


def _late(row: sqlite3.Row) -> Verdict:
    """What counts of a verdict when it becomes its author's present opinion."""
    stated = row["provenance"]
    return Verdict(
        subject=SubjectKey("", ""),
        criterion="",
        author=row["author"],
        author_kind=row["author_kind"],
        mark=stored_verdicts.read_mark(row),
        kind=row["kind"],
        criterion_hash=row["criterion_hash"],
        provenance=None if stated is None else Provenance(**json.loads(stated)),
        metadata=json.loads(row["metadata"]),
    )


def keep_cells(db: sqlite3.Connection, import_id: int, what: str, cell_ids: Sequence[int]) -> None:
    """In the finishing transaction: remember cells that must be brought up to date after it
    (`what`: ``late`` or ``moved``)."""
    db.executemany(
        "INSERT INTO kept VALUES (?, ?, ?)",
        [(import_id, what, dumps(ids)) for ids in content.chunks(cell_ids)],
    )


def kept_cells(db: sqlite3.Connection, import_id: int, what: str) -> list[int]:
    """The cells that `keep_cells` remembered."""
    rows = db.execute(
        "SELECT body FROM kept WHERE import_id = ? AND tbl = ? ORDER BY rowid", (import_id, what)
    )
    return [cell for row in rows for cell in json.loads(row[0])]


def keep_keys(
    db: sqlite3.Connection, project: Project, import_id: int, keys: Sequence[str]
) -> None:
    """In the finishing transaction: remember criteria that changed, where answers were there before
    the import."""
    before = "SELECT 1 FROM subject WHERE project_id = ? AND import_id <> ? LIMIT 1"
    if keys and db.execute(before, (project.id, import_id)).fetchone():
        db.execute("INSERT INTO kept VALUES (?, 'renewed', ?)", (import_id, dumps(list(keys))))


def kept_keys(db: sqlite3.Connection, import_id: int) -> list[str]:
    """The criteria that `keep_keys` remembered."""
    rows = db.execute("SELECT body FROM kept WHERE import_id = ? AND tbl = 'renewed'", (import_id,))
    return [key for row in rows for key in json.loads(row[0])]


def unpacked(ws: Workspace, import_id: int) -> None:
    """All kept rows are in their tables."""
    with ws.write() as db:
        db.execute("DELETE FROM kept WHERE import_id = ?", (import_id,))


def half_unpacked(ws: Workspace) -> list[tuple[int, int]]:
    """(import, project) of finished imports whose kept rows are not all in their tables, because
    the process ended there."""
    sql = (
        "SELECT DISTINCT i.id, i.project_id FROM kept k JOIN import i ON i.id = k.import_id "
        "WHERE i.state = 'done' ORDER BY 1"
    )
    return [(row[0], row[1]) for row in ws.db.execute(sql)]


def kept_rows(ws: Workspace, import_id: int) -> dict[str, list[JSON]]:
    """The rows of TABLES that were kept, by table."""
    kept: dict[str, list[JSON]] = {}
    rows = ws.db.execute(
        (
            "SELECT tbl, body FROM kept WHERE import_id = ? "
            f"AND tbl IN ({content.marks(len(TABLES))}) ORDER BY rowid"
        ),
        (import_id, *TABLES),
    )
    for row in rows:
        kept.setdefault(row[0], []).append(json.loads(row[1]))
    return kept


def unpack(
    ws: Workspace, project: Project, import_id: int, kept: Mapping[str, Sequence[JSON]]
) -> list[int]:
    """Put kept rows into their tables, screens only into a project that has none; returns the cells
    whose routes they name.

    May be done again after an interruption: what is there already stays.
    """
    finder = Finder(ws.db, project)
    routed: list[int] = []
    ws.background(kept.get("metrics", []), lambda db, rows: _metrics(db, project, finder, rows))
    ws.background(
        kept.get("routes", []),
        lambda db, rows: routed.extend(_routes(ws, db, project, finder, rows)),
    )
    ws.background(kept.get("seen", []), lambda db, rows: _exchange_work.put_seen(db, finder, rows))
    with ws.write() as db:
        _exchange_work.put(db, project, finder, kept)
        confidence_orders.put_rows(db, project, finder, kept.get("confidence_orders", []))
        kept_labels.put_rows(db, project, finder, kept.get("kept_labels", []), import_id)
    with ws.write() as db:
        _calls(db, project, kept.get("calls", []))
        for first, kinds in (("draw", ("draw", "terms")), (SHOWN, (SHOWN, CLOSED))):
            if not db.execute(
                "SELECT 1 FROM event WHERE project_id = ? AND kind = ?", (project.id, first)
            ).fetchone():
                _events(
                    db,
                    project,
                    [row for row in kept.get("events", []) if row["kind"] in kinds],
                    import_id,
                )
    return routed


def _events(
    db: sqlite3.Connection, project: Project, rows: Sequence[Mapping[str, Any]], import_id: int
) -> None:
    """What a file says happened, and when: such a time, which may lie ahead, is not this
    workspace's own."""
    db.executemany(
        "INSERT INTO event (project_id, at, actor, kind, body, import_id) VALUES (?,?,?,?,?,?)",
        [
            (
                project.id,
                r["at"],
                r.get("actor") or "",
                r["kind"],
                dumps(_draw(db, project, r)),
                import_id,
            )
            for r in rows
        ],
    )


def _calls(db: sqlite3.Connection, project: Project, rows: Sequence[Mapping[str, Any]]) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO request VALUES (?, ?)",
        [(r["key"], dumps(r.get("payload") or {})) for r in rows],
    )
    db.executemany(
        "INSERT OR IGNORE INTO call (key, project_id, provider, model, state, reply, cause, "
        "sends, causes, perhaps_paid, "
        "certainly_paid, input_tokens, cached_tokens, output_tokens, money, seconds, "
        "at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        [
            (
                r["key"],
                project.id,
                r["provider"],
                r["model"],
                r["state"],
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
            for r in rows
        ],
    )


def _draw(db: sqlite3.Connection, project: Project, row: Mapping[str, Any]) -> JSON:
    """A draw with its last answer as this workspace numbers it: files count answers in the order
    they came."""
    body = dict(row.get("body") or {})
    for end in ("upto", "after"):
        if isinstance(body.get(end), int) and body[end] > 0:
            sql = "SELECT id FROM subject WHERE project_id = ? ORDER BY id LIMIT 1 OFFSET ?"
            found = db.execute(sql, (project.id, body[end] - 1)).fetchone()
            body[end] = found[0] if found else body[end]
    return body


def _metrics(
    db: sqlite3.Connection, project: Project, finder: Finder, rows: Sequence[Mapping[str, Any]]
) -> None:
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
    metric_values.put_metrics(db, project, values)


def _routes(
    ws: Workspace,
    db: sqlite3.Connection,
    project: Project,
    finder: Finder,
    rows: Sequence[Mapping[str, Any]],
) -> list[int]:
    """Routes of cells that have none yet; what follows from opinions is never taken from a file.
    Returns the cells that rows name."""
    known = {c.id: c for c in criteria(ws, project)}
    wanted: dict[tuple[int, int, str], Mapping[str, Any]] = {}
    for row, subject in zip(rows, finder.subjects(rows), strict=True):
        criterion = finder.criteria.get(str(row["criterion"]), 0)
        if subject is not None and criterion in known:
            wanted[(subject, criterion, str(row.get("part") or ""))] = row
    by_cell = {
        home[0]: wanted[key] for key, home in made_cells.homes(db, project, list(wanted)).items()
    }
    changes = []
    for cell in cells.load_cells(db, by_cell).values():
        row = by_cell[cell.id]
        if row.get("route") and not cell.state.route:
            changes.append(
                (
                    cell,
                    replace(cell.state, route=row["route"], route_reason=row.get("reason") or ""),
                    known[cell.criterion_id],
                )
            )
    cells.set_states(db, changes)
    return list(by_cell)
