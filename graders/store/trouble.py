"""What a disk or a file that refuses says, as an error that a person can act on."""

from __future__ import annotations

import errno
import sqlite3

from graders.core.errors import StorageError
from graders.core.words import error_parts

#: What writing may raise when the machine refuses it.
TROUBLES = (sqlite3.OperationalError, OSError)
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SHUT = (errno.EROFS, errno.EACCES, errno.EPERM)


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
        return StorageError(kind="full", **error_parts("store.trouble.full", where=where))
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM) or number in _SHUT:
        return StorageError(kind="read_only", **error_parts("store.trouble.read_only", where=where))
    if code == sqlite3.SQLITE_CANTOPEN:
        return StorageError(kind="missing", **error_parts("store.trouble.cannot_open", where=where))
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StorageError(kind="busy", **error_parts("store.trouble.busy", where=where))
    if code == sqlite3.SQLITE_IOERR or number == errno.EIO:
        return StorageError(kind="disk", **error_parts("store.trouble.disk", where=where))
    return None
