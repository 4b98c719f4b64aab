"""The XML of a workbook's parts: cells are set in a sheet whose every other element stays, and
texts are never formulas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.dom import Node
from xml.etree import ElementTree
from xml.parsers.expat import ExpatError
from xml.sax.saxutils import escape

from graders.core.scale import Value
from graders.exporters.sheets.cells import clean
from graders.exporters.sheets.places import letters

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PLACE = re.compile(r"([A-Z]{1,3})(\d{1,7})$")
#: How the format writes characters that XML cannot hold; a text that looks like it is written with
#: its underscore so.
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def set_cells(document: Any, cells: Mapping[tuple[int, int], Value]) -> None:
    """Set cells of a sheet's document by row and column from 0."""
    data = document.getElementsByTagNameNS("*", "sheetData")[0]
    for extent in document.getElementsByTagNameNS("*", "dimension"):
        extent.parentNode.removeChild(extent)
    lines: dict[int, Any] = {}
    for line in _elements(data):
        lines[int(line.getAttribute("r") or max(lines, default=-1) + 2) - 1] = line
    wanted: dict[int, dict[int, Value]] = {}
    for (row, column), value in cells.items():
        wanted.setdefault(row, {})[column] = value
    for row in sorted(wanted):
        if row not in lines:
            after = min((r for r in lines if r > row), default=None)
            lines[row] = child(
                data, "row", before=lines[after] if after is not None else None, r=str(row + 1)
            )
        _set_row(lines[row], row, wanted[row])


def _set_row(line: Any, row: int, values: Mapping[int, Value]) -> None:
    if line.hasAttribute("spans"):
        line.removeAttribute("spans")
    present: dict[int, Any] = {}
    for cell in _elements(line):
        found = PLACE.match(cell.getAttribute("r"))
        column = column_of(found.group(1)) if found else max(present, default=-1) + 1
        cell.setAttribute("r", f"{letters(column)}{row + 1}")
        present[column] = cell
    for column, value in sorted(values.items()):
        if column not in present:
            after = min((c for c in present if c > column), default=None)
            before = present[after] if after is not None else None
            present[column] = child(line, "c", before=before, r=f"{letters(column)}{row + 1}")
        _fill(present[column], value)


def _fill(cell: Any, value: Value) -> None:
    """Give a cell a text or a number; a text is never a formula, whatever it begins with."""
    for old in list(cell.childNodes):
        cell.removeChild(old)
    for name in ("t", "cm", "vm"):
        if cell.hasAttribute(name):
            cell.removeAttribute(name)
    if isinstance(value, str):
        if value:
            cell.setAttribute("t", "inlineStr")
            text = child(child(cell, "is"), "t")
            text.setAttribute("xml:space", "preserve")
            text.appendChild(text.ownerDocument.createTextNode(_escaped(value)))
    else:
        number = child(cell, "v")
        number.appendChild(number.ownerDocument.createTextNode(repr(value)))


def child(parent: Any, tag: str, /, before: Any = None, **attributes: str) -> Any:
    """A new element within `parent`, in its name space and with its prefix; before another, or
    last."""
    prefix = f"{parent.prefix}:" if parent.prefix else ""
    made = parent.ownerDocument.createElementNS(parent.namespaceURI, prefix + tag)
    for key, value in attributes.items():
        made.setAttribute(key, clean(value))
    parent.insertBefore(made, before)
    return made


def _elements(parent: Any) -> list[Any]:
    return [node for node in parent.childNodes if node.nodeType == Node.ELEMENT_NODE]


def whole(rows: Sequence[Sequence[Value]]) -> bytes:
    """A sheet that holds nothing but these rows."""
    lines = []
    for number, row in enumerate(rows, 1):
        cells = "".join(
            _cell(f"{letters(column)}{number}", value)
            for column, value in enumerate(row)
            if value != ""
        )
        lines.append(f'<row r="{number}">{cells}</row>')
    return (
        '<?xml version="1.0" encoding="UTF-8"?><worksheet '
        f'xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'
    ).encode()


def _cell(place: str, value: Value) -> str:
    if isinstance(value, str):
        return (
            f'<c r="{place}" t="inlineStr"><is><t '
            f'xml:space="preserve">{escape(_escaped(value))}</t></is></c>'
        )
    return f'<c r="{place}"><v>{value!r}</v></c>'


def harmless(content: bytes) -> bytes:
    """XML without a document type, which alone can define entities that grow when they are read."""
    if b"<!DOCTYPE" in content or b"<\x00!\x00D" in content or b"\x00<\x00!\x00D" in content:
        raise ExpatError("a document type")
    return content


def text_of(element: ElementTree.Element | None) -> str:
    """The text of a string item, runs joined, readings of Japanese and Chinese words left out."""
    if element is None:
        return ""
    pieces = [*element.iterfind("{*}t"), *element.iterfind("{*}r/{*}t")]
    return "".join(unescaped(piece.text or "") for piece in pieces)


def _escaped(text: str) -> str:
    return _ESCAPED.sub(r"_x005F_x\1_", clean(text))


def unescaped(text: str) -> str:
    """A text with the characters that the format writes as ``_x000D_``."""
    return _ESCAPED.sub(lambda found: chr(int(found.group(1), 16)), text) if "_x" in text else text


def column_of(name: str) -> int:
    """A column's number from 0: A is 0, AA is 26."""
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - 64
    return number - 1
