"""Workspaces as earlier and later versions leave them: made by really taking steps, the files then
left alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils.db import Database

from graders.store.migrations import workspace_migrations


def older(path: Path, before: str = "m020_left_over", log: bool = False) -> Path:
    """A workspace that has taken the steps up to `before`, with a person and a project in it, as
    the version of that time left it: no mark in the file's head. `log`: all of it still stands in
    the log, as after a kill."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA wal_autocheckpoint=0")
    workspace_migrations.apply(Database(db), stop_before=before)
    db.execute("PRAGMA user_version = 7")
    db.execute("INSERT INTO person VALUES ('mira', 'Mira', '', '2026-01-01')")
    db.execute(
        "INSERT INTO project (name, title, seed, created_at) VALUES ('study', 'Study', 1, '2026-01-01')"
    )
    if log:
        kept = {ending: Path(f"{path}{ending}").read_bytes() for ending in ("", "-wal")}
        db.close()
        for ending, data in kept.items():
            Path(f"{path}{ending}").write_bytes(data)
    db.close()
    return path


def newer(path: Path, version: str) -> Path:
    """A workspace of this version to which a later one added a step."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TABLE dream (id INTEGER PRIMARY KEY)")
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('cograde', 'm999_dreams', '2031-05-06 07:08:09')"
        )
        if version:
            db.execute("INSERT INTO step_version VALUES ('m999_dreams', ?)", (version,))
        db.execute("PRAGMA user_version = 99")
    return path


def files(folder: Path) -> dict[str, bytes]:
    """All that lies in a folder, byte by byte."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
