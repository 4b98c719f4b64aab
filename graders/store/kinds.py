"""What a file is, told before it is opened as a workspace: a file of another program is never
written to.

Opening a file the usual way would already write: SQLite makes a log beside it, and copies back what
a log holds. So the head of the file is read as bytes, and its tables through a connection that
takes the file for unchangeable: that one makes no lock, no log and no index of one.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Literal

from graders.core.errors import InputError

#: Marks a file as a workspace ("Cogr"): at a fixed place of the file's head, as SQLite provides
#: for.
APPLICATION_ID = 0x436F6772
#: Every SQLite file begins with these bytes; its head is so long.
MAGIC, HEAD_BYTES = b"SQLite format 3\x00", 100
#: What this program may do about a file that it must not open.
ELSEWHERE = "Name another file with --workspace, or move this one away."
UNREADABLE = (
    "It was left as it is. If it was a workspace, put a backup in its place (docs/workspaces.md)."
)

Kind = Literal["new", "workspace"]


def kind_of(path: Path) -> Kind:
    """`new` where there is no file, or an empty one; `workspace` for one of any version. Nothing is
    written.

    InputError for everything else: a folder, a file that is no database, a database of another
    program, a log without its file.
    """
    if path.exists() and not path.is_file():
        raise _refused(
            path, "a folder" if path.is_dir() else "something that is no file", ELSEWHERE
        )
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except FileNotFoundError:
        head = b""
    except OSError as error:
        raise _refused(path, f"a file that cannot be read ({error.strerror})", ELSEWHERE) from error
    if not head:
        return _new(path)
    if not (head.startswith(MAGIC) and len(head) == HEAD_BYTES):
        raise _refused(path, "a file that is no workspace (it is not a database)", ELSEWHERE)
    mark = int.from_bytes(head[68:72], "big")
    try:
        if mark == APPLICATION_ID or (mark == 0 and _has_steps(path)):
            return "workspace"
    except sqlite3.DatabaseError as error:
        raise _refused(path, f"a database that cannot be read ({error})", UNREADABLE) from error
    raise _refused(
        path,
        "a file that is no workspace (a database of another program)",
        f"It was left as it is. {ELSEWHERE}",
    )


def revision_of(path: Path) -> int:
    """The ``user_version`` in the head of a database; what its log holds may be later."""
    with path.open("rb") as file:
        return int.from_bytes(file.read(HEAD_BYTES)[60:64], "big")


def mark_new(path: Path) -> None:
    """Make the file, marked as a workspace and otherwise empty: whoever meets it before it is whole
    knows what it will be."""
    with closing(sqlite3.connect(path, timeout=30.0)) as db:
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _new(path: Path) -> Kind:
    """SQLite would delete the log of a file that is not there, with all that it holds."""
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        raise _refused(
            path,
            f"only {log.name}, the log of a file that is gone",
            (
                f"Put {path.name} back beside it: the log holds what was saved last. "
                f"If it is not needed, move {log.name} away."
            ),
        )
    return "new"


def _has_steps(path: Path) -> bool:
    """Whether a database without a mark, as older versions made them, has taken steps of ours."""
    log = Path(f"{path}-wal")
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        ) as db:
            found = _steps(db)
    except sqlite3.DatabaseError:
        if not log.exists():
            raise
        found = None
    if found is not None or not log.exists():
        return bool(found)
    # All that there is stands in the log, as where a program was killed soon after it made the
    # file: looked at in a copy.
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        shutil.copyfile(path, copy)
        shutil.copyfile(log, f"{copy}-wal")
        with closing(sqlite3.connect(copy)) as db:
            return bool(_steps(db))


def _steps(db: sqlite3.Connection) -> bool | None:
    """Whether steps of ours were taken; None where there is no table at all."""
    names = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "_sqlite_migrations" not in names:
        return False if names else None
    return (
        db.execute("SELECT 1 FROM _sqlite_migrations WHERE migration_set = 'cograde'").fetchone()
        is not None
    )


def _refused(path: Path, found: str, remedy: str) -> InputError:
    return InputError(
        f"workspace {path.name}", found=found, expected="a Cograde workspace file", remedy=remedy
    )
