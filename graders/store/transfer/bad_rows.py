"""The cells of bad rows of an import, kept so that people can mend them in a file of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from graders.store.workspace import Workspace, dumps

#: So many characters of an import's bad rows are kept; rows beyond are listed without their cells.
MOST = 20_000_000


def keep(
    ws: Workspace, import_id: int, reads: Mapping[str, Any], rows: Mapping[int, Sequence[Any]]
) -> None:
    """Keep rows by their numbers, and how their file was read."""
    left, bodies = MOST, [(import_id, 0, dumps(dict(reads)))]
    for number, cells in sorted(rows.items()):
        body = dumps(list(cells))
        left -= len(body)
        if left < 0:
            break
        bodies.append((import_id, number, body))
    with ws.write() as db:
        db.executemany("INSERT OR REPLACE INTO bad_row VALUES (?, ?, ?)", bodies)


def kept(ws: Workspace, import_id: int) -> tuple[dict[str, Any], dict[int, list[Any]]]:
    """How the file was read, and the rows by their numbers; nothing where its rows are not those of
    a table."""
    found = {
        row[0]: json.loads(row[1])
        for row in ws.db.execute("SELECT row, body FROM bad_row WHERE import_id = ?", (import_id,))
    }
    return found.pop(0, {}), found
