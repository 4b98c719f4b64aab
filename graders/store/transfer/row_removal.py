"""Removing rows with all that hangs on them, a little at a time, beside people who work."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from graders.store.answers.content import chunks, marks
from graders.store.workspace import BATCH_ROWS, IDLE_BATCH_ROWS, PAUSE_SECONDS, Workspace

#: Tables whose rows belong to a cell.
OF_CELLS = ("chance", "gold", "screen_cell", "looked", "opinion", "test_label", "verdict")


def remove_screens(db: sqlite3.Connection, screens: Sequence[int]) -> None:
    """Remove screens with all that hangs on them; foreign keys are not looked at meanwhile, see
    `unchecked`."""
    for ids in chunks(screens):
        some = marks(len(ids))
        for table in ("queue", "assignment", "save", "screen_subject", "screen_cell"):
            db.execute(f"DELETE FROM {table} WHERE screen_id IN ({some})", ids)
        db.execute(f"DELETE FROM screen WHERE id IN ({some})", ids)


@contextmanager
def unchecked(ws: Workspace) -> Iterator[None]:
    """Let this thread remove parents and children in one go: SQLite would otherwise look through
    whole tables for the children of each row. Not within a transaction."""
    ws.db.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        ws.db.execute("PRAGMA foreign_keys=ON")


def remove_cells(db: sqlite3.Connection, cells: Sequence[int]) -> None:
    """Remove cells with all that hangs on them, in the caller's transaction."""
    for ids in chunks(cells):
        some = marks(len(ids))
        for table in OF_CELLS:
            db.execute(f"DELETE FROM {table} WHERE cell_id IN ({some})", ids)
        db.execute(f"DELETE FROM cell WHERE id IN ({some})", ids)


def remove_subjects(db: sqlite3.Connection, subjects: Sequence[int]) -> None:
    """Remove answers and pairs as subjects, with what hangs on them; their cells are gone."""
    for ids in chunks(subjects):
        some = marks(len(ids))
        for table in ("metric_value", "flag", "screen_subject"):
            db.execute(f"DELETE FROM {table} WHERE subject_id IN ({some})", ids)
        # an index begins with the person
        of_people = f"person_id IN (SELECT id FROM person) AND subject_id IN ({some})"
        db.execute(f"DELETE FROM seen WHERE {of_people}", ids)
        db.execute(f"DELETE FROM election WHERE subject_id IN ({some})", ids)
        db.execute(f"DELETE FROM subject WHERE id IN ({some})", ids)


def remove_questions(db: sqlite3.Connection, project_id: int, questions: Sequence[int]) -> None:
    """Remove questions with what hangs on them; their answers are gone."""
    for ids in chunks(questions):
        some = marks(len(ids))
        for table in ("draft", "election"):
            db.execute(
                f"DELETE FROM {table} WHERE project_id = ? AND question_id IN ({some})",
                (project_id, *ids),
            )
        db.execute(f"DELETE FROM question WHERE id IN ({some})", ids)


def by_and_by(
    ws: Workspace,
    sql: str,
    values: Sequence[object],
    work: Callable[[sqlite3.Connection, Sequence[int]], None],
) -> None:
    """Do `work`, which removes them, on the rows that a query finds, as many at once as people may
    wait for, until it finds none."""
    while True:
        active = ws.person_active()
        rows = BATCH_ROWS if active else IDLE_BATCH_ROWS
        with ws.write(durable=False) as db:
            ids = [row[0] for row in db.execute(f"{sql} LIMIT {rows}", tuple(values))]
            work(db, ids)
        if len(ids) < rows:
            return
        if active:
            time.sleep(PAUSE_SECONDS)


def remove_rows(db: sqlite3.Connection, table: str, rows: Sequence[int]) -> None:
    """Remove rows of a table on which nothing hangs any more."""
    for ids in chunks(rows):
        db.execute(f"DELETE FROM {table} WHERE id IN ({marks(len(ids))})", ids)
