"""A spreadsheet at Google, through gspread: read once, changed in memory, written by one request or
not at all."""

from __future__ import annotations

import ipaddress
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from graders.core.errors import CogradeError, Conflict, InputError
from graders.core.scale import Value
from graders.core.words import error_parts, say
from graders.exporters.sheets.cells import clean
from graders.exporters.sheets.places import Cell, letters

#: Where the Sheets API answers, and the one permission that is asked for.
API = "https://sheets.googleapis.com"
SCOPE = "https://www.googleapis.com/auth/spreadsheets"
ADDRESS = "https://docs.google.com/spreadsheets/"
#: Seconds to connect and to wait for a reply; seconds before each repeat of a request that was
#: refused for now.
TIMEOUT = (10.0, 120.0)
WAITS = (2.0, 8.0, 30.0)
#: Refused for now, and certainly not carried out.
LATER = (429, 503)
Changes = dict[tuple[int, int], Value]


class GoogleBook:
    """The spreadsheet at an address. `put` and `hide` change it in memory, `save` writes it unless
    it was changed meanwhile.

    Texts are sent as they are (``RAW``): Google stores them as texts, whatever they begin with.
    """

    def __init__(self, spreadsheet: Any, told: Callable[[], Any]) -> None:
        self._book, self._told = spreadsheet, told
        self.name = clean(str(spreadsheet.title))
        with told():
            self._sheets = {
                p["title"]: p
                for p in (s["properties"] for s in spreadsheet.fetch_sheet_metadata()["sheets"])
            }
        self._read: dict[str, Changes] = {}
        self._changed: dict[str, Changes] = {}
        self._hidden: set[str] = set()

    def pages(self) -> list[str]:
        """Names of the sheets that people see, in order."""
        return [
            name
            for name, p in self._sheets.items()
            if not p.get("hidden") and p.get("sheetType", "GRID") == "GRID"
        ]

    def grid(self, page: str) -> dict[tuple[int, int], Cell]:
        """The filled cells of a sheet, as it stood when it was first asked for; empty for one that
        is not there."""
        if page not in self._read:
            self._read[page] = self._values(page, "UNFORMATTED_VALUE")
        return self._read[page]

    def formulas(self, page: str) -> set[tuple[int, int]]:
        """The cells of a sheet that hold a formula."""
        shown = self.grid(page)
        found = self._values(page, "FORMULA")
        return {
            at
            for at, text in found.items()
            if isinstance(text, str) and text.startswith("=") and shown.get(at) != text
        }

    def put(self, page: str, cells: Mapping[tuple[int, int], Value]) -> None:
        """Set cells of a sheet that people see; the sheet is added if it is not there. Formats
        stay."""
        self._changed.setdefault(page, {}).update(
            {at: clean(v) if isinstance(v, str) else v for at, v in cells.items()}
        )

    def hide(self, page: str, rows: Sequence[Sequence[Value]]) -> None:
        """Replace all of a hidden sheet, added if it is not there."""
        self._hidden.add(page)
        wanted = {(r, c): value for r, row in enumerate(rows) for c, value in enumerate(row)}
        old = self.grid(page)
        self.put(
            page,
            dict.fromkeys(old.keys() - wanted.keys(), "")
            | {at: v for at, v in wanted.items() if old.get(at, "") != v},
        )

    def save(self) -> None:
        """Write all changes at once. Conflict if one of the sheets was changed since it was read;
        then nothing is written."""
        for page in self._changed:
            if page in self._read and self._values(page, "UNFORMATTED_VALUE") != self._read[page]:
                raise Conflict(
                    **error_parts("sheets.error.google_meanwhile", name=self.name, page=page)
                )
        requests = [
            request for page, cells in self._changed.items() for request in self._room(page, cells)
        ]
        data = [
            {"range": _range(page, block), "values": block[2]}
            for page, cells in self._changed.items()
            for block in _blocks(cells)
        ]
        with self._told():
            if requests:
                self._book.batch_update({"requests": requests})
            if data:
                self._book.values_batch_update({"valueInputOption": "RAW", "data": data})

    def _values(self, page: str, rendered: str) -> Changes:
        if page not in self._sheets:
            return {}
        with self._told():
            found = self._book.values_get(
                _quoted(page), params={"valueRenderOption": rendered}
            ).get("values", [])
        return {
            (r, c): value
            for r, row in enumerate(found)
            for c, value in enumerate(row)
            if value not in ("", None)
        }

    def _room(self, page: str, cells: Changes) -> Iterator[dict[str, Any]]:
        """Requests that add a sheet, or rows and columns to one that is too small."""
        height, width = (max((at[i] for at in cells), default=0) + 1 for i in (0, 1))
        hidden = page in self._hidden
        if page not in self._sheets:
            number = max((p["sheetId"] for p in self._sheets.values()), default=0) + 1
            size = {"rowCount": max(height, 100), "columnCount": max(width, 12)}
            frozen = {} if hidden else {"frozenRowCount": 1, "frozenColumnCount": 2}
            properties = {
                "sheetId": number,
                "title": page,
                "hidden": hidden,
                "gridProperties": size | frozen,
            }
            self._sheets[page] = properties
            yield {"addSheet": {"properties": properties}}
            return
        size = self._sheets[page].get("gridProperties", {})
        for dimension, needed, present in (
            ("ROWS", height, size.get("rowCount", 0)),
            ("COLUMNS", width, size.get("columnCount", 0)),
        ):
            if needed > present:
                yield {
                    "appendDimension": {
                        "sheetId": self._sheets[page]["sheetId"],
                        "dimension": dimension,
                        "length": needed - present,
                    }
                }


def open_google(
    address: str, credentials: Path | None, api: str = API, waits: Sequence[float] = WAITS
) -> GoogleBook:
    """The spreadsheet at an address, by a service account's key file. `waits`: seconds before each
    repeat of a refused request."""
    try:
        from gspread.auth import service_account_from_dict
    except ImportError as error:
        raise InputError(**error_parts("sheets.error.no_gspread")) from error
    if credentials is None:
        raise InputError(**error_parts("sheets.error.no_key"))
    _check(api)
    try:
        info = dict(json.loads(credentials.read_text("utf-8")))
    except (OSError, TypeError, ValueError) as error:
        raise _bad_key(credentials, error) from error
    told = _Told(address, credentials)
    with told():
        client = service_account_from_dict(info, scopes=[SCOPE], http_client=_client(api, waits))
        client.set_timeout(TIMEOUT)
        told.account = str(getattr(client.http_client.auth, "service_account_email", ""))
        return GoogleBook(client.open_by_url(address), told)


def _client(api: str, waits: Sequence[float]) -> Any:
    """gspread's client for another address, which asks again where it was refused for now."""
    from gspread.exceptions import APIError
    from gspread.http_client import HTTPClient

    def request(self: Any, method: str, endpoint: str, *more: Any, **options: Any) -> Any:
        endpoint = (
            api.rstrip("/") + endpoint.removeprefix(API) if endpoint.startswith(API) else endpoint
        )
        for wait in waits:
            try:
                return HTTPClient.request(self, method, endpoint, *more, **options)
            except APIError as error:
                if error.response.status_code not in LATER:
                    raise
                time.sleep(wait)
        return HTTPClient.request(self, method, endpoint, *more, **options)

    return type("Client", (HTTPClient,), {"request": request})


def _check(api: str) -> None:
    """Keys are only sent encrypted, or within this machine."""
    parts = urlsplit(api)
    host = parts.hostname or ""
    try:
        local = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = False
    if parts.scheme != "https" and not (parts.scheme == "http" and local):
        raise InputError(**error_parts("sheets.error.not_encrypted", api=api))


class _Told:
    """Makes an error on the way to Google one sentence."""

    def __init__(self, address: str, credentials: Path) -> None:
        self.address, self.credentials, self.account = address, credentials, ""

    @contextmanager
    def __call__(self) -> Iterator[None]:
        from google.auth.exceptions import GoogleAuthError, TransportError
        from gspread.exceptions import APIError, NoValidUrlKeyFound, SpreadsheetNotFound
        from requests import RequestException

        where = f"Google sheet {self.address}"
        try:
            yield
        except CogradeError:
            raise
        except (PermissionError, SpreadsheetNotFound, NoValidUrlKeyFound) as error:
            who = say("sheets.with_account", account=self.account) if self.account else ""
            raise InputError(
                **error_parts("sheets.error.not_shared", where=where, who=who)
            ) from error
        except APIError as error:
            found = f"{error.response.status_code}: {str(error.error.get('message'))[:200]}"
            raise InputError(
                **error_parts("sheets.error.google_reply", where=where, found=found)
            ) from error
        except (GoogleAuthError, OSError, ValueError) as error:
            if isinstance(error, RequestException | TransportError):
                raise InputError(
                    **error_parts("sheets.error.no_connection", where=where)
                ) from error
            raise _bad_key(self.credentials, error) from error


def _bad_key(credentials: Path, error: Exception) -> InputError:
    found = (error.strerror or "") if isinstance(error, OSError) else type(error).__name__
    return InputError(**error_parts("sheets.error.bad_key", credentials=credentials, found=found))


Block = tuple[int, int, list[list[Value]]]


def _blocks(cells: Changes) -> Iterator[Block]:
    """Cells as blocks of neighbours: (first row, first column, rows); runs of equal extent below
    one another are one block."""
    block: Block | None = None
    for row, start, values in _runs(cells):
        if (
            block is not None
            and block[1] == start
            and len(block[2][0]) == len(values)
            and block[0] + len(block[2]) == row
        ):
            block[2].append(values)
            continue
        if block is not None:
            yield block
        block = (row, start, [values])
    if block is not None:
        yield block


def _runs(cells: Changes) -> Iterator[tuple[int, int, list[Value]]]:
    """Neighbours within a row: (row, first column, values)."""
    run: tuple[int, int, list[Value]] | None = None
    for (row, column), value in sorted(cells.items(), key=lambda item: item[0]):
        if run is not None and run[0] == row and run[1] + len(run[2]) == column:
            run[2].append(value)
            continue
        if run is not None:
            yield run
        run = (row, column, [value])
    if run is not None:
        yield run


def _range(page: str, block: Block) -> str:
    row, column, values = block
    last = f"{letters(column + len(values[0]) - 1)}{row + len(values)}"
    return f"{_quoted(page)}!{letters(column)}{row + 1}:{last}"


def _quoted(page: str) -> str:
    return "'" + page.replace("'", "''") + "'"
