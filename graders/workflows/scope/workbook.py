"""Rows as a workbook. Texts stay texts: no formula runs, no address becomes a link."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from graders.exporters.sheets.cells import clean, plain

Row = Sequence[Any]


def write_sheets(target: Path, sheets: Iterable[tuple[str, Iterable[Row]]]) -> None:
    """A sheet for each (name, rows); the first row of each is its head, and there must be one."""
    import xlsxwriter

    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with target.open("wb") as out, xlsxwriter.Workbook(out, options) as book:
        head = book.add_format({"bold": True, "bg_color": "#E8EDF5", "bottom": 1})
        for name, rows in sheets:
            _fill(book.add_worksheet(name), list(rows), head)


def _fill(sheet: Any, rows: Sequence[Row], head: Any) -> None:
    for column in range(len(rows[0])):
        longest = max(len(str(plain(row[column]))) for row in rows[:200])
        sheet.set_column(column, column, min(max(longest + 2, 8), 60))
    for number, row in enumerate(rows):
        for column, value in enumerate(map(plain, row)):
            if isinstance(value, str):
                sheet.write_string(number, column, clean(value), *([head] if number == 0 else []))
            else:
                sheet.write_number(number, column, value)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, max(len(rows) - 1, 1), len(rows[0]) - 1)
