"""Headers that a request brings along, carried past the SDK: the client adds them last, so that they win."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar

#: Of the send that is under way; each asyncio task has its own.
EXTRA: ContextVar[Mapping[str, str] | None] = ContextVar("extra headers", default=None)

#: What decides where a request goes and where it ends is not for settings to say.
_FIXED = ("host", "content-length", "transfer-encoding", "connection")


def extra_headers(found: object) -> Mapping[str, str] | None:
    """The setting ``headers`` checked, None without any; ValueError says what is off."""
    if not found:
        return None
    if not isinstance(found, Mapping) or not all(isinstance(text, str) for pair in found.items() for text in pair):
        raise ValueError(f"the setting headers is {found!r:.60}, expected names with texts")
    for name in found:
        if name.lower() in _FIXED:
            raise ValueError(f"the setting headers names {name}, which the connection decides")
    return found
