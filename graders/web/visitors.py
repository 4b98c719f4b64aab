"""Visitors of a public Space: who is one, when a copy of the demo is made for them, and when it is
closed.

A browser that opens a page is named a visitor; that costs nothing. All read the shared demo. A
request that turns out to write is stopped at its first write, before anything was written, and
answered once more in the visitor's own copy.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graders.core.errors import NoRoom, TooMany
from graders.core.words import say
from graders.store.copies import Copies, passing
from graders.web.session import WRITES, begin_visit, visitor_of

#: Seconds between two looks for copies that have expired.
SWEEP_SECONDS = 3600.0


class Closing(Protocol):
    """What can be closed."""

    def close(self) -> None:
        """Give back what is held."""


class Visitors:
    """Names a browser that opens a page a visitor; closes what a request opened of a copy at the
    request's end."""

    def __init__(self, app: ASGIApp, paths: frozenset[str]) -> None:
        self.app, self.paths = app, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        if self._opened(scope):
            begin_visit(scope["session"])
        with passing() as opened:
            try:
                await self.app(scope, receive, send)
            finally:
                if opened:
                    await asyncio.to_thread(_close, opened)

    def _opened(self, scope: Scope) -> bool:
        """Whether a person opens a page in a browser: programs do not ask for HTML, and a page's
        own requests do not navigate."""
        headers = Headers(scope=scope)
        return (
            scope["method"] == "GET"
            and (scope["path"].rstrip("/") or "/") in self.paths
            and "text/html" in headers.get("accept", "")
            and headers.get("sec-fetch-mode", "navigate") == "navigate"
        )


async def once_more(request: Request, error: Exception) -> Response:
    """Answer a request that was stopped at its first write: in a copy, or with the sentence that
    there is none."""
    if WRITES in request.scope or not visitor_of(request.session):
        return JSONResponse({"error": say("web.visitors.read_only")}, 403)
    return _Again(request.app.router, await request.body())


def no_room(request: Request, error: Exception) -> Response:
    """The sentence for a visitor who gets no copy now, and when to try again."""
    assert isinstance(error, NoRoom)
    status = 429 if isinstance(error, TooMany) else 503
    return JSONResponse({"error": str(error)}, status, {"retry-after": str(error.seconds)})


class _Again(Response):
    """The response that the application gives when it is asked once more, with leave to write."""

    def __init__(self, app: ASGIApp, body: bytes) -> None:
        super().__init__()
        self.app, self.given = app, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        messages: list[Message] = [{"type": "http.request", "body": self.given, "more_body": False}]

        async def from_the_start() -> Message:
            return messages.pop() if messages else await receive()

        await self.app({**scope, WRITES: True}, from_the_start, send)


def sweep(
    copies: Copies, over: threading.Event | None = None, every: float = SWEEP_SECONDS
) -> None:
    """Remove copies whose visitors did not come back, every so many seconds until `over` or the end
    of the
    process, in a thread of its own: also where no new visitor comes who would need their places."""
    over = over or threading.Event()

    def work() -> None:
        while not over.wait(every):
            # a disk in trouble now may be well at the next look
            with suppress(OSError):
                copies.expire()

    threading.Thread(target=work, name="sweep", daemon=True).start()


def _close(connections: Sequence[Closing]) -> None:
    for connection in connections:
        connection.close()
