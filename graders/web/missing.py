"""What a browser is shown at an address that leads nowhere: a page that says so and where to go.
Data routes answer with JSON as ever."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from graders.core.words import say

#: Addresses that people type for a page that has another one.
MOVED = {"/projects": "/"}
#: Beginnings of addresses that programs ask for.
DATA = ("/api/", "/gradio_api/", "/assets/")
#: Statuses with which an address says that nothing is to be seen there.
NOTHING = (404, 405)
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{title} · Cograde</title><link rel="stylesheet" href="{assets}/lead/lead.css">
</head><body style="margin:0"><div class="mount"></div>
<noscript><p>{text} <a href="/">{link}</a></p></noscript>
<script type="module">import {{ start }} from "{assets}/lead/missing.js";
start(document.querySelector(".mount"))</script></body></html>"""


class Missing:
    """Puts a page in the place of an error that a browser would show as raw JSON. Plain ASGI:
    leaves streams alone."""

    def __init__(self, app: ASGIApp, assets: str) -> None:
        self.app = app
        self.page = _PAGE.format(
            assets=assets,
            title=say("web.missing.title"),
            text=say("web.missing.text"),
            link=say("web.missing.link"),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._looked_at(scope):
            return await self.app(scope, receive, send)
        if (path := MOVED.get(scope["path"].rstrip("/"))) is not None:
            query = scope["query_string"].decode("latin-1")
            return await RedirectResponse(path + (f"?{query}" if query else ""))(
                scope, receive, send
            )
        gone = False

        async def sending(message: Any) -> None:
            nonlocal gone
            if message["type"] == "http.response.start" and message["status"] in NOTHING:
                gone = True
                await HTMLResponse(self.page, 404, {"cache-control": "no-store"})(
                    scope, receive, send
                )
            elif not gone:
                await send(message)

        await self.app(scope, receive, sending)

    @staticmethod
    def _looked_at(scope: Scope) -> bool:
        """Whether a person looks at the address in a browser."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"].startswith(DATA):
            return False
        return "text/html" in Headers(scope=scope).get("accept", "")
