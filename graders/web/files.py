"""Files that never change under their address, sent from memory before anything else looks at the
request.

A page asks for some forty of them. Through session, routes and threads each takes the server two
milliseconds, and a crowd that opens pages would wait for little else.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Mapping
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

#: Gradio's files for browsers, and the names of those that carry a hash of what is in them.
GRADIO = Path("templates", "frontend", "assets")
HASHED = re.compile(r"[\w.-]+-[\w-]{8}\.(?:js|css|woff2|svg|png)", re.ASCII)
#: Larger files are left to the application, which sends them in pieces.
LARGEST = 1 << 20
_HEADERS = (
    (b"cache-control", b"public, max-age=31536000, immutable"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


class Files:
    """Answers GET for `files`, by their address; passes on what it does not know."""

    def __init__(self, app: ASGIApp, files: Mapping[str, Path]) -> None:
        self.app = app
        self._files = {path: file for path, file in files.items() if file.stat().st_size <= LARGEST}
        self._read: dict[Path, bytes] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = self._asked(scope)
        if file is None:
            return await self.app(scope, receive, send)
        # Once, and small: not worth a thread.
        if file not in self._read:
            self._read[file] = file.read_bytes()
        body = self._read[file]
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        headers = [
            (b"content-type", kind.encode()),
            (b"content-length", str(len(body)).encode()),
            *_HEADERS,
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _asked(self, scope: Scope) -> Path | None:
        """The file that is asked for as a whole."""
        if scope["type"] != "http" or scope["method"] != "GET":
            return None
        if any(name == b"range" for name, _ in scope["headers"]):
            return None
        return self._files.get(scope["path"])


def own_files(folder: Path, address: str) -> dict[str, Path]:
    """Our own files, whose common `address` carries a hash of them all."""
    return {
        f"{address}/{file.relative_to(folder).as_posix()}": file
        for file in folder.rglob("*")
        if file.is_file()
    }


def gradio_files(gradio: Path) -> dict[str, Path]:
    """Gradio's files, at the one address that all pages name; `gradio` is the package's folder."""
    folder = gradio / GRADIO
    found = folder.iterdir() if folder.is_dir() else ()
    return {f"/assets/{file.name}": file for file in found if HASHED.fullmatch(file.name)}
