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
import threading
from contextlib import closing
from pathlib import Path
from typing import Literal

from graders.core.errors import InputError
from graders.core.words import error_parts

#: Marks a file as a workspace ("Cogr"): at a fixed place of the file's head, as SQLite provides
#: for.
APPLICATION_ID = 0x436F6772
#: Every SQLite file begins with these bytes; its head is so long.
MAGIC, HEAD_BYTES = b"SQLite format 3\x00", 100
Kind = Literal["new", "workspace"]

#: Files, by device and number, of which this process may hold connections. Their bytes are never
#: read past SQLite: closing any other handle of such a file would drop the locks of all of them,
#: and another process would then take the log away (https://sqlite.org/howtocorrupt.html, 2.2).
_ours: set[tuple[int, int]] = set()
_guard = threading.Lock()
#: Seconds to wait for another program that holds such a file.
_PATIENCE = 2.0


def kind_of(path: Path) -> tuple[Kind, int]:
    """`new` where there is no file, or an empty one; `workspace` for one of any version, with the
    ``user_version`` of its head (what its log holds may be later). Nothing is written.

    InputError for everything else: a folder, a file that is no database, a database of another
    program, a log without its file.
    """
    if path.exists() and not path.is_file():
        raise _refused("folder" if path.is_dir() else "no_file", path)
    with _guard:
        try:
            place = _place(path)
            if place in _ours and (revision := _asked(path)) is not None:
                return "workspace", revision
            with path.open("rb") as file:
                head = file.read(HEAD_BYTES)
        except FileNotFoundError:
            return _new(path), 0
        except OSError as error:
            raise _refused("unreadable_file", path, why=error.strerror) from error
        if not head:
            return _new(path), 0
        _refuse_foreign(path, head)
        _ours.add(place)
    return "workspace", int.from_bytes(head[60:64], "big")


def _refuse_foreign(path: Path, head: bytes) -> None:
    """InputError where the file with this head is no workspace."""
    if not (head.startswith(MAGIC) and len(head) == HEAD_BYTES):
        raise _refused("no_database", path)
    mark = int.from_bytes(head[68:72], "big")
    try:
        if mark == APPLICATION_ID or (mark == 0 and _has_steps(path)):
            return
    except sqlite3.DatabaseError as error:
        raise _refused("unreadable_database", path, why=error) from error
    raise _refused("other_database", path)


def _asked(path: Path) -> int | None:
    """The ``user_version`` of a workspace as SQLite tells it; None for another file, which has the
    number of one that was removed, or a damaged one."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=_PATIENCE)) as db:
            mark = db.execute("PRAGMA application_id").fetchone()[0]
            if mark == APPLICATION_ID or (mark == 0 and _steps(db)):
                return int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        pass
    return None


def _place(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_dev, stat.st_ino


def mark_new(path: Path) -> None:
    """Make the file, marked as a workspace and otherwise empty: a program that finds it before it
    is complete knows what it will be."""
    with closing(sqlite3.connect(path, timeout=30.0)) as db:
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        _ours.add(_place(path))


def _new(path: Path) -> Kind:
    """SQLite would delete the log of a file that is not there, with all that it holds."""
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        raise _refused("only_log", path, log=log.name)
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


def _refused(key: str, path: Path, **places: object) -> InputError:
    return InputError(**error_parts(f"store.kinds.{key}", name=path.name, **places))
