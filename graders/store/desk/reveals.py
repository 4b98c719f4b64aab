"""Reveals: which blind screens of a person are shown again beside the judges' values, and what was
shown already.

A reveal is an event of the project; it covers the blind screens that the person saved after the one
before, up to a time.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

from graders.store.projects import Project, log_event
from graders.store.workspace import Workspace

SHOWN, CLOSED = "reveal", "reveal_closed"


@dataclass(frozen=True, slots=True)
class Shown:
    """A person's latest reveal: the saves later than `after` up to `until`; `open` while the person
    has not gone on."""

    after: str
    until: str
    open: bool


def latest(db: sqlite3.Connection, project: Project, person_id: str) -> Shown | None:
    """A person's latest reveal in a project, None where nothing was ever revealed."""
    row = db.execute(
        (
            "SELECT kind, body FROM event WHERE project_id = ? AND actor = ? AND kind IN (?, ?) "
            "ORDER BY id DESC LIMIT 1"
        ),
        (project.id, person_id, SHOWN, CLOSED),
    ).fetchone()
    if row is None:
        return None
    body = json.loads(row["body"])
    return Shown(body["after"], body["until"], row["kind"] == SHOWN)


def blind_screens(
    db: sqlite3.Connection, project: Project, person_id: str, after: str = "", until: str = ""
) -> list[tuple[int, str]]:
    """(screen, time of its save) of a person's saved blind screens, later than `after` up to
    `until` ("" is no bound)."""
    rows = db.execute(
        "SELECT screen_id, saved_at FROM assignment WHERE project_id = ? AND person_id = ? "
        "AND state IN ('done', 'partial') AND arm = 'blind' "
        "AND saved_at > ? AND (? = '' OR saved_at <= ?) ORDER BY saved_at, id",
        (project.id, person_id, after, until, until),
    )
    return [(row[0], row[1]) for row in rows]


def log(
    ws: Workspace, project: Project, person_id: str, kind: str, after: str, until: str, screens: int
) -> None:
    """Keep that a batch was shown (`SHOWN`) or that the person went on (`CLOSED`)."""
    log_event(ws, project, person_id, kind, {"after": after, "until": until, "screens": screens})
