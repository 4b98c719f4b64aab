"""What a spreadsheet's zip says before it is loaded: its size, how far its sheets reach, which
formulas failed."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import IO, NamedTuple

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.importers._archive import DAMAGED

#: A spreadsheet that unpacks to more than this is refused: 512 MB.
LARGEST = 512 * 1024 * 1024
#: A sheet that reaches over more cells than this is refused: a loaded sheet takes memory for empty
#: cells as well.
MOST_CELLS = 20_000_000

_SHEET = re.compile(rb"<(?:\w+:)?sheet\b[^>]*>")
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^>]*>")
_TAG = re.compile(rb"<(?:\w+:)?(?:c|row)\b[^>]*?\br=[\"']([A-Z]{0,3})(\d{1,9})[\"'][^>]*>")
_CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*\bt=[\"']e[\"'][^>]*)>(.*?)</(?:\w+:)?c>", re.DOTALL)
_VALUE = re.compile(rb"<(?:\w+:)?v>(.*?)</(?:\w+:)?v>", re.DOTALL)
_PLACE = re.compile(rb"\br=[\"']([A-Z]{1,3})(\d{1,9})[\"']")
_CHUNK = 4 * 1024 * 1024


class Sheet(NamedTuple):
    """Rows and columns that a sheet reaches over, and its formula errors by (row, column), both
    from 0."""

    rows: int
    columns: int
    errors: dict[tuple[int, int], str]


def check_size(path: Path) -> None:
    """InputError for a file that would unpack to more than `LARGEST` bytes; silent for one that is
    no zip."""
    try:
        with zipfile.ZipFile(path) as archive:
            total = sum(info.file_size for info in archive.infolist())
    except DAMAGED:
        return
    if total > LARGEST:
        raise InputError(
            **error_parts(
                "importers.workbook.too_large",
                file=path.name,
                size=total / 1e6,
                largest=LARGEST / 1e6,
            )
        )


def scan(path: Path, name: str) -> Sheet:
    """Extent and formula errors of a sheet, without loading it.

    InputError for one that reaches over more than `MOST_CELLS` cells, or that cannot be found.
    """
    try:
        with zipfile.ZipFile(path) as archive, archive.open(_member(archive, name)) as stream:
            sheet = _scanned(stream)
    except DAMAGED as error:
        raise InputError(
            **error_parts("importers.workbook.damaged", file=path.name, sheet=repr(name))
        ) from error
    if sheet.rows * sheet.columns > MOST_CELLS:
        raise InputError(
            **error_parts(
                "importers.workbook.too_wide",
                file=path.name,
                sheet=repr(name),
                rows=sheet.rows,
                columns=sheet.columns,
                most=MOST_CELLS,
            )
        )
    return sheet


def _attribute(tag: bytes, name: str) -> str:
    found = re.search(rb"(?<![\w:])(?:\w+:)?" + name.encode() + rb"=[\"']([^\"']*)[\"']", tag)
    return unescape(found.group(1).decode("utf-8", "replace")) if found else ""


def _member(archive: zipfile.ZipFile, sheet: str) -> str:
    """The file of a sheet; KeyError where there is none."""
    book, relations = archive.read("xl/workbook.xml"), archive.read("xl/_rels/workbook.xml.rels")
    wanted = next(
        (_attribute(tag, "id") for tag in _SHEET.findall(book) if _attribute(tag, "name") == sheet),
        "",
    )
    target = next(
        (
            _attribute(tag, "Target")
            for tag in _RELATION.findall(relations)
            if wanted and _attribute(tag, "Id") == wanted
        ),
        "",
    )
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def _scanned(stream: IO[bytes]) -> Sheet:
    rows = columns = 0
    errors: dict[tuple[int, int], str] = {}
    for text in _pieces(stream):
        places = [
            match.groups()
            for match in _TAG.finditer(text)
            if not (match.group(1) and match.group(0).endswith(b"/>"))
        ]
        rows = max([rows, *(int(row) for _, row in places)])
        columns = max(
            [columns, *(_number(letters) for letters in {letters for letters, _ in places})]
        )
        if b"t=" in text:
            errors.update(_errors(text))
    return Sheet(rows, columns, errors)


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """The stream in pieces that end with a row, so that no cell is cut."""
    rest = b""
    for chunk in iter(lambda: stream.read(_CHUNK), b""):
        text = rest + chunk
        cut = text.rfind(b"<row")
        if cut > 0:
            yield text[:cut]
            rest = text[cut:]
        else:
            rest = text
    yield rest


def _errors(text: bytes) -> Iterator[tuple[tuple[int, int], str]]:
    for attributes, inside in _CELL.findall(text):
        place, value = _PLACE.search(attributes), _VALUE.search(inside)
        if place:
            what = value.group(1).decode("utf-8", "replace") if value else "an error"
            yield (int(place.group(2)) - 1, _number(place.group(1)) - 1), what


def _number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number
