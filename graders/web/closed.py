"""Closes what no page uses: of the eighty routes that Gradio makes for a page, only those that its
Blocks needs answer."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graders.core.errors import InputError, NotFound
from graders.core.words import error_parts, say
from graders.web.kit.gradio import gr, value_is_file

#: What a browser asks Gradio for when it opens a page on which nothing happens through Gradio.
LOOKED_AT = ("/theme.css", "/static/", "/assets/")
#: What it asks for besides on a page with events, which the kit runs without Gradio's queue: to run
#: one, and whether the app is there again.
RUN = ("/gradio_api/run/", "/gradio_api/app_id", "/config")
#: Routes that take in files. Gradio keeps what they get in its temporary folder, whether or not an
#: event ever takes it.
TAKING = ("/gradio_api/upload", "/gradio_api/upload_progress", "/gradio_api/process_recording")
_LOG = logging.getLogger(__name__)


def has_events(blocks: gr.Blocks) -> bool:
    """Whether anything on the page runs on the server through Gradio: an event with a function, or
    a component's own function."""
    functions = any(event.fn is not None for event in blocks.fns.values())
    return functions or any(getattr(block, "server_fns", None) for block in blocks.blocks.values())


def takes_files(blocks: gr.Blocks) -> bool:
    """Whether an event of the page takes a file."""
    return any(map(value_is_file, _taken(blocks)))


def _taken(blocks: gr.Blocks) -> Iterator[dict[str, Any]]:
    """What the inputs of all events hold, as schemas."""
    for event in blocks.fns.values():
        for block in event.inputs if event.fn is not None else ():
            # buttons and the like hold nothing that is sent
            with suppress(AttributeError, NotImplementedError):
                yield block.api_info()  # type: ignore[union-attr]


class Closed:
    """Lets through to the Gradio application of `blocks`, at `path`, what that page needs, or what
    `programs` may call; all else is not there (404)."""

    def __init__(self, app: ASGIApp, path: str, blocks: gr.Blocks, programs: bool = False) -> None:
        self.app, self.path, self.programs = app, path, programs
        self.events, self.files = has_events(blocks), takes_files(blocks)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        rest = scope["path"].removeprefix(self.path)
        if scope["type"] != "http" or not self._open(scope["method"], rest):
            return await _nothing(scope, receive, send)
        if not self.events:
            # Gradio would look up a page and a saved state by the query, and fail over one that it
            # does not know. Ours is read by scripts in the browser.
            scope = {**scope, "query_string": b""}
        await (self.app if rest in ("", "/") and not self.events else self._guarded)(
            scope, receive, send
        )

    def _open(self, method: str, rest: str) -> bool:
        if rest.startswith("/api/"):  # data routes that are not there, at the page at the root
            return False
        if self.programs:
            return self.files or not rest.rstrip("/").startswith(TAKING)
        if self.events and (self.files or rest.startswith(RUN)):
            return True
        return method in ("GET", "HEAD") and (rest in ("", "/") or rest.startswith(LOOKED_AT))

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Gradio reads some calls without checking them and fails on what it did not expect; the
        reply then says that the call was wrong."""
        held: list[Message] = []
        # the status from which on an answer is looked at first: programs learn why they are refused
        fine = 500 if self.programs or self.files else 400

        async def sending(message: Message) -> None:
            if held or (message["type"] == "http.response.start" and message["status"] >= fine):
                held.append(message)
            else:
                await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception as error:
            if not held:
                raise  # an answer is under way already
            _LOG.warning(
                "Gradio could not read a call to %s (%s).",
                ascii(scope["path"][:100]),
                type(error).__name__,
            )
            await _unreadable(scope, receive, send)
        else:
            if held and held[0]["status"] < 500:
                return await _nothing(scope, receive, send)
            for message in held:
                await send(message)


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": say("web.nothing")})
        return
    error = NotFound(**error_parts("web.no_page"))
    await JSONResponse({"error": str(error)}, 404)(scope, receive, send)


async def _unreadable(scope: Scope, receive: Receive, send: Send) -> None:
    error = InputError(**error_parts("web.unreadable_call"))
    await JSONResponse({"error": str(error)}, 400)(scope, receive, send)
