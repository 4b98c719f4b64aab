"""How the answers were chosen that imports brought people's labels of."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from graders.core.contracts import Chosen
from graders.store.projects import Project
from graders.store.workspace import Workspace

#: Opinions of people that a file brought without a draw of ours; `o` is the opinion.
_LABELS = (
    "FROM author a CROSS JOIN criterion k ON k.project_id = a.project_id AND k.active = 1 "
    "CROSS JOIN opinion o ON o.criterion_id = k.id AND o.author_id = a.id "
    "CROSS JOIN import i ON i.id = o.import_id AND i.state = 'done' "
    "WHERE a.project_id = ? AND a.kind = 'person' AND o.design = 'imported'"
)


@dataclass(frozen=True, slots=True)
class LabelImport:
    """An import with people's labels: its file, when it came, how its labelled answers were
    chosen, and its labels, how many of them are `blind`, and of how many cells they are."""

    id: int
    source: str
    at: str
    chosen: Chosen
    labels: int
    blind: int
    cells: int


def with_labels(db: sqlite3.Connection, project: Project) -> list[LabelImport]:
    """The finished imports that brought labels which count now, oldest first."""
    sql = (
        "SELECT i.id, i.source, i.started_at, i.labels_chosen, count(*), sum(o.blind), "
        f"count(DISTINCT o.cell_id) {_LABELS} GROUP BY i.id ORDER BY i.id"
    )
    return [
        LabelImport(row[0], row[1], row[2], Chosen(row[3]), row[4], row[5], row[6])
        for row in db.execute(sql, (project.id,))
    ]


def set_chosen(ws: Workspace, import_id: int, chosen: Chosen) -> None:
    """State how the labelled answers of an import were chosen."""
    with ws.write() as db:
        db.execute("UPDATE import SET labels_chosen = ? WHERE id = ?", (chosen, import_id))


def chosen_of(db: sqlite3.Connection, import_id: int) -> Chosen:
    """How the labelled answers of an import were chosen, as it is stated."""
    row = db.execute("SELECT labels_chosen FROM import WHERE id = ?", (import_id,)).fetchone()
    return Chosen(row[0]) if row else Chosen.UNKNOWN


def weakest(db: sqlite3.Connection, project: Project) -> Chosen:
    """What can be said of all labels of a project together: an export has them in one file."""
    stated = {found.chosen for found in with_labels(db, project)}
    if not stated or Chosen.UNKNOWN in stated:
        return Chosen.UNKNOWN
    return Chosen.RANDOM if Chosen.RANDOM in stated else Chosen.ALL
