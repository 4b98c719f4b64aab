"""Times that files state: written in one way, and none later than the file itself."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_PLAIN = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?")


def in_utc(stated: str) -> str:
    """A stated time in UTC, so that times sort as texts; empty where it cannot be read as one."""
    if not stated or _PLAIN.fullmatch(stated):
        return stated
    try:
        told = _read(stated)
    except ValueError:
        return ""
    return told.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def before(time: str, came: str) -> str:
    """A time in UTC, right before the one at which its file `came` in where it is later.

    The order of times decides what a proof may rest on, and nothing in a file happened after the
    file was imported: a later time comes from a wrong clock or a typing error. Such a time becomes
    the millisecond of `came` with its own digits as a fraction, and sorts before `came`: the times
    of one file keep their order.
    """
    if time <= came:
        return time
    try:
        return f"{came.removesuffix('Z')}{_read(time):%Y%m%d%H%M%S%f}Z"
    except ValueError:  # no date of the calendar
        return came


def _read(time: str) -> datetime:
    told = datetime.fromisoformat(time)
    return told.replace(tzinfo=UTC) if told.tzinfo is None else told.astimezone(UTC)
