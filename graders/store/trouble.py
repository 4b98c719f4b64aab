"""What a disk or a file that refuses says, as an error that a person can act on."""

from __future__ import annotations

import errno
import sqlite3

from graders.core.errors import StorageError

#: What writing may raise when the machine refuses it.
TROUBLES = (sqlite3.OperationalError, OSError)
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SHUT = (errno.EROFS, errno.EACCES, errno.EPERM)
_MAKE_ROOM = (
    "Nothing of this was stored, and nothing else is lost. Make room on the disk, then try again."
)
_UNLOCK = (
    "Nothing of this was stored, and nothing else is lost. Make the file and its folder "
    "writable, then try again."
)
_OPEN = (
    "Nothing of this was stored, and nothing else is lost. Look whether the file is in its place, "
    "and make it and its folder writable, then try again."
)


def storage_error(error: BaseException, where: str = "workspace") -> StorageError | None:
    """The error of a full disk, a file that may not be written, or one that others hold; None for
    any other trouble. `where` begins its sentence."""
    code = (
        getattr(error, "sqlite_errorcode", 0) & 0xFF
        if isinstance(error, sqlite3.OperationalError)
        else 0
    )
    number = error.errno if isinstance(error, OSError) else 0
    if code == sqlite3.SQLITE_FULL or number in _FULL:
        return StorageError(
            where,
            found="a full disk",
            expected="room to write",
            remedy=_MAKE_ROOM,
            kind="full",
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM) or number in _SHUT:
        return StorageError(
            where,
            found="a file that may only be read",
            expected="one that can be written",
            remedy=_UNLOCK,
            kind="read_only",
        )
    if code == sqlite3.SQLITE_CANTOPEN:
        return StorageError(
            where,
            found="a file that cannot be opened",
            expected="one that can be opened and written",
            remedy=_OPEN,
            kind="missing",
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        remedy = "Nothing of this was stored. Try again in a moment."
        return StorageError(
            where,
            found="a file that another program is writing",
            expected="a turn",
            remedy=remedy,
            kind="busy",
        )
    if code == sqlite3.SQLITE_IOERR or number == errno.EIO:
        found = "a disk that does not read or write"
        remedy = (
            "Nothing of this was stored, and nothing else is lost. Look whether the disk is full "
            "or broken, then try again."
        )
        return StorageError(
            where, found=found, expected="a disk in order", remedy=remedy, kind="disk"
        )
    return None
