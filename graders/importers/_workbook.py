"""What a spreadsheet's zip holds beside the values: its size unpacked, and the formulas that gave an error."""

from __future__ import annotations

import re
import zipfile
from html import unescape
from pathlib import Path
from typing import IO

from graders.core.errors import InputError

#: A spreadsheet that unpacks to more than this is refused: 512 MB.
LARGEST = 512 * 1024 * 1024

_SHEET = re.compile(rb"<(?:\w+:)?sheet\b[^>]*>")
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^>]*>")
_CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*\bt=\"e\"[^>]*)>(.*?)</(?:\w+:)?c>", re.DOTALL)
_VALUE = re.compile(rb"<(?:\w+:)?v>(.*?)</(?:\w+:)?v>", re.DOTALL)
_PLACE = re.compile(rb'\br="([A-Z]{1,3})(\d{1,7})"')
_CHUNK = 4 * 1024 * 1024


def check_size(path: Path) -> None:
    """InputError for a file that would unpack to more than `LARGEST` bytes; silent for one that is no zip."""
    try:
        with zipfile.ZipFile(path) as archive:
            total = sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return
    if total > LARGEST:
        raise InputError(
            path.name,
            found=f"{total / 1e6:,.0f} MB when unpacked",
            expected=f"at most {LARGEST / 1e6:,.0f} MB",
            remedy="Save the sheet as CSV; CSV files may be of any size.",
        )


def formula_errors(path: Path, sheet: str) -> dict[tuple[int, int], str]:
    """(row, column), both from 0, -> the error (``#DIV/0!``) of every cell of a sheet that has one; .xlsx only."""
    try:
        with zipfile.ZipFile(path) as archive:
            member = _member(archive, sheet)
            if not member:
                return {}
            with archive.open(member) as stream:
                return dict(_errors(stream))
    except (zipfile.BadZipFile, OSError, KeyError, ValueError):
        return {}


def _attribute(tag: bytes, name: str) -> str:
    found = re.search(rb"\b" + name.encode() + rb'="([^"]*)"', tag)
    return unescape(found.group(1).decode("utf-8", "replace")) if found else ""


def _member(archive: zipfile.ZipFile, sheet: str) -> str:
    book, relations = archive.read("xl/workbook.xml"), archive.read("xl/_rels/workbook.xml.rels")
    wanted = next((_attribute(tag, "r:id") for tag in _SHEET.findall(book) if _attribute(tag, "name") == sheet), "")
    target = next((_attribute(tag, "Target") for tag in _RELATION.findall(relations) if wanted and _attribute(tag, "Id") == wanted), "")
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}" if target else ""


def _errors(stream: IO[bytes]) -> list[tuple[tuple[int, int], str]]:
    found: list[tuple[tuple[int, int], str]] = []
    rest = b""
    for chunk in iter(lambda: stream.read(_CHUNK), b""):
        text = rest + chunk
        cut = text.rfind(b"</row>") + 1 or 0
        text, rest = (text[:cut], text[cut:]) if cut else (b"", text)
        found += _errors_in(text)
    return found + _errors_in(rest)


def _errors_in(text: bytes) -> list[tuple[tuple[int, int], str]]:
    if b't="e"' not in text:
        return []
    found = []
    for attributes, inside in _CELL.findall(text):
        place, value = _PLACE.search(attributes), _VALUE.search(inside)
        if place:
            column = 0
            for letter in place.group(1):
                column = column * 26 + letter - 64
            found.append(((int(place.group(2)) - 1, column - 1), value.group(1).decode("utf-8", "replace") if value else "an error"))
    return found
