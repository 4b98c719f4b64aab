"""Bad rows as a CSV file: what is wrong beside each row's own cells, so that they can be mended
there and imported again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graders.core.contracts import Importer, Look
from graders.core.mending import HEADERS, NOTES, guarded
from graders.core.records import BadRow
from graders.core.shapes import JSON, as_dict
from graders.core.words import say
from graders.exporters.sheets.cells import plain
from graders.store.projects import Project
from graders.store.transfer import bad_rows, imports
from graders.store.transfer.bad_rows import TableReading
from graders.store.workspace import Workspace
from graders.workflows.scope.permissions import Scope, needs


def keep_cells(
    ws: Workspace,
    project: Project,
    import_id: int,
    importer: Importer,
    path: Path,
    look: Look,
    bad: Sequence[BadRow],
    *,
    assisted: bool,
) -> None:
    """Keep the cells of an import's bad rows where they are those of a table; with what tells a
    second import how to read them."""
    wanted = {row.row for row in bad if row.file == path.name}
    table = importer.cells(path, look, wanted) if wanted else None
    if table is None:
        return
    columns = [
        (
            column.header or say("importing.column", number=column.index + 1),
            column.role,
            column.model,
        )
        for column in table.columns
    ]
    reading = TableReading(project.name, table.stem, table.layout, assisted, columns)
    cells = {number: [plain(cell) for cell in row] for number, row in table.rows.items()}
    bad_rows.keep(ws, import_id, reading, cells)


@needs("import")
def can_be_mended(scope: Scope, import_id: int) -> bool:
    """Whether the file of an import's bad rows has the rows' own cells, and can be imported
    again."""
    return bad_rows.kept(scope.ws, import_id) is not None


@needs("import")
def bad_rows_csv(scope: Scope, import_id: int) -> str:
    """The bad rows of an import as CSV that no spreadsheet runs; the first line holds the headers.

    The rows of a table have a line each, with their own columns to the right of what is wrong.
    Where rows have no columns in common (several files, texts) the file is a list of what is wrong.
    """
    report = imports.get_import(scope.ws, import_id).report
    kept = bad_rows.kept(scope.ws, import_id)
    rows: list[JSON] = report.get("bad_rows", [])
    if kept is None:
        return listed(rows)
    faults: dict[int, list[JSON]] = {}
    for row in rows:
        faults.setdefault(row["row"], []).append(row)
    reading = replace(kept.reading, project=report.get("project", ""))
    how = json.dumps(as_dict(reading), ensure_ascii=False)
    headers = [header for header, _, _ in reading.columns]
    # of what could not be told apart; such a row is empty when it comes back
    blank = [""] * len(headers)
    lines = [
        [*(_joined(its, name) for name in NOTES[:-1]), how, *kept.cells.get(number, blank)]
        for number, its in faults.items()
    ]
    return _csv([[*HEADERS, *headers], *lines])


def listed(rows: Iterable[JSON]) -> str:
    """Bad rows as a CSV file that says what is wrong and no more."""
    return _csv([NOTES[:-1], *([_joined([row], name) for name in NOTES[:-1]] for row in rows)])


def _csv(lines: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows(
        [guarded(value) if isinstance(value, str) else value for value in line] for line in lines
    )
    return out.getvalue()


def _joined(rows: Sequence[JSON], name: str) -> str:
    """What several faults of one row say under a heading, each once."""
    line = f" (line {rows[0]['line']})" if name == "row" and rows[0].get("line") else ""
    return (
        "; ".join(dict.fromkeys(str(row.get(name, "")) for row in rows if row.get(name, "") != ""))
        + line
    )
