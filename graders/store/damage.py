"""Damage of a workspace file, and what else keeps SQLite from it, as sentences that say what to
do."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from graders.core.errors import CogradeError, InputError, StorageError
from graders.core.words import error_parts, say
from graders.store.backups import backups_of
from graders.store.trouble import storage_error

#: A file up to this size, in bytes, is looked through whenever it is opened: about 4 ms a megabyte.
#: Larger ones the app looks through beside its work, and `cograde check` at any time.
SMALL_BYTES = 16 << 20

#: What SQLite raises of a file that it cannot read.
ERRORS = (sqlite3.DatabaseError,)
#: SQLite's codes (https://sqlite.org/rescode.html) of a damaged file.
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def look_through(db: sqlite3.Connection, path: Path) -> str:
    """What the first damage is that SQLite meets in the pages of a file, empty where there is none.
    Reads the whole file.

    InputError where the disk or another program keeps it from that.
    """
    try:
        found = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise told(path, error) or error from error
        found = str(error)
    return "" if found == "ok" else found


def refuse_damaged(db: sqlite3.Connection, path: Path) -> None:
    """InputError where a small file is damaged; larger ones are not looked at."""
    if size_of(path) <= SMALL_BYTES and (found := look_through(db, path)):
        raise damaged(path, found)


def look_again(connect: Callable[[], sqlite3.Connection], path: Path) -> str | None:
    """What is wrong with a workspace that is in use, as a sentence; empty where all is well, None
    where it cannot be told now, as on a full disk."""
    if not path.exists():
        return str(_gone(path))
    try:
        found = look_through(connect(), path)
    except StorageError:
        return None
    except (OSError, *ERRORS) as error:
        if (said := told(path, error)) is None:
            raise
        return None if isinstance(said, StorageError) else str(said)
    return str(damaged(path, found)) if found else ""


def met(path: Path, error: Exception) -> str:
    """The sentence about a workspace in use where an error tells that it is damaged or gone; empty
    about any other error."""
    if is_damage(error):
        return str(damaged(path, str(error)))
    return "" if path.exists() else str(_gone(path))


def size_of(path: Path) -> int:
    """Bytes of a workspace with its log."""
    return sum(file.stat().st_size for file in (path, Path(f"{path}-wal")) if file.exists())


def damaged(path: Path, what: str) -> InputError:
    """The sentence about a damaged workspace: what is damaged, and the way back."""
    backups = backups_of(path)
    last = (
        say("store.damage.last_backup", name=backups[0].name)
        if backups
        else say("store.damage.no_backup")
    )
    told = " ".join(what.split())
    return InputError(**error_parts("store.damage.damaged", name=path.name, damage=told, last=last))


def _gone(path: Path) -> InputError:
    return InputError(**error_parts("store.damage.gone", name=path.name))


def told(path: Path, error: Exception) -> CogradeError | None:
    """The sentence about an error that a file, its folder or its disk is the cause of; None about
    any other error."""
    if is_damage(error):
        return damaged(path, str(error))
    if (found := storage_error(error, f"workspace {path.name}")) is not None:
        return found
    if not isinstance(error, OSError):
        return None
    why = error.strerror or str(error)
    return InputError(**error_parts("store.damage.place", name=path.name, why=why))


def is_damage(error: Exception) -> bool:
    """Whether SQLite met damage."""
    return _code(error) in _DAMAGED


def _code(error: Exception) -> int:
    """SQLite's primary code of an error; 0 where there is none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
