"""What a visitor of a Space meets before the demo is ready to be copied: a page that says so and
looks again by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from graders.core.words import say
from graders.web.session import Resolver

#: Seconds until the page looks again.
AGAIN = 2
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="{again}"><title>{title} · Cograde</title>
<style>body{{font:16px/1.5 ui-sans-serif,system-ui,sans-serif;color-scheme:light dark;
max-width:38em;margin:18vh auto;padding:0 24px}}
h1{{font-size:25px;font-weight:600}}</style></head>
<body><main role="status"><h1>{title}.</h1>
<p>{so_far} {opens}</p></main></body></html>"""


class Preparing:
    """Answers pages and data in the demo's place while it is prepared; leaves all else alone."""

    def __init__(self, app: ASGIApp, resolver: Resolver, paths: frozenset[str]) -> None:
        self.app, self.resolver, self.paths = app, resolver, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._answer(scope)
        if answer is not None:
            state = await asyncio.to_thread(self._state, scope["session"])
            if state is not None:
                await answer(*state)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _state(self, session: dict[str, str]) -> tuple[int, int] | None:
        try:
            return self.resolver.preparing(session)
        finally:
            self.resolver.shared.close()

    def _answer(self, scope: Scope) -> Callable[[int, int], Response] | None:
        if scope["type"] != "http" or self.resolver.ready:
            return None
        path = scope["path"]
        if path.startswith(("/api/", "/call/")):
            return _data
        return (
            _page if scope["method"] == "GET" and (path.rstrip("/") or "/") in self.paths else None
        )


def _so_far(done: int, total: int) -> str:
    return (
        say("web.preparing.measured", done=done, total=total)
        if total
        else say("web.preparing.measuring")
    )


def _page(done: int, total: int) -> Response:
    return HTMLResponse(
        _PAGE.format(
            again=AGAIN,
            title=say("web.preparing.title"),
            so_far=_so_far(done, total),
            opens=say("web.preparing.opens"),
        ),
        headers={"cache-control": "no-store"},
    )


def _data(done: int, total: int) -> Response:
    text = say("web.preparing.again", so_far=_so_far(done, total))
    return JSONResponse({"error": text}, 503, {"retry-after": str(AGAIN)})
