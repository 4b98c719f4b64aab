"""Imports: rows arrive in small commits under an import's id and count all at once when the import
is done."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graders.core.errors import Conflict, NotFound
from graders.core.records import Question
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.store.answers.content import (
    DONE,
    IS_CURRENT,
    QUESTION_COLUMNS,
    chunks,
    marks,
    question_fields,
)
from graders.store.opinions.tallies import count_cells
from graders.store.projects import Project, projects_by_id, remove_empty
from graders.store.transfer import staged as staged_changes
from graders.store.workspace import BATCH_ROWS, IDLE_BATCH_ROWS, PAUSE_SECONDS, Workspace, dumps

#: An unfinished import whose writer has said nothing for this long was interrupted.
STALE_SECONDS = 15.0
#: Tables that carry `import_id`, children before parents.
STAGED = ("opinion", "test_label", "verdict", "cell", "subject", "answer", "question")


class ImportState(StrEnum):
    """What became of an import: its rows are being written, wait for a decision, or count; its
    writer is gone; its rows are being removed, or are removed; or they counted and are being taken
    back, or were taken back."""

    STAGING = "staging"
    STAGED = "staged"
    DONE = "done"
    INTERRUPTED = "interrupted"
    SWEEPING = "sweeping"
    SWEPT = "swept"
    TAKING_BACK = "taking_back"
    TAKEN_BACK = "taken_back"


@dataclass(frozen=True, slots=True)
class Import:
    """An import: the row of its project, the name of its file (`source`), when it began, its
    report as it is stored, and the import that it came along with (`part_of`)."""

    id: int
    project_id: int | None
    state: ImportState
    source: str
    started_at: str
    report: JSON
    part_of: int | None

    @classmethod
    def of(cls, row: sqlite3.Row) -> Import:
        """From its row."""
        return cls(
            row["id"],
            row["project_id"],
            ImportState(row["state"]),
            row["source"],
            row["started_at"],
            json.loads(row["report"]),
            row["part_of"],
        )


def begin_import(
    ws: Workspace, project: Project, source: str, fingerprint: str, part_of: int | None = None
) -> int:
    """Open an import, `part_of` that of the file in which its rows come along. Conflict if another
    one into the project is being written right now."""
    with ws.write() as db:
        row = db.execute(
            "SELECT id, heartbeat FROM import WHERE project_id = ? AND state = 'staging'",
            (project.id,),
        ).fetchone()
        if row is not None and ws.clock() - row["heartbeat"] < STALE_SECONDS:
            raise Conflict(**error_parts("transfer.at_work", project=repr(project.name)))
        if row is not None:
            db.execute("UPDATE import SET state = 'interrupted' WHERE id = ?", (row["id"],))
        going = "SELECT 1 FROM import WHERE project_id = ? AND state = 'taking_back'"
        if db.execute(going, (project.id,)).fetchone():
            raise Conflict(**error_parts("transfer.going", project=repr(project.name)))
        cursor = db.execute(
            (
                "INSERT INTO import (project_id, state, source, fingerprint, started_at, "
                "heartbeat, part_of) VALUES (?, 'staging', ?, ?, ?, ?, ?)"
            ),
            (project.id, source, fingerprint, ws.now(), ws.clock(), part_of),
        )
        return int(cursor.lastrowid or 0)


def beat(db: sqlite3.Connection, ws: Workspace, import_id: int) -> None:
    """Say, in a batch's own transaction, that the import is alive. Conflict if it was
    swept."""
    changed = db.execute(
        "UPDATE import SET heartbeat = ? WHERE id = ? AND state IN ('staging', 'staged')",
        (ws.clock(), import_id),
    ).rowcount
    if not changed:
        raise Conflict(**error_parts("transfer.swept", id=import_id))


@contextmanager
def kept_alive(ws: Workspace, import_id: int) -> Iterator[None]:
    """Say every few seconds that the import's writer lives, also while it computes; nobody then
    takes it for interrupted."""
    over = threading.Event()

    def tell() -> None:
        while not over.wait(STALE_SECONDS / 5):
            with ws.write(durable=False) as db:
                db.execute(
                    "UPDATE import SET heartbeat = ? WHERE id = ? AND state = 'staging'",
                    (ws.clock(), import_id),
                )
        ws.close()

    teller = threading.Thread(target=tell, name=f"import-{import_id}", daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def waiting(ws: Workspace, project: Project) -> list[int]:
    """Imports of a project that are written and wait to be finished or dropped."""
    return [
        row[0]
        for row in ws.db.execute(
            "SELECT id FROM import WHERE project_id = ? AND state = 'staged'", (project.id,)
        )
    ]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An import that is not finished: its `bad` rows, the `title` of its project."""

    id: int
    state: ImportState
    source: str
    bad: int
    title: str


def unfinished(ws: Workspace) -> list[Unfinished]:
    """Imports that wait for a decision or are being written, oldest first. Copies with seeded
    faults come with the import of their answers."""
    sql = (
        "SELECT i.id, i.state, i.source, coalesce(json_extract(i.report, '$.bad'), "
        "0) AS bad, p.title FROM import i "
        "JOIN project p ON p.id = i.project_id AND json_extract(p.settings, '$.seeded_of') IS NULL "
        "WHERE i.state = 'staged' OR (i.state = 'staging' AND i.heartbeat >= ?) ORDER BY i.id"
    )
    rows = ws.db.execute(sql, (ws.clock() - STALE_SECONDS,))
    return [
        Unfinished(row["id"], ImportState(row["state"]), row["source"], row["bad"], row["title"])
        for row in rows
    ]


def staged(ws: Workspace, import_id: int, report: Mapping[str, Any]) -> None:
    """All rows are written; a person may now look at the report and finish or drop the import."""
    with ws.write() as db:
        beat(db, ws, import_id)
        db.execute(
            "UPDATE import SET state = 'staged', report = ? WHERE id = ?",
            (dumps(dict(report)), import_id),
        )


def set_project_name(db: sqlite3.Connection, import_id: int, name: str) -> None:
    """Say in an import's report what its project is called now."""
    db.execute(
        "UPDATE import SET report = json_set(report, '$.project', ?) WHERE id = ?",
        (name, import_id),
    )


def get_import(ws: Workspace, import_id: int) -> Import:
    """An import by its number."""
    row = ws.db.execute("SELECT * FROM import WHERE id = ?", (import_id,)).fetchone()
    if row is None:
        raise NotFound(**error_parts("transfer.no_import", id=import_id))
    return Import.of(row)


def list_imports(ws: Workspace, project: Project) -> list[Import]:
    """Imports of a project, newest first."""
    rows = ws.db.execute(
        "SELECT * FROM import WHERE project_id = ? ORDER BY id DESC LIMIT 50", (project.id,)
    )
    return [Import.of(row) for row in rows]


def stage_changes(
    db: sqlite3.Connection, import_id: int, changes: Sequence[tuple[int, Question]]
) -> None:
    """Keep new fields of questions that exist already; they take effect when the import is done."""
    db.executemany(
        (
            "INSERT OR REPLACE INTO question_change (import_id, question_id, "
            f"{QUESTION_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"
        ),
        [(import_id, row_id, *question_fields(question)) for row_id, question in changes],
    )


def family(ws: Workspace, import_id: int) -> list[int]:
    """An import with those that go with it: that of the file first, then what came along."""
    whole = "(SELECT coalesce(part_of, id) FROM import WHERE id = ?)"
    return [
        row[0]
        for row in ws.db.execute(
            (
                f"SELECT id FROM import WHERE {whole} IN (id, part_of) "
                "ORDER BY part_of IS NOT NULL, id"
            ),
            (import_id,),
        )
    ]


def sweep(ws: Workspace, import_id: int) -> None:
    """Remove what an unfinished import wrote, and those that go with it, a little at a time.
    Finished imports are never swept.

    A project that was made for what came along goes too, if nothing else is in it.
    """
    for one in family(ws, import_id):
        _sweep(ws, one)
        swept = get_import(ws, one)
        along = swept.part_of is not None and swept.project_id is not None
        for project in projects_by_id(ws, [swept.project_id or 0] if along else ()):
            remove_empty(ws, project)


def _sweep(ws: Workspace, import_id: int) -> None:
    with ws.write() as db:
        changed = db.execute(
            "UPDATE import SET state = 'sweeping' WHERE id = ? "
            "AND state NOT IN ('done', 'taking_back', 'taken_back')",
            (import_id,),
        ).rowcount
    if not changed:
        return
    with ws.write() as db:
        adopt_cells(db, import_id)
    for table in STAGED:
        key = "(criterion_id, author_id, cell_id)" if table == "opinion" else "id"
        columns = key.strip("()")
        while True:
            active = ws.person_active()
            rows = BATCH_ROWS if active else IDLE_BATCH_ROWS
            with ws.write() as db:
                gone = db.execute(
                    (
                        f"DELETE FROM {table} WHERE {key} IN (SELECT {columns} FROM {table} "
                        f"WHERE import_id = ? LIMIT {rows})"
                    ),
                    (import_id,),
                ).rowcount
            if gone < rows:
                break
            if active:
                time.sleep(PAUSE_SECONDS)
    with ws.write() as db:
        db.execute("DELETE FROM question_change WHERE import_id = ?", (import_id,))
        db.execute("DELETE FROM bad_row WHERE import_id = ?", (import_id,))
        staged_changes.forget(db, import_id)
        db.execute("UPDATE import SET state = 'swept' WHERE id = ?", (import_id,))


def adopt_cells(db: sqlite3.Connection, import_id: int) -> None:
    """Cells that an import made on visible answers and on which others gave a verdict meanwhile are
    no longer the import's."""
    ids = [
        row[0]
        for row in db.execute(
            (
                "SELECT c.id FROM cell c WHERE c.import_id = ? AND EXISTS (SELECT 1 "
                "FROM verdict v WHERE v.cell_id = c.id AND v.import_id <> ?)"
            ),
            (import_id, import_id),
        )
    ]
    for batch in chunks(ids):
        db.execute(
            f"UPDATE cell SET import_id = 0, tally_id = NULL WHERE id IN ({marks(len(batch))})",
            batch,
        )
        subjects = [
            row[0]
            for row in db.execute(
                f"SELECT DISTINCT subject_id FROM cell WHERE id IN ({marks(len(batch))})", batch
            )
        ]
        count_cells(db, subjects, +1)


def interrupted(ws: Workspace) -> list[int]:
    """Imports whose writer is gone: staging without a sign of life, left half swept, or left behind
    by the one they came with."""
    rows = ws.db.execute(
        "SELECT id FROM import WHERE state IN ('interrupted', 'sweeping') "
        "OR (state = 'staging' AND heartbeat < ?) "
        "OR (state = 'staged' AND part_of IN (SELECT id FROM import WHERE state = 'swept'))",
        (ws.clock() - STALE_SECONDS,),
    )
    return [row[0] for row in rows]


def half_taken(ws: Workspace) -> list[tuple[int, int]]:
    """(import, project) of imports whose taking back was interrupted."""
    sql = "SELECT id, project_id FROM import WHERE state = ? ORDER BY id"
    return [(row[0], row[1]) for row in ws.db.execute(sql, (ImportState.TAKING_BACK,))]


def changed_subjects(db: sqlite3.Connection, import_id: int) -> list[int]:
    """Subjects that count now and whose questions an import changes: what they are counted under
    may change."""
    sql = (
        "SELECT s.id FROM question_change qc JOIN subject s ON s.question_id = qc.question_id "
        f"WHERE qc.import_id = ? AND s.import_id {DONE} AND {IS_CURRENT} ORDER BY s.id"
    )
    return [row[0] for row in db.execute(sql, (import_id,))]


def changed_questions(db: sqlite3.Connection, import_id: int) -> list[int]:
    """Questions that an import changes."""
    return [
        row[0]
        for row in db.execute(
            "SELECT question_id FROM question_change WHERE import_id = ? ORDER BY 1", (import_id,)
        )
    ]


def finish_rows(db: sqlite3.Connection, import_id: int) -> list[int]:
    """In the finishing transaction: changed questions take effect, new answer versions become
    current.

    Returns the subjects of answers that were current before and no longer are.
    """
    for row in db.execute(
        "SELECT * FROM question_change WHERE import_id = ?", (import_id,)
    ).fetchall():
        values = [row[name.strip()] for name in QUESTION_COLUMNS.split(",")]
        sets = ", ".join(f"{name.strip()} = ?" for name in QUESTION_COLUMNS.split(","))
        db.execute(f"UPDATE question SET {sets} WHERE id = ?", (*values, row["question_id"]))
    db.execute("DELETE FROM question_change WHERE import_id = ?", (import_id,))
    replaced = [
        row[0]
        for row in db.execute(
            "SELECT s.id FROM answer new JOIN answer old ON old.question_id = "
            "new.question_id AND old.model = new.model "
            "AND old.current = 1 AND old.version < new.version "
            "JOIN subject s ON s.question_id = old.question_id AND "
            "(s.answer_id = old.id OR s.other_id = old.id) WHERE new.import_id = ? "
            "AND new.current = 2",
            (import_id,),
        )
    ]
    db.execute(
        "UPDATE answer SET current = 0 WHERE id IN (SELECT old.id FROM answer new "
        "JOIN answer old ON old.question_id = new.question_id "
        "AND old.model = new.model AND old.version < new.version WHERE new.import_id = ? "
        "AND new.current = 2)",
        (import_id,),
    )
    db.execute("UPDATE answer SET current = 1 WHERE import_id = ? AND current = 2", (import_id,))
    db.execute("UPDATE import SET state = 'done' WHERE id = ?", (import_id,))
    return replaced
