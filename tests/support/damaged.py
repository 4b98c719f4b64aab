"""Damage as disks and programs do it: a page in the middle overwritten, the end cut off, an index
that lacks rows."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

PAGE = 4096


def page_of(path: Path, table: str) -> int:
    """The page with the root of a table."""
    with closing(sqlite3.connect(path)) as db:
        return int(
            db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
        )


def overwrite(path: Path, page: int) -> None:
    """Overwrite a page with what no page begins with."""
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(b"\xff" * PAGE)


def cut(path: Path) -> None:
    """Cut off the second half of a file."""
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // PAGE // 2 * PAGE])


def forget_in_index(path: Path, index: str, table: str, column: str) -> None:
    """Let an index lack all rows: it is emptied behind the back of SQLite."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        kept = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (index,)).fetchone()[0]
        db.execute(
            "UPDATE sqlite_master SET sql = ? WHERE name = ?",
            (f"CREATE INDEX {index} ON {table}({column}) WHERE 0", index),
        )
        db.execute("PRAGMA writable_schema = RESET")
        db.execute(f"REINDEX {index}")
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (kept, index))
