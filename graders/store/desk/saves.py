"""Saves: each counts once, closes its assignment, and can be taken back."""

from __future__ import annotations

import json
import math
import sqlite3
from dataclasses import dataclass
from typing import Any

from graders.core.shapes import JSON
from graders.store.desk import own_screens
from graders.store.desk.assignments import Assignment
from graders.store.desk.queue import LEASE_SECONDS
from graders.store.desk.queued_screens import count_places
from graders.store.projects import Project
from graders.store.workspace import Workspace, dumps

#: What a screen's priority rises by when a person leaves it to others: it goes behind all that
#: wait.
_TO_THE_END = 1_000_000


def measured_seconds(value: Any) -> float:
    """The seconds that a page says were spent; 0 for what a clock cannot have measured (below 0
    where it went backwards, no number)."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return max(0.0, float(value)) if known else 0.0


@dataclass(frozen=True, slots=True)
class StoredSave:
    """A save as it is kept, with its `body` as the page sent it. `extra`: colleagues had done all
    that was needed; `undone`: it was taken back, or never stood; `aside`: it is kept beside the one
    that stands."""

    id: str
    screen_id: int
    person_id: str
    body: JSON
    extra: bool
    undone: bool
    aside: bool


_COLUMNS = "id, screen_id, person_id, body, extra, undone, aside"


def _stored(row: sqlite3.Row) -> StoredSave:
    save_id, screen, person, body, extra, undone, aside = row
    return StoredSave(
        save_id, screen, person, json.loads(body), bool(extra), bool(undone), bool(aside)
    )


def known_save(db: sqlite3.Connection, save_id: str) -> StoredSave | None:
    """A save that was stored already."""
    row = db.execute(f"SELECT {_COLUMNS} FROM save WHERE id = ?", (save_id,)).fetchone()
    return None if row is None else _stored(row)


def standing(db: sqlite3.Connection, given: Assignment) -> list[StoredSave]:
    """A person's saves of a screen that were not taken back, in order."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM save WHERE screen_id = ? AND person_id = ? AND undone = 0 "
        "ORDER BY at, id",
        (given.screen_id, given.person_id),
    )
    return [_stored(row) for row in rows]


def set_aside(
    db: sqlite3.Connection, ws: Workspace, given: Assignment, save_id: str, body: JSON
) -> None:
    """Keep a save beside the one that stands: it takes no place of the screen, and none of its
    verdicts count."""
    db.execute(
        (
            "INSERT INTO save (id, screen_id, person_id, body, extra, at, after, undone, aside) "
            "VALUES (?, ?, ?, ?, 0, ?, ?, 1, 1)"
        ),
        (save_id, given.screen_id, given.person_id, dumps(body), ws.now(), given.save_id),
    )
    ws.touch(db)


def store_save(
    db: sqlite3.Connection,
    ws: Workspace,
    given: Assignment,
    save_id: str,
    body: JSON,
    *,
    state: str,
) -> bool:
    """Close an assignment with a save; returns whether it is an extra one.

    `state`: ``done`` takes a place of the screen; ``partial`` (cells were left open) and
    ``skipped`` leave it to somebody else, at the end of the queue. Extra: the person did not hold
    the screen any more and colleagues have done all that was needed meanwhile.
    """
    held = db.execute("SELECT state FROM assignment WHERE id = ?", (given.id,)).fetchone()[0]
    screen = db.execute(
        "SELECT needed, done FROM screen WHERE id = ?", (given.screen_id,)
    ).fetchone()
    if held == "done" or (held == "partial" and state == "skipped"):
        state = held  # what was saved is not undone by skipping it or leaving cells open later
    extra = (
        state != "skipped" and held not in ("done", "leased") and screen["done"] >= screen["needed"]
    )
    before = standing(db, given)
    db.execute(
        (
            "INSERT INTO save (id, screen_id, person_id, body, extra, at, after) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)"
        ),
        (
            save_id,
            given.screen_id,
            given.person_id,
            dumps(body),
            int(extra),
            ws.now(),
            before[-1].id if before else "",
        ),
    )
    db.execute(
        (
            "UPDATE assignment SET state = ?, save_id = ?, comment = ?, flagged = ?, reason = ?, "
            "seconds = seconds + ?, saved_at = ? WHERE id = ?"
        ),
        (
            state,
            save_id,
            body.get("comment") or "",
            int(bool(body.get("flagged"))),
            body.get("skipped") or "",
            measured_seconds(body.get("seconds")),
            ws.now(),
            given.id,
        ),
    )
    if state == "done" and held != "done":
        db.execute("UPDATE screen SET done = done + 1 WHERE id = ?", (given.screen_id,))
    elif state in ("partial", "skipped") and held == "leased":
        db.execute(
            "UPDATE queue SET priority = priority + ? WHERE screen_id = ?",
            (_TO_THE_END, given.screen_id),
        )
    count_places(db, given.screen_id)
    ws.touch(db)
    return extra


def undo_save(
    db: sqlite3.Connection,
    ws: Workspace,
    given: Assignment,
    save_id: str,
    *,
    open_left: bool = False,
) -> None:
    """Take a save back. Its assignment opens again and stays with the person, unless a later save
    of it stands.

    `open_left`: without this save the later one leaves cells open, so it no longer takes a place of
    the screen.
    """
    db.execute("UPDATE save SET undone = 1 WHERE id = ?", (save_id,))
    last = given.save_id == save_id
    if given.state == "done" and (last or open_left):
        db.execute("UPDATE screen SET done = done - 1 WHERE id = ?", (given.screen_id,))
    if last:
        until = ws.clock() + LEASE_SECONDS
        db.execute(
            "UPDATE assignment SET state = 'leased', save_id = '', lease_until = ? WHERE id = ?",
            (until, given.id),
        )
    elif given.state == "done" and open_left:
        db.execute("UPDATE assignment SET state = 'partial' WHERE id = ?", (given.id,))
    count_places(db, given.screen_id)
    ws.touch(db)


def set_flags(
    db: sqlite3.Connection, ws: Workspace, project: Project, given: Assignment, flagged: bool
) -> None:
    """Flag the answers of a person's screen, or take his or her flags off: on a second look only
    those set there, since that page shows none of the first look's."""
    for subject in given.subjects:
        if flagged:
            db.execute(
                "INSERT OR IGNORE INTO flag VALUES (?, ?, ?, ?)",
                (project.id, subject, given.person_id, ws.now()),
            )
        elif given.design != own_screens.REPEAT or not _flagged_elsewhere(db, given, subject):
            db.execute(
                "DELETE FROM flag WHERE subject_id = ? AND person_id = ?",
                (subject, given.person_id),
            )


def _flagged_elsewhere(db: sqlite3.Connection, given: Assignment, subject: int) -> bool:
    sql = (
        "SELECT 1 FROM screen_subject x JOIN assignment a ON a.screen_id = x.screen_id "
        "AND a.person_id = ? AND a.flagged = 1 "
        "WHERE x.subject_id = ? AND x.screen_id <> ?"
    )
    return db.execute(sql, (given.person_id, subject, given.screen_id)).fetchone() is not None
