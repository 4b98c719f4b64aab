"""Bringing a workspace up to date: one of a newer version is refused, one of an older version is
backed up and then migrated.

Imported only where a file needs it: sqlite-utils loads pandas where there is one.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import NamedTuple

from sqlite_utils.db import Database

from graders.core.errors import InputError
from graders.core.version import VERSION
from graders.core.words import error_parts, say
from graders.store.backups import back_up
from graders.store.kinds import APPLICATION_ID
from graders.store.migrations import workspace_migrations


class Shape(NamedTuple):
    """How far a file is: the schema's number, the steps that this version knows and it has not
    taken, those that only newer ones know."""

    schema: int
    pending: tuple[str, ...]
    unknown: tuple[str, ...]


#: The steps that this version knows, in order.
STEPS: tuple[str, ...] = tuple(
    step.name for step in workspace_migrations.pending(Database(memory=True))
)


def number(step: str) -> int:
    """The number of a step: 27 of ``m027_versions``."""
    found = re.match(r"m(\d+)", step)
    return int(found[1]) if found else 0


def shape_of(db: sqlite3.Connection) -> Shape:
    """How far a file is; nothing is written."""
    if not _has(db, "_sqlite_migrations"):
        return Shape(0, STEPS, ())
    taken = [
        row[0]
        for row in db.execute(
            "SELECT name FROM _sqlite_migrations WHERE migration_set = 'cograde' ORDER BY id"
        )
    ]
    pending = tuple(step for step in STEPS if step not in taken)
    return Shape(
        max(map(number, taken), default=0),
        pending,
        tuple(step for step in taken if step not in STEPS),
    )


def refuse_newer(db: sqlite3.Connection, path: Path) -> None:
    """InputError, which names the version that wrote it, where a newer version than this one has
    changed the file."""
    shape = shape_of(db)
    if not shape.unknown:
        return
    version, day = _written(db, shape.unknown[-1])
    remedy = (
        say("store.upgrade.install", version=version)
        if version not in ("", VERSION)
        else say("store.upgrade.install_newest")
    )
    raise InputError(
        **error_parts(
            "store.upgrade.newer",
            name=path.name,
            schema=shape.schema,
            program=_called(version),
            day=day,
            known=number(STEPS[-1]),
            version=VERSION,
            remedy=remedy,
        )
    )


def _called(version: str) -> str:
    if not version:
        return say("store.upgrade.newer_program")
    return (
        say("store.upgrade.later_build", version=version)
        if version == VERSION
        else say("store.upgrade.program", version=version)
    )


def bring_up_to_date(db: sqlite3.Connection, path: Path, day: str) -> Path | None:
    """Take the steps that a file lacks, in the caller's transaction; what is there is backed up
    before. `day` is today, ISO 8601.

    Returns the backup; None where none was needed. All steps are taken or none.
    """
    refuse_newer(db, path)
    shape, made = shape_of(db), None
    if shape.pending and shape.schema:
        made = back_up(path, f"schema-{shape.schema}.before-{VERSION}.{day}")
    workspace_migrations.apply(Database(db))
    db.executemany(
        "INSERT OR IGNORE INTO step_version VALUES (?, ?)",
        [(step, VERSION) for step in shape.pending],
    )
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    return made


def _written(db: sqlite3.Connection, step: str) -> tuple[str, str]:
    """The version that took a step, empty where that is not noted, and the day."""
    day = db.execute(
        "SELECT applied_at FROM _sqlite_migrations WHERE migration_set = 'cograde' AND name = ?",
        (step,),
    ).fetchone()[0]
    sql = "SELECT version FROM step_version WHERE step = ?"
    row = db.execute(sql, (step,)).fetchone() if _has(db, "step_version") else None
    return str(row[0]) if row else "", str(day)[:10]


def _has(db: sqlite3.Connection, table: str) -> bool:
    return (
        db.execute(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
        ).fetchone()
        is not None
    )
