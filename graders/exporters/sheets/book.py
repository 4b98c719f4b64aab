"""A workbook that is already there: its cells are read and single ones set; every other byte of its
parts stays as it was."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.dom import minidom
from xml.etree import ElementTree
from xml.parsers.expat import ExpatError

from graders.core.errors import Conflict, InputError
from graders.core.scale import Value
from graders.core.words import error_parts
from graders.exporters.sheets._book_xml import (
    PLACE,
    child,
    column_of,
    harmless,
    set_cells,
    text_of,
    unescaped,
    whole,
)
from graders.exporters.sheets.files import finished
from graders.exporters.sheets.places import Cell

#: A workbook that unpacks to more than this is refused: 512 MB.
LARGEST = 512 * 1024 * 1024
_BOOK, _RELATIONS, _TYPES = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "[Content_Types].xml"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
#: What a zip or an XML text that is no good raises; RuntimeError is one with a password.
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    KeyError,
    ExpatError,
    ElementTree.ParseError,
    OSError,
    RuntimeError,
    NotImplementedError,
)


class Workbook:
    """An XLSX file. `put` and `hide` change it in memory, `save` writes it if it is unchanged since
    it was opened."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name
        self._read: dict[str, tuple[dict[tuple[int, int], Cell], set[tuple[int, int]]]] = {}
        try:
            self._stamp = _stamp(path)
            with zipfile.ZipFile(path) as archive:
                if sum(info.file_size for info in archive.infolist()) > LARGEST:
                    raise InputError(**error_parts("sheets.error.too_big", name=path.name))
                self._parts = {info.filename: archive.read(info) for info in archive.infolist()}
            self._members = self._find()
            self._strings = self._shared()
        except _DAMAGED as error:
            raise InputError(**error_parts("sheets.error.no_workbook", name=path.name)) from error

    # -- reading

    def pages(self) -> list[str]:
        """Names of the sheets that people see, in order."""
        return [name for name, (_, hidden) in self._members.items() if not hidden]

    def grid(self, page: str) -> dict[tuple[int, int], Cell]:
        """The filled cells of a sheet; empty for one that is not there."""
        return self._cells(page)[0]

    def formulas(self, page: str) -> set[tuple[int, int]]:
        """The cells of a sheet that hold a formula."""
        return self._cells(page)[1]

    def _cells(self, page: str) -> tuple[dict[tuple[int, int], Cell], set[tuple[int, int]]]:
        if page not in self._read:
            self._read[page] = self._parsed(page)
        return self._read[page]

    def _parsed(self, page: str) -> tuple[dict[tuple[int, int], Cell], set[tuple[int, int]]]:
        cells: dict[tuple[int, int], Cell] = {}
        formulas: set[tuple[int, int]] = set()
        if page not in self._members:
            return cells, formulas
        try:
            root = ElementTree.fromstring(harmless(self._parts[self._members[page][0]]))
        except (KeyError, ElementTree.ParseError) as error:
            raise InputError(
                **error_parts("sheets.error.damaged", name=self.name, page=page)
            ) from error
        row = -1
        for line in root.iterfind("{*}sheetData/{*}row"):
            row = int(line.get("r") or row + 2) - 1
            column = -1
            for cell in line.iterfind("{*}c"):
                found = PLACE.match(cell.get("r") or "")
                column = column_of(found.group(1)) if found else column + 1
                if cell.find("{*}f") is not None:
                    formulas.add((row, column))
                value = self._value(cell)
                if value != "":
                    cells[row, column] = value
        return cells, formulas

    def _value(self, cell: ElementTree.Element) -> Cell:
        kind = cell.get("t") or "n"
        if kind == "inlineStr":
            return text_of(cell.find("{*}is"))
        text = cell.findtext("{*}v") or ""
        if kind == "s":
            return (
                self._strings[int(text)]
                if text.isdecimal() and int(text) < len(self._strings)
                else ""
            )
        if kind == "b":
            return text == "1"
        if kind != "n" or not text:
            return unescaped(text)
        try:
            number = float(text)
        except ValueError:
            return text
        return int(number) if number.is_integer() and abs(number) < 1e15 else number

    # -- changing

    def put(self, page: str, cells: Mapping[tuple[int, int], Value]) -> None:
        """Set cells of a sheet that people see; the sheet is added if it is not there. Formats
        stay."""
        if page not in self._members:
            self._add(page, "")
        if not cells:
            return
        member = self._members[page][0]
        document = minidom.parseString(harmless(self._parts[member]))
        set_cells(document, cells)
        self._parts[member] = document.toxml(encoding="UTF-8")
        self._read.pop(page, None)

    def hide(self, page: str, rows: Sequence[Sequence[Value]]) -> None:
        """Replace all of a hidden sheet, added if it is not there."""
        if page not in self._members:
            self._add(page, "hidden")
        self._parts[self._members[page][0]] = whole(rows)
        self._read.pop(page, None)

    def save(self) -> None:
        """Write the file. Conflict if another program saved it meanwhile; then nothing is
        written."""
        self._recalculate()
        with finished(self.path) as temporary:
            with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, content in self._parts.items():
                    archive.writestr(name, content)
            if _stamp(self.path) != self._stamp:
                raise Conflict(**error_parts("sheets.error.saved_meanwhile", name=self.name))

    # -- the parts of the file

    def _find(self) -> dict[str, tuple[str, bool]]:
        """Sheet name -> (its part, whether it is hidden)."""
        targets = {}
        for relation in ElementTree.fromstring(harmless(self._parts[_RELATIONS])):
            target = relation.get("Target") or ""
            targets[relation.get("Id")] = (
                target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            )
        found = {}
        for sheet in ElementTree.fromstring(harmless(self._parts[_BOOK])).iterfind(
            "{*}sheets/{*}sheet"
        ):
            key = next((value for name, value in sheet.attrib.items() if name.endswith("}id")), "")
            member = targets.get(key, "")
            if member.startswith("xl/worksheets/"):
                found[sheet.get("name") or ""] = (
                    member,
                    (sheet.get("state") or "visible") != "visible",
                )
        return found

    def _shared(self) -> list[str]:
        content = self._parts.get("xl/sharedStrings.xml")
        return (
            []
            if content is None
            else [
                text_of(item)
                for item in ElementTree.fromstring(harmless(content)).iterfind("{*}si")
            ]
        )

    def _add(self, page: str, state: str) -> None:
        """Add an empty sheet: its part, its entry in the workbook, its relation and its content
        type."""
        number = 1
        while f"xl/worksheets/cograde{number}.xml" in self._parts:
            number += 1
        member = f"xl/worksheets/cograde{number}.xml"
        self._parts[member] = whole(())
        book = minidom.parseString(harmless(self._parts[_BOOK]))
        sheets = book.getElementsByTagNameNS("*", "sheets")[0]
        used = [
            int(s.getAttribute("sheetId") or 0) for s in sheets.getElementsByTagNameNS("*", "sheet")
        ]
        entry = child(sheets, "sheet", name=page, sheetId=str(max(used, default=0) + 1))
        if state:
            entry.setAttribute("state", state)
        entry.setAttribute("xmlns:r", _DOCUMENT)
        entry.setAttribute("r:id", f"cograde{number}")
        self._parts[_BOOK] = book.toxml(encoding="UTF-8")
        relations = minidom.parseString(harmless(self._parts[_RELATIONS]))
        kind = f"{_DOCUMENT}/worksheet"
        child(
            relations.documentElement,
            "Relationship",
            Id=f"cograde{number}",
            Type=kind,
            Target=f"worksheets/cograde{number}.xml",
        )
        self._parts[_RELATIONS] = relations.toxml(encoding="UTF-8")
        types = minidom.parseString(harmless(self._parts[_TYPES]))
        child(types.documentElement, "Override", PartName=f"/{member}", ContentType=_SHEET_TYPE)
        self._parts[_TYPES] = types.toxml(encoding="UTF-8")
        self._members[page] = (member, bool(state))

    def _recalculate(self) -> None:
        """Have formulas that people put beside worked out anew when the file is opened."""
        book = minidom.parseString(harmless(self._parts[_BOOK]))
        for found in book.getElementsByTagNameNS("*", "calcPr"):
            found.setAttribute("fullCalcOnLoad", "1")
            self._parts[_BOOK] = book.toxml(encoding="UTF-8")


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size
