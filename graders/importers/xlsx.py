"""Spreadsheets: XLSX and XLSM."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from graders.core.contracts import Imported, Importer, Look, Table
from graders.core.errors import InputError
from graders.core.imported import SHEET_MEMORY
from graders.core.records import BadRow
from graders.core.words import carried, error_parts
from graders.importers._workbook import check_size, scan
from graders.importers.tables.cells import bad
from graders.importers.tables.looks import SAMPLE, data_rows, fit, open_bytes, stem_of, table_look
from graders.importers.tables.mended import picked
from graders.importers.tables.rows import Row, Rows, records

say = carried(
    "xlsx",
    {
        "damaged.expected": "a sheet that can be read",
        "damaged.found": "a damaged sheet {sheet}",
        "damaged.remedy": (
            "Open it in a spreadsheet program and save it anew, or save the sheet as CSV."
        ),
        "damaged.where": "{file}",
        "empty.expected": "a workbook",
        "empty.found": "an empty file",
        "empty.remedy": "Choose the file that holds the rows.",
        "empty.where": "{file}",
        "no_rows.expected": "a sheet of questions and answers",
        "no_rows.found": "no sheet with filled rows",
        "no_rows.remedy": "Choose the workbook that holds the rows.",
        "no_rows.where": "{file}",
        "study_sheet.expected": "questions and answers",
        "study_sheet.found": "a study sheet, whose columns hold grades and no answers",
        "study_sheet.remedy": (
            "Import what was changed in it: cograde sheet read {file} --person NAME."
        ),
        "study_sheet.where": "{file}",
        "no_workbook.expected": "an XLSX file",
        "no_workbook.found": "no workbook that can be read",
        "no_workbook.remedy": (
            "Open it in a spreadsheet program and save it as .xlsx, or give it the ending that "
            "fits its contents."
        ),
        "no_workbook.where": "{file}",
        "password.expected": "an open one",
        "password.found": "a workbook with a password",
        "password.remedy": "Save it without a password.",
        "password.where": "{file}",
        "formula_error": "the formula error {fault}",
        "mend_formula": (
            "Mend the formula, put a value in its place, or give the column the role ignore."
        ),
        "no_sheet.where": "{file}",
        "no_sheet.found": "no sheet {sheet}",
        "no_sheet.expected": "one of the sheets {sheets}",
        "no_sheet.remedy": "Choose one of these.",
        "value": "a value",
    },
)


#: Rows of a sheet that a look reads.
LOOKED = 2 * SAMPLE


@dataclass(frozen=True)
class Xlsx(Importer):
    """Questions and answers from one sheet of a workbook, wide or long; the sheet that looks most
    like it is proposed."""

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Spreadsheets (XLSX): one sheet with a row per question or a row per answer."
    )
    suffixes: ClassVar[tuple[str, ...]] = (".xlsx", ".xlsm")

    def fits(self, path: Path) -> int:
        """10 for a workbook, 1 where only the ending fits (`look` then says what is wrong)."""
        return fit(self, path)

    def look(self, path: Path, choices: Look | None = None) -> Look:
        """Sheets, header row and columns; `choices` may name another sheet. InputError for what is
        no workbook or empty."""
        book = _open(path)
        if SHEET_MEMORY in book.sheet_names:
            raise InputError(**error_parts("xlsx.study_sheet", file=path.name))
        visible = [
            m.name
            for m in book.sheets_metadata
            if m.name in book.sheet_names and str(m.visible).endswith(".Visible")
        ]
        sheets = tuple(visible or book.sheet_names)
        if choices is not None and choices.sheet:
            if choices.sheet not in book.sheet_names:
                raise InputError(**_no_sheet(path, book, choices.sheet))
            return replace(_look(path, book, choices.sheet, choices), sheets=sheets)
        looks, problems = list[Look](), list[InputError]()
        for sheet in sheets:
            try:
                looks.append(_look(path, book, sheet, choices))
            except InputError as error:
                if error.remedy:
                    problems.append(error)
        if not looks:
            empty = InputError(**error_parts("xlsx.no_rows", file=path.name))
            raise problems[0] if problems else empty
        best = max(looks, key=_points)
        return replace(best, sheets=sheets, notes=(*best.notes, *map(str, problems)))

    def read(self, path: Path, look: Look) -> Iterator[Imported]:
        """Questions, answers and bad rows of the chosen sheet, top to bottom."""
        used = {column.index: column.header for column in look.columns if column.role != "ignore"}
        yield from records(_data(path, look, used), look, path.name, stem_of(path, look))

    def cells(self, path: Path, look: Look, rows: Collection[int]) -> Table:
        """The rows with these numbers, errors of formulas as they are shown."""
        return picked(_data(path, look, {}), look, rows, stem_of(path, look))


def _data(path: Path, look: Look, used: dict[int, str]) -> Rows:
    book = _open(path)
    sheet = look.sheet or next(iter(book.sheet_names), "")
    if sheet not in book.sheet_names:
        raise InputError(**_no_sheet(path, book, sheet))
    return data_rows(partial(_rows, path, book, sheet, used), look)


def best_sheet(path: Path) -> Iterator[Row | BadRow]:
    """The rows of the sheet that looks most like a table of questions. InputError for what is no
    workbook or empty."""
    return _rows(path, _open(path), Xlsx().look(path).sheet, {})


def _open(path: Path) -> Any:
    import python_calamine

    with open_bytes(path) as stream:
        if not stream.read(1):
            raise InputError(**error_parts("xlsx.empty", file=path.name))
    check_size(path)
    try:
        return python_calamine.CalamineWorkbook.from_path(str(path))
    except python_calamine.PasswordError as error:
        raise InputError(**error_parts("xlsx.password", file=path.name)) from error
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        raise InputError(**error_parts("xlsx.no_workbook", file=path.name)) from error


def _no_sheet(path: Path, book: Any, sheet: str) -> dict[str, str]:
    sheets = ", ".join(book.sheet_names)
    return error_parts("xlsx.no_sheet", file=path.name, sheet=repr(sheet), sheets=sheets)


def _look(path: Path, book: Any, sheet: str, choices: Look | None) -> Look:
    return table_look(
        _rows(path, book, sheet, {}, LOOKED), path.name, choices, sheet=sheet, complete=True
    )


def _points(look: Look) -> tuple[bool, int]:
    """How much a sheet looks like questions with answers: both there, then how many columns have a
    role."""
    roles = [column.role for column in look.columns]
    return "question" in roles and "answer" in roles, sum(
        role not in ("metadata", "ignore") for role in roles
    )


def _rows(
    path: Path, book: Any, name: str, used: dict[int, str], limit: int | None = None
) -> Iterator[Row | BadRow]:
    """The (first `limit`) rows of a sheet as a spreadsheet program counts them; a formula error in
    a column of `used` is a bad row.

    A cell that is merged over several rows gives its value to each of them.
    """
    import python_calamine

    errors = scan(path, name).errors
    try:
        sheet = book.get_sheet_by_name(name)
    except (python_calamine.CalamineError, ValueError) as error:
        raise InputError(**error_parts("xlsx.damaged", file=path.name, sheet=repr(name))) from error
    if sheet.start is None:
        return
    merged = _merged(sheet)
    by_row: dict[int, tuple[int, str]] = {}
    for (row, column), fault in sorted(errors.items(), reverse=True):
        if column in used:
            by_row[row] = (column, fault)
    kept: dict[tuple[int, int], Any] = {}
    for row, values in enumerate(sheet.to_python(skip_empty_area=False, nrows=limit)):
        if row in by_row:
            column, fault = by_row[row]
            remedy = say("mend_formula")
            yield bad(
                path.name,
                row + 1,
                used[column],
                say("formula_error", fault=fault),
                say("value"),
                remedy,
            )
            continue
        cells = [_plain(value) for value in values]
        for column, top in merged.get(row, ()):
            if row == top:
                kept[top, column] = cells[column]
            else:
                cells[column] = kept.get((top, column), "")
        yield Row(row + 1, cells)


def _merged(sheet: Any) -> dict[int, list[tuple[int, int]]]:
    """Row -> (column, first row) for cells that are merged downwards within one column."""
    found: dict[int, list[tuple[int, int]]] = {}
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        if left == right and bottom > top:
            for row in range(top, min(bottom, top + 10_000) + 1):
                found.setdefault(row, []).append((left, top))
    return found


def _plain(value: Any) -> Any:
    """A cell as text or number: whole floats as int, dates and times in ISO form."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return str(value)
    return value
