"""Deleting projects: out of everybody's sight in one transaction, then its rows a little at a time.

What people of other projects rest on stays: people themselves, and replies that verdicts of other
projects name. The empty row of a deleted project stays, so that its number never names another.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from graders.store.answers.content import DONE
from graders.store.projects import Project
from graders.store.transfer.row_removal import (
    by_and_by,
    remove_cells,
    remove_questions,
    remove_rows,
    remove_screens,
    remove_subjects,
    unchecked,
)
from graders.store.workspace import Workspace, dumps

#: Tables that name their project, in which few rows are left once cells, screens and answers are
#: gone.
_PLAIN = (
    "election",
    "draft",
    "gold",
    "flag",
    "metric_value",
    "review_order",
    "open_screens",
    "unsought",
    "unweighed",
    "tally",
    "criterion",
    "rubric",
    "author",
    "batch",
    "run",
    "event",
)
#: Tables whose rows belong to an import.
_OF_IMPORTS = ("kept", "undo", "bad_row", "question_change", "test_label")


@dataclass(frozen=True, slots=True)
class Open:
    """Somebody who has screens of a project open: the person's id, how many, and for how many more
    seconds they are his or hers."""

    person: str
    screens: int
    seconds: float


def held(ws: Workspace, project: Project) -> list[Open]:
    """Who has screens of a project open."""
    now = ws.clock()
    sql = (
        "SELECT person_id, count(*), max(lease_until) FROM assignment WHERE project_id = ? "
        "AND state = 'leased' AND lease_until >= ? GROUP BY 1 ORDER BY 1"
    )
    return [Open(row[0], row[1], row[2] - now) for row in ws.db.execute(sql, (project.id, now))]


def pending(ws: Workspace, project: Project) -> list[str]:
    """The files of a project's imports that are not over, and batches that a provider has."""
    sql = (
        "SELECT source FROM import WHERE project_id = ?1 "
        "AND state IN ('staging', 'staged', 'taking_back') "
        "UNION ALL SELECT provider FROM batch WHERE project_id = ?1"
    )
    return [row[0] for row in ws.db.execute(sql, (project.id,))]


@dataclass(frozen=True, slots=True)
class Content:
    """How many rows of each table of the exchange format a project has, of those that no export may
    lack."""

    questions: int
    answers: int
    human: int
    judge: int
    calls: int


def content_of(db: sqlite3.Connection, homes: Sequence[Project]) -> Content:
    """What an export of a project and its copies must hold."""
    said = (
        "SELECT count(*) FROM author w JOIN verdict v ON v.author_id = w.id "
        f"WHERE w.project_id = ? AND w.kind = '{{}}' AND v.import_id {DONE}"
    )
    counts = (
        f"SELECT count(*) FROM question WHERE project_id = ? AND import_id {DONE}",
        f"SELECT count(*) FROM answer WHERE project_id = ? AND import_id {DONE}",
        said.format("person"),
        said.format("judge"),
        "SELECT count(*) FROM call WHERE project_id = ? "
        "AND state IN ('stored', 'unusable', 'forgotten')",
    )
    return Content(
        *(sum(db.execute(sql, (project.id,)).fetchone()[0] for project in homes) for sql in counts)
    )


def state_of(db: sqlite3.Connection, homes: Sequence[Project]) -> str:
    """A name for what projects hold: another one as soon as anybody works in them."""
    found = []
    for project in homes:
        sql = (
            "SELECT (SELECT max(v.id) FROM author w JOIN verdict v ON v.author_id = w.id "
            "WHERE w.project_id = ?1), (SELECT count(*) FROM save s JOIN screen n "
            "ON n.id = s.screen_id WHERE n.project_id = ?1), (SELECT count(*) FROM assignment "
            "WHERE project_id = ?1 AND state NOT IN ('leased', 'expired', 'released')), "
            "(SELECT max(id) FROM event WHERE project_id = ?1), (SELECT max(id) FROM import "
            "WHERE project_id = ?1), (SELECT max(id) FROM run WHERE project_id = ?1), "
            "(SELECT count(*) FROM call WHERE project_id = ?1 AND state = 'stored')"
        )
        row = db.execute(sql, (project.id,)).fetchone()
        found.append([project.name, project.title, *row])
    held = [*found, list(astuple(content_of(db, homes)))]
    return hashlib.sha256(dumps(held).encode()).hexdigest()[:24]


def hide(ws: Workspace, gone: Sequence[Project]) -> None:
    """Take projects out of everybody's sight, in one transaction or in the caller's: their names
    are free, their screens are in no queue. `sweep` removes their rows."""
    with ws.write() as db:
        for project in gone:
            db.execute(
                "UPDATE project SET removed = 1, name = ?, title = '', notice = '', "
                "settings = '{}' WHERE id = ?",
                (f"removed-{project.id}-{secrets.token_hex(8)}", project.id),
            )
            db.execute("UPDATE import SET state = 'swept' WHERE project_id = ?", (project.id,))
            db.execute("DELETE FROM queue WHERE project_id = ?", (project.id,))


def sweep(ws: Workspace) -> int:
    """Remove the rows of projects that were deleted, also where that was interrupted; returns how
    many projects there were."""
    gone = [row[0] for row in ws.db.execute("SELECT id FROM project WHERE removed = 1")]
    if gone:
        with unchecked(ws):
            for project in gone:
                _sweep(ws, project)
    return len(gone)


def _sweep(ws: Workspace, project: int) -> None:
    values = (project,)
    criteria = "(SELECT id FROM criterion WHERE project_id = ?)"
    by_and_by(ws, f"SELECT id FROM cell WHERE criterion_id IN {criteria}", values, remove_cells)
    by_and_by(ws, "SELECT id FROM screen WHERE project_id = ?", values, remove_screens)
    with ws.write() as db:
        db.execute(f"DELETE FROM lesson WHERE criterion_id IN {criteria}", values)
        db.execute("DELETE FROM confidence_order WHERE project_id = ?", values)
    by_and_by(ws, "SELECT id FROM subject WHERE project_id = ?", values, remove_subjects)
    by_and_by(
        ws,
        "SELECT id FROM answer WHERE project_id = ?",
        values,
        lambda db, ids: remove_rows(db, "answer", ids),
    )
    by_and_by(
        ws,
        "SELECT id FROM question WHERE project_id = ?",
        values,
        lambda db, ids: remove_questions(db, project, ids),
    )
    _leave_calls(ws, project)
    with ws.write() as db:
        for table in _OF_IMPORTS:
            imports = "(SELECT id FROM import WHERE project_id = ?)"
            db.execute(f"DELETE FROM {table} WHERE import_id IN {imports}", values)
        for table in _PLAIN:
            db.execute(f"DELETE FROM {table} WHERE project_id = ?", values)
        db.execute("DELETE FROM import WHERE project_id = ?", values)
        # its number stays taken, and says no more
        db.execute("UPDATE project SET removed = 2, seed = 0, created_at = '' WHERE id = ?", values)


def _leave_calls(ws: Workspace, project: int) -> None:
    """Replies that verdicts of other projects rest on become theirs; the others, which are in the
    export, go."""
    rows = ws.db.execute(
        "SELECT v.call_key, min(v.project_id) FROM verdict v CROSS JOIN call c "
        "ON c.key = v.call_key WHERE v.call_key <> '' AND c.project_id = ? "
        "AND v.project_id <> c.project_id GROUP BY 1",
        (project,),
    ).fetchall()
    with ws.write() as db:
        db.executemany(
            "UPDATE call SET project_id = ?, run_id = NULL WHERE key = ?",
            [(other, key) for key, other in rows],
        )
        db.execute(
            "DELETE FROM request WHERE key IN (SELECT key FROM call WHERE project_id = ?)",
            (project,),
        )
        db.execute("DELETE FROM call WHERE project_id = ?", (project,))


def free_bytes(db: sqlite3.Connection) -> int:
    """How many bytes of the file hold nothing, and are used for what comes next."""
    pages = db.execute("PRAGMA freelist_count").fetchone()[0]
    return int(pages * db.execute("PRAGMA page_size").fetchone()[0])
