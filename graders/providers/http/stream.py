"""Replies that come in pieces: lines and events out of bytes, and the assembly of a whole body from
them.

Both kinds of stream are cut at line feeds only. Characters such as U+2028 are ends of lines to
Python's own splitting, but may stand unescaped inside JSON.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from typing import Any, Protocol

from graders.core.words import say
from graders.providers.http.reading import encoded


class Broken(Exception):
    """A stream that ended before the reply was whole."""


class Refused(Exception):
    """An error that came inside a stream of status 200: `kind` is the provider's name for it."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(words)
        self.kind, self.words = kind, words


class Response(Protocol):
    """What is read of a response."""

    def aiter_raw(self) -> AsyncIterator[bytes]:
        """The body as it comes."""


class Assembly(Protocol):
    """Makes one body out of the pieces of a stream."""

    #: Whether the pieces are server-sent events; else each line is one.
    events: bool

    def add(self, piece: Any) -> bool:
        """Take in a piece (parsed JSON); whether it brought text of the reply. Raises Refused for
        an error."""

    def whole(self) -> dict[str, Any] | None:
        """The body as it would have come in one; None while the end is missing."""


async def assemble(
    response: Response, assembly: Assembly, started: float
) -> tuple[str, float | None]:
    """(body as JSON text, seconds from `started` to the first text or None). Raises Broken, Refused
    or what the transport raises."""
    first: float | None = None
    async for data in _events(response) if assembly.events else lines(response):
        if not data.strip() or data == "[DONE]":
            continue
        try:
            piece = json.loads(data)
        except (ValueError, RecursionError):
            raise Broken(say("providers.no_json", piece=data[:60])) from None
        try:
            brought = assembly.add(piece)
        except (TypeError, AttributeError, LookupError, ValueError):
            raise Broken(say("providers.other_protocol", piece=data[:60])) from None
        if brought and first is None:
            first = time.perf_counter() - started
    tree = assembly.whole()
    if tree is None:
        raise Broken(say("providers.cut_off"))
    return encoded(tree).decode(), first


async def lines(response: Response) -> AsyncIterator[str]:
    """The lines of a body, without their ends."""
    rest = b""
    async for chunk in response.aiter_raw():
        *ready, rest = (rest + chunk).split(b"\n")
        for line in ready:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")
    if rest:
        yield rest.decode("utf-8", "replace")


async def _events(response: Response) -> AsyncIterator[str]:
    """The data of server-sent events; names, comments and pings of the protocol are left out."""
    data: list[str] = []
    async for line in lines(response):
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []
    if data:
        yield "\n".join(data)
