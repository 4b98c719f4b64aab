"""A workbook that is not there yet, with headings, frozen panes and colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graders.core.scale import Value
from graders.exporters.sheets.cells import clean
from graders.exporters.sheets.files import finished
from graders.exporters.sheets.places import Cell
from graders.exporters.sheets.study import PENDING, STAR

#: Widths of the first columns of a sheet, then of all others.
WIDTHS = (14, 48, 24, 16)


class NewWorkbook:
    """Sheets that are gathered in memory and written by `save`. Texts stay texts: no formula runs,
    no address becomes a link."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name
        self._pages: dict[str, dict[tuple[int, int], Value]] = {}
        self._hidden: set[str] = set()

    def pages(self) -> list[str]:
        """Names of the sheets that people see."""
        return [name for name in self._pages if name not in self._hidden]

    def grid(self, page: str) -> dict[tuple[int, int], Cell]:
        """What was put so far."""
        return dict(self._pages.get(page, {}))

    def formulas(self, page: str) -> set[tuple[int, int]]:
        """None: texts stay texts."""
        return set()

    def put(self, page: str, cells: Mapping[tuple[int, int], Value]) -> None:
        """Set cells of a sheet."""
        self._pages.setdefault(page, {}).update(cells)

    def hide(self, page: str, rows: Sequence[Sequence[Value]]) -> None:
        """Give the book a hidden sheet."""
        self._hidden.add(page)
        self._pages[page] = {
            (r, c): value for r, row in enumerate(rows) for c, value in enumerate(row)
        }

    def save(self) -> None:
        """Write the file; an existing one is replaced."""
        import xlsxwriter

        options = {
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        }
        with (
            finished(self.path) as temporary,
            temporary.open("wb") as out,
            xlsxwriter.Workbook(out, options) as book,
        ):
            formats = {
                "head": book.add_format(
                    {
                        "bold": True,
                        "bg_color": "#E8EDF5",
                        "bottom": 1,
                        "text_wrap": True,
                        "valign": "top",
                    }
                ),
                "first": book.add_format({"top": 1, "text_wrap": True, "valign": "top"}),
                "plain": book.add_format({"text_wrap": True, "valign": "top"}),
                "star": book.add_format({"bg_color": "#FFE9A8", "bold": True}),
                PENDING: book.add_format({"font_color": "#8A8F98", "italic": True}),
            }
            for name, cells in self._pages.items():
                _write(book.add_worksheet(name), cells, formats, name in self._hidden)


def _write(
    sheet: Any, cells: Mapping[tuple[int, int], Value], formats: Mapping[str, Any], hidden: bool
) -> None:
    width = max((column for _, column in cells), default=0)
    height = max((row for row, _ in cells), default=0)
    if hidden:
        sheet.hide()
    else:
        sheet.set_column(len(WIDTHS) - 1, max(width, len(WIDTHS) - 1), WIDTHS[-1])
        for column, size in enumerate(WIDTHS[:-1]):
            sheet.set_column(column, column, size)
        sheet.freeze_panes(1, 3)
        for start, look in ((STAR, "star"), (PENDING, PENDING)):
            rule = {
                "type": "text",
                "criteria": "begins with",
                "value": start,
                "format": formats[look],
            }
            sheet.conditional_format(1, 3, max(height, 1), max(width, 3), rule)
    style: Any
    before: Any = None
    for row in range(height + 1):
        block = cells.get((row, 0))
        style = (
            None
            if hidden
            else formats["head"]
            if row == 0
            else formats["first"]
            if block != before
            else formats["plain"]
        )
        before = block
        for column in range(width + 1):
            value = cells.get((row, column), "")
            if not isinstance(value, str):
                sheet.write_number(row, column, value, style)
            elif value:
                sheet.write_string(row, column, clean(value), style)
            elif style is not None:
                sheet.write_blank(row, column, None, style)
