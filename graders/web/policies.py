"""What a browser may do with our pages: where scripts come from, which servers they may call, who
may frame them.

The policy is as strict as Gradio permits:

* scripts come from this server, or carry the nonce of their page: text that was injected into a
  page does not run;
* ``'unsafe-eval'`` because `gr.HTML` makes functions of its template and its script in the browser;
* ``'unsafe-inline'`` for styles alone, which Gradio and our own pages set on elements as they go;
* ``data:`` and ``blob:`` for pictures that pages draw and files that they hand over;
* nothing comes from, or goes to, another origin.
"""

from __future__ import annotations

import re
import secrets
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The sites that show a Space in a frame; its own sub-domains belong to everybody, so none of them
#: is named.
HUB = ("https://huggingface.co", "https://hf.co")
#: Where a script of a page begins.
_SCRIPT = re.compile(rb"<script(?=[\s>])")


def policy(nonce: str, space: bool) -> str:
    """The Content-Security-Policy of a page whose own scripts carry `nonce`."""
    frames = " ".join(("'self'", *HUB)) if space else "'self'"
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' 'unsafe-eval' 'nonce-{nonce}'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "media-src 'self' data: blob:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "frame-src 'self'",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            f"frame-ancestors {frames}",
        )
    )


class Policies:
    """Sends the policy with every answer, and gives the scripts of pages their nonce; `first` is
    what a page of Gradio's begins with. Plain ASGI: leaves streams alone."""

    def __init__(self, app: ASGIApp, space: bool, first: str = "") -> None:
        self.app, self.space, self.first = app, space, first.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        answer = _Answer(send, secrets.token_urlsafe(16), self.space, scope["path"], self.first)
        await self.app(scope, receive, answer.send)


class _Answer:
    """One answer on its way out. Pages are held until they are whole: they are small, and their
    scripts want the nonce."""

    def __init__(self, send: Send, nonce: str, space: bool, path: str, first: bytes) -> None:
        self.out, self.nonce, self.space, self.first = send, nonce, space, first
        # What data routes answer holds texts of strangers: nothing in it is ours, so nothing in it
        # may run.
        self.may_be_page = not path.startswith(("/api/", "/assets/"))
        self.start: Message | None = None
        self.body = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [
                *message["headers"],
                (b"content-security-policy", policy(self.nonce, self.space).encode()),
            ]
            message = {**message, "headers": headers}
            if self.may_be_page and _is_page(headers):
                self.start = message
                return
        elif message["type"] == "http.response.body" and self.start is not None:
            self.body += message.get("body", b"")
            if message.get("more_body"):
                return
            body = self.body
            if b"window.gradio_config" in body:
                body = body.replace(b"<head>", b"<head>" + self.first, 1)
            body = _SCRIPT.sub(b'<script nonce="%s"' % self.nonce.encode(), body)
            # Of an answer to HEAD there is no body, and its length stays that of the page as it
            # was.
            headers = [
                (
                    name,
                    str(len(body)).encode()
                    if name.lower() == b"content-length" and body
                    else value,
                )
                for name, value in self.start["headers"]
            ]
            await self.out({**self.start, "headers": headers})
            message, self.start = {**message, "body": body}, None
        await self.out(message)


def _is_page(headers: Any) -> bool:
    found = {name.lower(): value for name, value in headers}
    return (
        found.get(b"content-type", b"").startswith(b"text/html")
        and b"content-encoding" not in found
    )
