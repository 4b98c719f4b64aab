"""The cells of bad rows of an import, kept so that people can mend them in a file of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from graders.core.shapes import JSON
from graders.store.workspace import Workspace, dumps

#: So many characters of an import's bad rows are kept; rows beyond are listed without their cells.
MOST = 20_000_000


@dataclass(frozen=True, slots=True)
class TableReading:
    """How a table was read: into which project, the name of its file without the ending (`stem`),
    its layout, whether its verdicts were made beside suggestions, and (header, role, model) of each
    column."""

    project: str
    stem: str
    layout: str
    assisted: bool
    columns: Sequence[tuple[str, str, str]]

    @classmethod
    def of(cls, body: JSON) -> TableReading:
        """As it is stored."""
        return cls(
            body["project"],
            body["stem"],
            body["layout"],
            body["assisted"],
            [(header, role, model) for header, role, model in body["columns"]],
        )


@dataclass(frozen=True, slots=True)
class KeptRows:
    """How the file of bad rows was read, and their cells by the numbers of the rows."""

    reading: TableReading
    cells: Mapping[int, Sequence[Any]]


def keep(
    ws: Workspace, import_id: int, reading: TableReading, rows: Mapping[int, Sequence[Any]]
) -> None:
    """Keep rows by their numbers, and how their file was read."""
    left, bodies = MOST, [(import_id, 0, dumps(asdict(reading)))]
    for number, cells in sorted(rows.items()):
        body = dumps(list(cells))
        left -= len(body)
        if left < 0:
            break
        bodies.append((import_id, number, body))
    with ws.write() as db:
        db.executemany("INSERT OR REPLACE INTO bad_row VALUES (?, ?, ?)", bodies)


def kept(ws: Workspace, import_id: int) -> KeptRows | None:
    """The bad rows that were kept; None where they are not those of a table."""
    bodies = {
        row[0]: json.loads(row[1])
        for row in ws.db.execute("SELECT row, body FROM bad_row WHERE import_id = ?", (import_id,))
    }
    reading = bodies.pop(0, None)
    return KeptRows(TableReading.of(reading), bodies) if reading is not None and bodies else None
