"""Verdicts as they were given, and what is known of some of them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graders.core.records import Evidence, Mark
from graders.core.shapes import JSON
from graders.store.answers.content import chunks, marks, tuples
from graders.store.projects import Project


class Known(NamedTuple):
    """What a verdict that is there is about: its subject, and the wording (hash) and row of what
    its author says of the cell now."""

    subject: int
    wording: str
    present: int


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A verdict as it was given, with its name (`id`) and author.

    `kind` as `Verdict` has it; `inputs` names what its author was shown, empty where that is not
    known; `at` is when it came, ISO 8601 in UTC; `cost` in US dollars, None where not known.
    """

    id: str
    author: str
    author_kind: str
    mark: Mark
    kind: str
    provenance: JSON | None
    criterion_hash: str
    recipe_hash: str
    inputs: str
    grader_version: str
    at: str
    cost: float | None
    metadata: JSON


def verdicts_of(
    db: sqlite3.Connection, cell_ids: Iterable[int], latest: bool = True
) -> dict[int, list[StoredVerdict]]:
    """Verdicts by cell, oldest first; `latest` keeps the present ones only."""
    by_cell: dict[int, list[StoredVerdict]] = {}
    join = "JOIN opinion o ON o.verdict_id = v.id AND o.cell_id = v.cell_id" if latest else ""
    for batch in chunks(cell_ids):
        sql = (
            f"SELECT v.*, a.kind AS author_kind, a.name AS author FROM verdict v {join} "
            "JOIN author a ON a.id = v.author_id "
            f"WHERE v.cell_id IN ({marks(len(batch))}) ORDER BY v.id"
        )
        for row in db.execute(sql, batch):
            by_cell.setdefault(row["cell_id"], []).append(
                StoredVerdict(
                    id=row["uid"],
                    author=row["author"],
                    author_kind=row["author_kind"],
                    mark=read_mark(row),
                    kind=row["kind"],
                    provenance=(
                        None if row["provenance"] is None else json.loads(row["provenance"])
                    ),
                    criterion_hash=row["criterion_hash"],
                    recipe_hash=row["recipe_hash"],
                    inputs=row["inputs"],
                    grader_version=row["grader_version"],
                    at=row["created_at"],
                    cost=row["cost"],
                    metadata=json.loads(row["metadata"]),
                )
            )
    return by_cell


def confidences(db: sqlite3.Connection, verdict_ids: Sequence[int]) -> dict[int, float]:
    """Confidences of verdict rows that state one."""
    found: dict[int, float] = {}
    for batch in chunks(verdict_ids):
        sql = (
            f"SELECT id, confidence FROM verdict WHERE id IN ({marks(len(batch))}) "
            "AND confidence IS NOT NULL"
        )
        found.update((row[0], row[1]) for row in db.execute(sql, batch))
    return found


def with_reason(db: sqlite3.Connection, verdict_ids: Sequence[int], reason: str) -> set[int]:
    """Those of these verdict rows that have no value for this reason."""
    found: set[int] = set()
    for batch in chunks(verdict_ids):
        sql = f"SELECT id FROM verdict WHERE id IN ({marks(len(batch))}) AND reason = ?"
        found.update(row[0] for row in db.execute(sql, (*batch, reason)))
    return found


def known_uids(db: sqlite3.Connection, project: Project, uids: Sequence[str]) -> dict[str, Known]:
    """Those of these verdict ids that the project has already."""
    found: dict[str, Known] = {}
    for batch in chunks(uids):
        sql = (
            "SELECT v.uid, c.subject_id, coalesce(o.criterion_hash, v.criterion_hash), "
            "coalesce(o.verdict_id, v.id) FROM verdict v "
            "JOIN cell c ON c.id = v.cell_id LEFT "
            "JOIN opinion o INDEXED BY opinion_cell ON o.cell_id = v.cell_id "
            "AND o.author_id = v.author_id "
            f"WHERE v.project_id = ? AND v.uid IN ({marks(len(batch))})"
        )
        found.update((row[0], Known(*row[1:])) for row in tuples(db, sql, (project.id, *batch)))
    return found


def uid_of(db: sqlite3.Connection, verdict_id: int) -> str:
    """The name of a verdict row."""
    return str(db.execute("SELECT uid FROM verdict WHERE id = ?", (verdict_id,)).fetchone()[0])


def read_mark(row: sqlite3.Row) -> Mark:
    """The mark of a verdict row."""
    return Mark(
        value=None if row["value"] is None else json.loads(row["value"]),
        status=row["status"],
        reason=row["reason"],
        confidence=row["confidence"],
        confidence_kind=row["confidence_kind"],
        rationale=row["rationale"],
        evidence=tuple(Evidence(**item) for item in json.loads(row["evidence"])),
    )
