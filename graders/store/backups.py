"""Backups of a workspace: whole files beside it, made before something changes that cannot be
undone."""

from __future__ import annotations

import errno
import filecmp
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from graders.core.errors import InputError
from graders.core.words import error_parts


def back_up(path: Path, label: str, sound: bool = True) -> Path:
    """A backup of all that is committed, ``NAME.LABEL.SUFFIX`` beside the workspace; returns where
    it is.

    A file of that name is never overwritten: the same bytes are taken for the backup, else the name
    gets a number. The caller holds the write lock. InputError, and nothing is left behind, where
    there is no room or, if it is to be `sound`, the workspace is damaged.
    """
    draft = path.with_name(f".{path.name}.backup-{secrets.token_hex(4)}")
    for left in path.parent.glob(f".{_plain(path.name)}.backup-*"):
        left.unlink(missing_ok=True)  # of a program that was killed: one at a time holds the lock
    try:
        _copy(path, draft, sound)
        return _placed(draft, path, label)
    except (OSError, sqlite3.Error) as error:
        raise _refused(path, error) from error
    finally:
        for ending in ("", "-journal"):
            Path(f"{draft}{ending}").unlink(missing_ok=True)


def backups_of(path: Path) -> list[Path]:
    """The backups that lie beside a workspace, the latest first."""
    found = [
        file
        for file in path.parent.glob(f"{_plain(path.stem)}.*{_plain(path.suffix)}")
        if ".backup." in file.name
    ]
    return sorted(found, key=lambda file: file.stat().st_mtime, reverse=True)


def _copy(path: Path, draft: Path, sound: bool) -> None:
    """Copy page by page, as SQLite does it. The copy is checked for damage, which also checks its
    source, and needs no other file."""
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(draft)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        found = [row[0] for row in copy.execute("PRAGMA quick_check(1)")] if sound else ["ok"]
    if found != ["ok"]:
        raise sqlite3.DatabaseError(f"it is damaged: {found[0]}")
    with draft.open("rb+") as file:
        os.fsync(file.fileno())


def _placed(draft: Path, path: Path, label: str) -> Path:
    """Give the draft the first free name, unless the same backup is there already."""
    for target in _names(path, label):
        try:
            os.link(draft, target)  # unlike a renaming it never takes the place of another file
        except FileExistsError:
            if not filecmp.cmp(draft, target, shallow=False):
                continue
        except OSError as error:  # a file system without links
            if error.errno == errno.ENOSPC:
                raise
            if target.exists():
                continue
            draft.rename(target)
        with suppress(OSError):  # where folders cannot be flushed
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return target
    raise AssertionError("names do not end")


def _names(path: Path, label: str) -> Iterator[Path]:
    yield path.with_name(f"{path.stem}.{label}.backup{path.suffix}")
    number = 2
    while True:
        yield path.with_name(f"{path.stem}.{label}.{number}.backup{path.suffix}")
        number += 1


def _plain(name: str) -> str:
    """A name as `glob` finds it."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)


def _refused(path: Path, error: Exception) -> InputError:
    why = getattr(error, "strerror", None) or str(error)
    return InputError(
        **error_parts("store.backups.failed", name=path.name, why=why, megabytes=_megabytes(path))
    )


def _megabytes(path: Path) -> int:
    sizes = [file.stat().st_size for file in (path, Path(f"{path}-wal")) if file.exists()]
    return 1 + 2 * sum(sizes) // 1_000_000
