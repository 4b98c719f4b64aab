"""What is stated of the labels that imports brought: how their answers were chosen, and whether
they were given blind."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from graders.core.contracts import Chosen
from graders.store.opinions import kept_labels
from graders.store.opinions.kept_labels import Kept
from graders.store.projects import Project
from graders.store.workspace import Workspace

#: Opinions of people that a file brought without a draw of ours; `o` is the opinion.
_LABELS = (
    "FROM author a CROSS JOIN criterion k ON k.project_id = a.project_id AND k.active = 1 "
    "CROSS JOIN opinion o ON o.criterion_id = k.id AND o.author_id = a.id "
    "CROSS JOIN import i ON i.id = o.import_id AND i.state = 'done' "
    "WHERE a.project_id = ? AND a.kind = 'person' AND o.design IN ('imported', 'imported_test')"
)


@dataclass(frozen=True, slots=True)
class LabelImport:
    """An import with people's labels: its file, when it came, how its labelled answers were
    chosen, and its labels that figures see, how many of them are `blind`, and of how many cells
    they are. `stated_blind`: a lead states that they were given without sight of a judge's value;
    `kept`: labels that are kept for a test, and `tested`: those of them that were opened."""

    id: int
    source: str
    at: str
    chosen: Chosen
    labels: int
    blind: int
    cells: int
    stated_blind: bool = False
    kept: int = 0
    tested: int = 0


def with_labels(db: sqlite3.Connection, project: Project) -> list[LabelImport]:
    """The finished imports that brought labels which count now or are kept, oldest first."""
    sql = f"SELECT i.id, count(*), sum(o.blind), count(DISTINCT o.cell_id) {_LABELS} GROUP BY i.id"
    counts = {row[0]: tuple(row)[1:] for row in db.execute(sql, (project.id,))}
    kept = kept_labels.kept(db, project)
    found = []
    for number in sorted(counts.keys() | kept.keys()):
        row = db.execute(
            "SELECT source, started_at, labels_chosen, labels_blind FROM import WHERE id = ?",
            (number,),
        ).fetchone()
        labels, blind, cells = counts.get(number, (0, 0, 0))
        mine = kept.get(number, Kept(0, 0))
        found.append(
            LabelImport(
                number,
                row[0],
                row[1],
                Chosen(row[2]),
                labels,
                blind,
                cells,
                bool(row[3]),
                mine.closed,
                mine.opened,
            )
        )
    return found


def were_shown(db: sqlite3.Connection, project: Project, fingerprint: str) -> bool:
    """Whether the labels of a file, by its fingerprint, were in figures of a project before it was
    taken back."""
    sql = (
        "SELECT 1 FROM import WHERE project_id = ? AND fingerprint = ? AND state = 'taken_back' "
        "AND coalesce(json_extract(report, '$.verdicts'), 0) > 0 "
        "AND (coalesce(json_extract(report, '$.labels_kept'), 0) = 0 OR labels_blind = 0) LIMIT 1"
    )
    return db.execute(sql, (project.id, fingerprint)).fetchone() is not None


def set_chosen(ws: Workspace, import_id: int, chosen: Chosen) -> None:
    """State how the labelled answers of an import were chosen."""
    with ws.write() as db:
        db.execute("UPDATE import SET labels_chosen = ? WHERE id = ?", (chosen, import_id))


def set_blind(ws: Workspace, import_id: int, *, blind: bool) -> None:
    """State whether the labels of an import were given without sight of a judge's value."""
    with ws.write() as db:
        db.execute("UPDATE import SET labels_blind = ? WHERE id = ?", (int(blind), import_id))


def weakest(db: sqlite3.Connection, project: Project) -> Chosen:
    """What can be said of all labels of a project together: an export has them in one file."""
    stated = {found.chosen for found in with_labels(db, project)}
    if not stated or Chosen.UNKNOWN in stated:
        return Chosen.UNKNOWN
    return Chosen.RANDOM if Chosen.RANDOM in stated else Chosen.ALL
