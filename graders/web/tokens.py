"""A Space in a frame of a browser that keeps no cookies there: its page carries the session itself.

What the cookie would hold (signed, with its time) goes into the page, whose scripts keep it in
their memory and send it with each request as a header. A cookie always comes first, and a request
that brings one learns that nothing else is needed. Another site can read neither the page nor a
header of its answers, and cannot send the header without being refused.
"""

from __future__ import annotations

import re
from http.cookies import SimpleCookie
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The header that brings a session, and brings it back where it changed.
HEADER = "x-cograde-session"
#: What the header says to a page whose cookie came.
KEPT = "kept"
_HEAD = re.compile(rb"<head(?:\s[^>]*)?>")


class Tokens:
    """Takes the session from a header where no cookie came, and hands it to the page. Stands
    outside the session's own middleware. Plain ASGI: leaves streams alone."""

    def __init__(self, app: ASGIApp, cookie: str) -> None:
        self.app, self.cookie = app, cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        token = headers.get(HEADER, "")
        kept = self.cookie in SimpleCookie(headers.get("cookie", ""))
        if token and not kept:
            own = f"{self.cookie}={token}".encode("latin-1", "replace")
            scope = {**scope, "headers": [*scope["headers"], (b"cookie", own)]}
        answer = _Answer(send, self.cookie, asked=bool(token), kept=kept)
        await self.app(scope, receive, answer.send)


class _Answer:
    """One answer on its way out, with the session in it where the browser sent no cookie."""

    def __init__(self, send: Send, cookie: str, asked: bool, kept: bool) -> None:
        self.out, self.cookie, self.asked, self.kept = send, cookie, asked, kept
        self.start: Message | None = None
        self.token, self.body = "", b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message["headers"]))
            self.token = "" if self.kept else self._session(headers)
            if self.asked and (self.kept or self.token):
                headers[HEADER] = KEPT if self.kept else self.token
            message = {**message, "headers": headers.raw}
            if self.token and not self.asked and _is_page(headers):
                self.start = message
                return
        elif message["type"] == "http.response.body" and self.start is not None:
            self.body += message.get("body", b"")
            if message.get("more_body"):
                return
            message = {**message, "body": self._page()}
            headers = MutableHeaders(raw=list(self.start["headers"]))
            if "content-length" in headers and self.body:
                headers["content-length"] = str(len(message["body"]))
            # a cache that keeps the page would keep a person's session
            headers["cache-control"] = "no-store"
            await self.out({**self.start, "headers": headers.raw})
            self.start = None
        await self.out(message)

    def _page(self) -> bytes:
        mark = f'<meta name="cograde-session" content="{self.token}">'.encode()
        return _HEAD.sub(lambda found: found[0] + mark, self.body, count=1)

    def _session(self, headers: Any) -> str:
        """The session that an answer sets, as its cookie holds it; "" where it sets none."""
        for text in headers.getlist("set-cookie"):
            # not with http.cookies, which does not know `Partitioned` before Python 3.14
            name, _, value = text.partition(";")[0].partition("=")
            if name == self.cookie and value != "null":
                return str(value)
        return ""


def _is_page(headers: Headers) -> bool:
    return (
        headers.get("content-type", "").startswith("text/html")
        and "content-encoding" not in headers
    )
