"""Where a visitor of a Space begins: at a question, not at a list of projects."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.types import ASGIApp, Receive, Scope, Send

#: The page, and the parameters of its address.
PATH, ITS_OWN = "/visit", frozenset({"said", "language"})


class Start:
    """Shows the visitor's start at the root to a person without a name who asks for no project.
    Stands inside of the session's own middleware. Plain ASGI: leaves streams alone."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/" and _begins(scope):
            scope = {**scope, "path": f"{PATH}/", "raw_path": f"{PATH}/".encode()}
        await self.app(scope, receive, send)


def _begins(scope: Scope) -> bool:
    names = {name for name, _ in parse_qsl(scope["query_string"].decode("latin-1"))}
    # the Hub adds parameters of its own, which begin with two underscores
    theirs = {name for name in names if not name.startswith("__")}
    begins = theirs <= ITS_OWN or "said" in theirs
    return begins and not scope.get("session", {}).get("person")
