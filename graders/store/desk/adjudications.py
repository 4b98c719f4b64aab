"""Cells on which people differ, those that are settled, and what an adjudicator had seen when he or
she settled one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.scale import Value
from graders.store.answers.content import DONE, chunks, marks
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace

#: The annotator whose verdicts are adjudications.
ADJUDICATED = "adjudicated"


@dataclass(frozen=True, slots=True)
class Dispute:
    """A cell on which people differ: their values in the order of the scale (None: not applicable),
    how far apart as numbers, and whether nothing stands for them all (a tie). `settled` says
    whether an adjudicated verdict under the present wording is there."""

    cell_id: int
    values: tuple[Value | None, ...]
    apart: float
    tied: bool
    settled: bool


@dataclass(frozen=True, slots=True)
class Look:
    """What a person had seen of a cell's answer before opening the cell to settle it, and whether
    the judges' marks were asked for."""

    seen_before: bool
    judges: bool


def disputes(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    people: Sequence[int],
    settler: int | None,
    least: float,
) -> list[Dispute]:
    """Cells of current answers on which two or more of `people` (author rows) differ under the
    present wording, by cell.

    Numbers that are no further apart than `least` are the same. A value against not applicable
    differs as far as values can.
    """
    if len(people) < 2:
        return []
    # Without the + before it, the order of cells would be taken from an index, and every machine's
    # opinion looked up on the way.
    sql = (
        "SELECT d.*, c.final_source = 'pending' AS tied, f.cell_id IS NOT NULL AS settled FROM ("
        "SELECT o.cell_id, max(o.number) - min(o.number) AS apart, sum(o.number IS NULL) AS away, "
        "json_group_array(json(coalesce(o.value, 'null'))) AS said FROM opinion o "
        "WHERE o.criterion_id = ? AND o.criterion_hash = ? "
        f"AND o.author_id IN ({marks(len(people))}) AND o.import_id {DONE} "
        "GROUP BY +o.cell_id HAVING count(*) > 1 AND (max(o.number) - min(o.number) > ? "
        "OR sum(o.number IS NULL) BETWEEN 1 AND count(*) - 1)) d "
        "CROSS JOIN cell c ON c.id = d.cell_id LEFT JOIN opinion f ON f.criterion_id = ? "
        "AND f.author_id = ? AND f.cell_id = d.cell_id "
        "AND f.criterion_hash = ? WHERE c.tally_id IS NOT NULL AND c.retired = 0 "
        f"AND c.import_id {DONE} ORDER BY d.cell_id"
    )
    rows = db.execute(
        sql,
        (criterion.id, criterion.hash, *people, least, criterion.id, settler or 0, criterion.hash),
    )
    scale = criterion.scale
    return [
        Dispute(
            row["cell_id"],
            tuple(
                sorted(
                    json.loads(row["said"]),
                    key=lambda v: (v is None, 0 if v is None else scale.number(v)),
                )
            ),
            float("inf") if row["away"] else row["apart"],
            bool(row["tied"]),
            bool(row["settled"]),
        )
        for row in rows
    ]


def settled(
    db: sqlite3.Connection, criterion: CriterionRow, settler: int | None
) -> list[tuple[int, str]]:
    """(cell, when) of the cells with an adjudicated verdict under the present wording, on current
    answers."""
    sql = (
        "SELECT o.cell_id, v.created_at FROM opinion o CROSS "
        "JOIN verdict v ON v.id = o.verdict_id CROSS JOIN cell c ON c.id = o.cell_id "
        "WHERE o.criterion_id = ? AND o.criterion_hash = ? AND o.author_id = ? "
        f"AND o.import_id {DONE} AND c.tally_id IS NOT NULL AND c.retired = 0"
    )
    return [
        (row[0], row[1]) for row in db.execute(sql, (criterion.id, criterion.hash, settler or 0))
    ]


@dataclass(frozen=True, slots=True)
class Settlement:
    """An adjudicated verdict that stands: its name (`id`), its value (None: not applicable) and
    reason, the id of the person who gave it (`by`, empty where a file does not say), and when."""

    id: str
    value: Value | None
    reason: str
    by: str
    at: str


def settlements(
    db: sqlite3.Connection, settler: int | None, cell_ids: Sequence[int]
) -> dict[int, Settlement]:
    """The adjudicated verdict that stands, by cell."""
    by_cell: dict[int, Settlement] = {}
    for batch in chunks(cell_ids if settler else ()):
        sql = (
            "SELECT o.cell_id, v.uid, v.value, v.rationale, v.metadata, v.created_at "
            "FROM opinion o INDEXED BY opinion_cell "
            "JOIN verdict v ON v.id = o.verdict_id WHERE o.author_id = ? "
            f"AND o.cell_id IN ({marks(len(batch))})"
        )
        for row in db.execute(sql, (settler, *batch)):
            value = None if row["value"] is None else json.loads(row["value"])
            by = str(json.loads(row["metadata"]).get("adjudicator") or "")
            by_cell[row["cell_id"]] = Settlement(
                row["uid"], value, row["rationale"], by, row["created_at"]
            )
    return by_cell


def saved(db: sqlite3.Connection, project: Project, save_id: str) -> str:
    """The name of the verdict that a save wrote; empty where it wrote none."""
    row = db.execute(
        "SELECT uid FROM verdict WHERE save_id = ? AND project_id = ? ORDER BY id LIMIT 1",
        (save_id, project.id),
    ).fetchone()
    return "" if row is None else str(row[0])


def draw_of(db: sqlite3.Connection, cell_id: int, people: Sequence[int]) -> float:
    """The probability with which people were asked about a cell blind; 1 where none were."""
    sql = (
        "SELECT max(probability) FROM opinion INDEXED BY opinion_cell WHERE cell_id = ? "
        f"AND blind = 1 AND author_id IN ({marks(len(people))})"
    )
    row = db.execute(sql, (cell_id, *people)).fetchone()
    return float(row[0]) if row[0] is not None else 1.0


def note_look(
    db: sqlite3.Connection,
    ws: Workspace,
    person_id: str,
    cell_id: int,
    subject_id: int,
    *,
    judges: bool = False,
) -> Look:
    """Remember that a person opened a cell, with the `judges` or without; returns what he or she
    has seen by now.

    All cells of an answer share what was seen of it. Marks were seen elsewhere if `seen` tells of a
    time after the last opening here.
    """
    now = ws.now()  # one time for both rows: a later one in `seen` would tell of another page
    sql = "FROM looked l JOIN cell c ON c.id = l.cell_id WHERE l.person_id = ? AND c.subject_id = ?"
    last = db.execute(f"SELECT max(l.at) {sql}", (person_id, subject_id)).fetchone()[0]
    seen = db.execute(
        "SELECT at FROM seen WHERE person_id = ? AND subject_id = ?", (person_id, subject_id)
    ).fetchone()
    before = seen is not None and (last is None or seen[0] > last)
    db.execute(
        "INSERT INTO looked VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (cell_id, person_id) DO UPDATE "
        "SET judges = max(judges, excluded.judges), "
        "seen_before = max(seen_before, excluded.seen_before), at = excluded.at",
        (cell_id, person_id, int(before), int(judges), now),
    )
    # What people said of the answer is in sight now: no blind screen with it goes to this person.
    db.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?)", (person_id, subject_id, now))
    row = db.execute(
        f"SELECT max(l.seen_before), max(l.judges) {sql}", (person_id, subject_id)
    ).fetchone()
    return Look(bool(row[0]), bool(row[1]))
