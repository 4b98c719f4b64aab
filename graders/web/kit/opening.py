"""A page comes with its first drawing in it: nothing is asked for again before it stands."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graders.web.kit.gradio import gr

#: Scripts that every page takes: they come while Gradio's do.
EARLY = (
    "kit/kit.js",
    "kit/controls.js",
    "kit/turns.js",
    "kit/typed.js",
    "kit/keep.js",
    "session.js",
)


class Opening:
    """Draws the page of `blocks`, at `path`, for who opens it."""

    def __init__(self, app: ASGIApp, path: str, blocks: gr.Blocks, assets: str) -> None:
        self.app, self.path = app, path
        self.early = ", ".join(f"<{assets}/{one}>; rel=modulepreload" for one in EARLY)
        self.opening: Any = getattr(blocks, "opening", None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        rest = scope.get("path", "").removeprefix(self.path)
        if not self.opening or scope.get("method") != "GET" or rest not in ("", "/"):
            return await self.app(scope, receive, send)
        await self.opening(scope)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message["headers"]))
                # figures grow old: no browser shows them again when a person goes back
                headers["cache-control"] = "no-store"
                headers["link"] = self.early
                message = {**message, "headers": headers.raw}
            await send(message)

        # Gradio would look up a page of its own, and a saved state, by the query
        await self.app({**scope, "query_string": b""}, receive, sending)
