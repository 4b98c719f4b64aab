"""Figures beside the texts of a study folder: seconds, tokens, money of each answer, from a table
at the top."""

from __future__ import annotations

from typing import Any

from graders.core.contracts import FIGURES
from graders.core.errors import InputError
from graders.core.records import BadRow
from graders.core.words import say
from graders.importers._study import Layout, folder_of, named_by
from graders.importers._study_tables import Fields, read_table
from graders.importers._tree import Reader
from graders.importers.tables.cells import bad, flaw_in, parse_number, per_second, quoted
from graders.importers.tables.contents import cell_text
from graders.importers.tables.words import role_of

#: (folder, model) -> fields of an Answer.
Figures = dict[tuple[str, str], dict[str, Any]]
_WHOLE = ("input_tokens", "output_tokens")


def read_figures(read: Reader, found: Layout, encoding: str = "") -> tuple[Figures, list[BadRow]]:
    """What the table of figures says of each answer, and its rows that say nothing of any."""
    if not found.figures:
        return {}, []
    try:
        rows = read_table(read, found.figures, encoding)
    except InputError as error:
        return {}, [bad(found.figures, 1, "", error.found, error.expected, error.remedy)]
    named = named_by([row.cells for row in rows if isinstance(row, Fields)])
    figures: Figures = {}
    problems: list[BadRow] = []
    for row in rows:
        read_row = row if isinstance(row, BadRow) else _figures_of(row, named, found)
        if isinstance(read_row, BadRow):
            problems.append(read_row)
            continue
        key, fields = read_row
        if key in figures:
            problems.append(
                bad(
                    found.figures,
                    row.row,
                    "",
                    say("importers.figures.again", model=quoted(key[1])),
                    say("importers.figures.once"),
                    "Remove one.",
                )
            )
        else:
            figures[key] = fields
    return figures, problems


def _figures_of(
    row: Fields, named: str, found: Layout
) -> tuple[tuple[str, str], dict[str, Any]] | BadRow:
    """(folder and model, fields) of a row."""
    roles = {header: guess[0] for header in row.cells if (guess := role_of(header)) is not None}
    column = next((header for header, role in roles.items() if role == "model"), "")
    said, model = (cell_text(row.cells.get(header, "")).strip() for header in (named, column))
    folder = folder_of(found.folders, said)
    if folder is None or model not in folder.answers:
        where, what = (named, said) if folder is None else (column, model)
        return bad(
            row.file,
            row.row,
            where,
            quoted(what),
            say("importers.figures.answer"),
            say("importers.figures.mend_name"),
        )
    fields: dict[str, Any] = {}
    more: dict[str, Any] = {}
    for header, cell in row.cells.items():
        role = roles.get(header, "")
        if problem := flaw_in(cell):
            return bad(
                row.file, row.row, header, problem[0], say("importers.rows.readable"), problem[1]
            )
        if header in (named, column) or not cell_text(cell).strip():
            continue
        if role == "finish_reason":
            fields[role] = cell_text(cell).strip()
        elif role in FIGURES:
            whole = role in _WHOLE
            try:
                number = parse_number(cell, whole=whole)
            except ValueError:
                key = "whole_number" if whole else "number"
                expected = say(f"importers.figures.{key}")
                return bad(
                    row.file,
                    row.row,
                    header,
                    quoted(cell),
                    expected,
                    say("importers.figures.mend_number"),
                )
            parts = per_second(header) if role in ("time_to_first_token", "total_seconds") else 1.0
            fields[role] = number if whole or number is None else number / parts
        else:
            more[header] = cell
    return (folder.name, model), {**fields, "metadata": more}
