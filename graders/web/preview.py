"""What a link to a page shows elsewhere: the product's name, one sentence and a picture."""

from __future__ import annotations

import re
from html import escape

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graders.core.words import say
from graders.web.start import PATH as START

#: Gradio's own tags, which advertise Gradio; whoever reads a page takes the first of each name.
_THEIRS = re.compile(
    rb"""\s*<meta\s+(?:property=["']og:|name=["']twitter:)[^>]*>""", re.DOTALL | re.IGNORECASE
)
_TITLE = re.compile(rb'<meta\s+property="og:title"\s+content="([^"]*)"', re.DOTALL)
#: Pages that stand for the product as a whole.
_WHOLE = ("/", START)


class LinkPreview:
    """Gives pages tags of their own. `picture` is its address, without a host (empty for none);
    `space`: the page is reached by https. Plain ASGI; what is no page passes as it comes."""

    def __init__(self, app: ASGIApp, paths: frozenset[str], picture: str, space: bool) -> None:
        self.app, self.paths, self.picture, self.space = app, paths, picture, space

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope.get("method") != "GET" or (path.rstrip("/") or "/") not in self.paths:
            return await self.app(scope, receive, send)
        start: Message | None = None
        body = b""

        async def sending(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                if not _is_page(message):
                    start = None
                    await send(message)
                return
            if start is None:
                return await send(message)
            body += message.get("body", b"")
            if message.get("more_body"):
                return None
            made = self._tagged(scope, body)
            headers = MutableHeaders(raw=list(start["headers"]))
            headers["content-length"] = str(len(made))
            await send({**start, "headers": headers.raw})
            await send({**message, "body": made})

        await self.app(scope, receive, sending)

    def _tagged(self, scope: Scope, page: bytes) -> bytes:
        head, end, rest = page.partition(b"</head>")
        if not end:
            return page
        titles = _TITLE.findall(head)  # Gradio's advertisement, then the page's own
        whole = (scope["path"].rstrip("/") or "/") in _WHOLE or not titles
        title = "Cograde" if whole else titles[-1].decode("utf-8", "replace")
        host = Headers(scope=scope).get("host", "")
        scheme = "https" if self.space else scope.get("scheme", "http")
        picture = f"{scheme}://{host}{self.picture}"
        tags = {
            ("property", "og:type"): "website",
            ("property", "og:site_name"): "Cograde",
            ("property", "og:title"): title,
            ("property", "og:description"): say("home.first.about"),
            ("property", "og:image"): picture if self.picture else "",
            ("name", "description"): say("home.first.about"),
            ("name", "twitter:card"): "summary_large_image",
        }
        ours = "".join(
            f'<meta {kind}="{name}" content="{text if name == "og:title" else escape(text)}">'
            for (kind, name), text in tags.items()
            if text
        )
        return _THEIRS.sub(b"", head) + ours.encode() + end + rest


def _is_page(message: Message) -> bool:
    headers = Headers(raw=message["headers"])
    return message["status"] == 200 and headers.get("content-type", "").startswith("text/html")
