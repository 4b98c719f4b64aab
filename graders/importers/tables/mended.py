"""Bad rows with their own cells, to be mended in a table of their own; and such a table, known by
its headers, when it comes back."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from graders.core.contracts import Column, Look, Mended, Table
from graders.core.imported import ROLES
from graders.core.mending import HEADERS, unguarded
from graders.importers.tables.contents import cell_text
from graders.importers.tables.rows import Row, Rows


def mended(rows: Sequence[Sequence[Any]], at: int) -> Mended | None:
    """What the rows below a header with the column READS, at this place, say of the file that they
    come from; None where they were changed to something else."""
    said = (cell_text(row[at]) for row in rows if len(row) > at)
    return next((found for found in map(_read, said) if found is not None), None)


def _read(text: str) -> Mended | None:
    """What a cell of that column says; None where it was changed to something else."""
    try:
        said = json.loads(text)
        columns = tuple(
            (str(header), str(role), str(model)) for header, role, model in said["columns"]
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if any(role not in ROLES for _, role, _ in columns) or said.get("layout") not in (
        "wide",
        "long",
    ):
        return None
    return Mended(
        project=str(said.get("project") or ""),
        stem=str(said.get("stem") or ""),
        layout=said["layout"],
        assisted=bool(said.get("assisted")),
        columns=columns,
    )


def as_read(columns: Sequence[Column], told: Mended) -> tuple[Column, ...]:
    """The columns with the roles that they had in the file that the rows come from; the notes
    beside them are ignored."""
    left, found = list(told.columns), list[Column]()
    for column in columns:
        header = unguarded(column.header)
        known = next(
            (one for one in left if one[0] == header and column.header not in HEADERS), None
        )
        if known is not None:
            left.remove(known)
        _, role, model = known or (
            header,
            "ignore" if column.header in HEADERS else column.role,
            column.model,
        )
        found.append(replace(column, header=header, role=role, model=model))
    return tuple(found)


def plain_row(row: Row, notes: Collection[int]) -> Row:
    """A row of such a table as its own file had it; one without cells of its own, which could not
    be told apart, is empty."""
    cells = [
        "" if i in notes else unguarded(cell) if isinstance(cell, str) else cell
        for i, cell in enumerate(row.cells)
    ]
    return row._replace(cells=cells)


def picked(rows: Rows, look: Look, wanted: Collection[int], stem: str) -> Table:
    """The rows with these numbers. One whose question is only named by its id, because its text
    stands in another row, gets the text."""
    cells = {
        row.number: list(row.cells)
        for row in rows()
        if isinstance(row, Row) and row.number in wanted
    }
    roles = {column.role: column.index for column in reversed(look.columns)}
    text, key = roles.get("question"), roles.get("question_id")
    if look.layout != "wide" and text is not None and key is not None:
        bare = [
            row
            for row in cells.values()
            if max(text, key) < len(row) and not cell_text(row[text]).strip()
        ]
        texts = dict.fromkeys((cell_text(row[key]).strip() for row in bare), "")
        for one in rows() if bare else ():
            if (
                isinstance(one, Row)
                and max(text, key) < len(one.cells)
                and texts.get(cell_text(one.cells[key]).strip()) == ""
            ):
                texts[cell_text(one.cells[key]).strip()] = cell_text(one.cells[text])
        for row in bare:
            row[text] = texts[cell_text(row[key]).strip()]
    own = [column for column in look.columns if column.header not in HEADERS]
    kept = {
        number: [row[c.index] if c.index < len(row) else "" for c in own]
        for number, row in cells.items()
    }
    width = max((column.index for column in look.columns), default=-1) + 1
    return Table(
        columns=tuple(own),
        layout=look.layout,
        stem=stem,
        rows={n: [*row, *cells[n][width:]] for n, row in kept.items()},
    )
