"""As much of Google's Sheets API as is used, over HTTP on loopback: keys, values with their
rendering, sheets and their sizes."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

BOOK = "1AbcDEF_ghi-234567890123456789012345678901234"
ADDRESS = f"https://docs.google.com/spreadsheets/d/{BOOK}/edit#gid=0"
_RANGE = re.compile(r"'((?:[^']|'')+)'(?:!([A-Z]+)(\d+):([A-Z]+)(\d+))?$")


class Refused(Exception):
    """A request that the API does not take: status and message."""


@dataclass
class Sheet:
    """One sheet: its properties and its cells by row and column from 0. A formula is (what was
    typed, its value)."""

    properties: dict[str, Any]
    cells: dict[tuple[int, int], Any] = field(default_factory=dict)

    @property
    def size(self) -> tuple[int, int]:
        grid = self.properties["gridProperties"]
        return grid["rowCount"], grid["columnCount"]


@dataclass
class Google:
    """A running server. `refuse` holds statuses that the next requests get; `seen` the requests
    that came, without their bodies."""

    url: str = ""
    sheets: dict[str, Sheet] = field(default_factory=dict)
    refuse: list[int] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    shared: bool = True
    public: bytes = b""

    def reset(self) -> None:
        """A new spreadsheet as Google makes it: one small empty sheet."""
        self.sheets = {
            "Sheet1": Sheet(
                {
                    "sheetId": 0,
                    "title": "Sheet1",
                    "gridProperties": {"rowCount": 5, "columnCount": 3},
                }
            )
        }
        self.refuse, self.seen, self.shared = [], [], True

    def check(self, authorization: str) -> None:
        """A token that the account's key has signed, for spreadsheets and nothing else."""
        from google.auth import jwt

        try:
            claims = jwt.decode(authorization.removeprefix("Bearer "), certs=self.public)
        except ValueError as error:
            raise Refused(401, str(error)) from error
        if (claims["iss"], claims["scope"]) != (
            "cograde@study.example",
            "https://www.googleapis.com/auth/spreadsheets",
        ):
            raise Refused(403, "another account or scope")

    def rows(self, title: str) -> list[list[Any]]:
        """A sheet's values, as the API shows them unformatted."""
        return self.values(title, "UNFORMATTED_VALUE")

    def values(self, title: str, rendered: str) -> list[list[Any]]:
        cells = self.sheets[title].cells
        table: list[list[Any]] = []
        for row in range(max((r for r, _ in cells), default=-1) + 1):
            line = [
                cells.get((row, c), "")
                for c in range(max((c for r, c in cells if r == row), default=-1) + 1)
            ]
            table.append(
                [v[0 if rendered == "FORMULA" else 1] if isinstance(v, tuple) else v for v in line]
            )
        return table

    def answer(
        self, method: str, path: str, query: dict[str, list[str]], body: dict[str, Any]
    ) -> Any:
        """What the API says to a request."""
        rest = path.removeprefix(f"/v4/spreadsheets/{BOOK}")
        if rest == path or not self.shared:
            raise Refused(404 if self.shared else 403, "The caller does not have permission")
        if (method, rest) == ("GET", ""):
            return {
                "properties": {"title": "Team study"},
                "sheets": [{"properties": s.properties} for s in self.sheets.values()],
            }
        if method == "GET" and rest.startswith("/values/"):
            found = _RANGE.match(unquote(rest.removeprefix("/values/")))
            title = found.group(1).replace("''", "'") if found else ""
            if title not in self.sheets:
                raise Refused(400, "Unable to parse range")
            table = self.values(title, query["valueRenderOption"][0])
            return {"range": title, "values": table} if table else {"range": title}
        if (method, rest) == ("POST", "/values:batchUpdate"):
            return self._write(body)
        if (method, rest) == ("POST", ":batchUpdate"):
            return {"replies": [self._build(request) for request in body["requests"]]}
        raise Refused(400, f"not part of this test server: {method} {rest}")

    def _write(self, body: dict[str, Any]) -> Any:
        """All blocks, or none if one does not fit."""
        made: list[tuple[Sheet, tuple[int, int], Any]] = []
        for block in body["data"]:
            found = _RANGE.match(block["range"])
            title = found.group(1).replace("''", "'") if found else ""
            if found is None or not found.group(2) or title not in self.sheets:
                raise Refused(400, f"Unable to parse range: {block['range']}")
            sheet, top, left = self.sheets[title], int(found.group(3)) - 1, _column(found.group(2))
            bottom, right = int(found.group(5)) - 1, _column(found.group(4))
            if bottom >= sheet.size[0] or right >= sheet.size[1]:
                raise Refused(400, f"Range ({block['range']}) exceeds grid limits")
            if len(block["values"]) > bottom - top + 1 or any(
                len(row) > right - left + 1 for row in block["values"]
            ):
                raise Refused(
                    400, "Requested writing within range, but tried writing to another one"
                )
            made += [
                (sheet, (top + r, left + c), v)
                for r, row in enumerate(block["values"])
                for c, v in enumerate(row)
            ]
        for sheet, at, value in made:
            sheet.cells.pop(at, None)
            if (
                isinstance(value, str)
                and value.startswith("=")
                and body["valueInputOption"] != "RAW"
            ):
                sheet.cells[at] = (value, "ran")
            elif value not in ("", None):
                sheet.cells[at] = value
        return {"totalUpdatedCells": len(made)}

    def _build(self, request: dict[str, Any]) -> Any:
        ((what, body),) = request.items()
        if what == "addSheet":
            properties = body["properties"]
            if properties["title"] in self.sheets or any(
                s.properties["sheetId"] == properties["sheetId"] for s in self.sheets.values()
            ):
                raise Refused(400, "A sheet with this name or id already exists")
            self.sheets[properties["title"]] = Sheet(properties)
            return {"addSheet": {"properties": properties}}
        if what == "appendDimension":
            sheet = next(
                s for s in self.sheets.values() if s.properties["sheetId"] == body["sheetId"]
            )
            sheet.properties["gridProperties"][
                "rowCount" if body["dimension"] == "ROWS" else "columnCount"
            ] += body["length"]
            return {}
        raise Refused(400, f"not part of this test server: {what}")


def _column(name: str) -> int:
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - 64
    return number - 1


@contextmanager
def google() -> Iterator[Google]:
    """A server with one spreadsheet."""
    state = Google()
    state.reset()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self._reply(json.loads(body))

        def _reply(self, body: dict[str, Any]) -> None:
            parts = urlsplit(self.path)
            state.seen.append(
                f"{self.command} {parts.path.removeprefix('/v4/spreadsheets/' + BOOK)}"
            )
            try:
                if state.refuse:
                    raise Refused(state.refuse.pop(0), "not now")
                state.check(str(self.headers.get("Authorization")))
                self._send(200, state.answer(self.command, parts.path, parse_qs(parts.query), body))
            except Refused as error:
                self._send(
                    error.args[0],
                    {
                        "error": {
                            "code": error.args[0],
                            "message": error.args[1],
                            "status": "REFUSED",
                        }
                    },
                )

        def _send(self, status: int, body: Any) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *words: Any) -> None:
            """Silence."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def key_file(place: Path, server: Google) -> Path:
    """The JSON key of a service account that `server` knows.

    Its domain is not Google's: google-auth then signs tokens itself and asks no other host about
    the account.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    server.public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    who = {
        "type": "service_account",
        "client_email": "cograde@study.example",
        "private_key": pem,
        "token_uri": f"{server.url}/token",
    }
    place.write_text(
        json.dumps({**who, "private_key_id": "1", "universe_domain": "study.example"}), "utf-8"
    )
    return place
