"""What the test of a criterion's automatic cells reads: the machine's values, blind labels of drawn answers, and when each came about."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

from graders.core.scale import Value
from graders.store.content import DONE
from graders.store.projects import CriterionRow, Project


@dataclass(frozen=True, slots=True)
class MachineCell:
    """A cell of a current answer: the machine's suggestion, and how sure it is (None where nothing says)."""

    cell_id: int
    subject_id: int
    question_id: int
    task_type: str
    suggestion: Value | None
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Label:
    """A blind verdict of a person on a drawn answer; value None where the person gave none (not applicable, cannot say)."""

    cell_id: int
    value: Value | None
    at: str


def machine_cells(db: sqlite3.Connection, project: Project, criterion: CriterionRow, upto: int) -> list[MachineCell]:
    """The counted cells of a criterion whose subject is not newer than `upto`, by row id."""
    sql = (
        "SELECT c.id, c.subject_id, c.question_id, q.task_type, c.suggestion, c.suggestion_confidence FROM cell c JOIN question q ON q.id = c.question_id "
        f"WHERE c.project_id = ? AND c.criterion_id = ? AND c.subject_id <= ? AND c.tally_id IS NOT NULL AND c.import_id {DONE} ORDER BY c.id"
    )
    rows = db.execute(sql, (project.id, criterion.id, upto))
    return [MachineCell(r[0], r[1], r[2], r[3], None if r[4] is None else json.loads(r[4]), r[5]) for r in rows]


def blind_labels(db: sqlite3.Connection, criterion: CriterionRow) -> list[Label]:
    """Blind verdicts of people on answers drawn for calibration, under the criterion as it stands."""
    sql = (
        "SELECT o.cell_id, o.value, v.created_at FROM opinion o JOIN verdict v ON v.id = o.verdict_id JOIN author a ON a.id = o.author_id "
        "WHERE o.criterion_id = ? AND o.criterion_hash = ? AND o.blind = 1 AND o.design = 'calibration' AND a.kind = 'person' "
        f"AND o.import_id {DONE} ORDER BY o.cell_id, o.author_id"
    )
    return [Label(r[0], None if r[1] is None else json.loads(r[1]), r[2]) for r in db.execute(sql, (criterion.id, criterion.hash))]


def machine_changed(db: sqlite3.Connection, criterion: CriterionRow) -> str:
    """When the latest verdict of a judge or rule under a criterion was given; empty where there is none."""
    sql = (
        "SELECT max(v.created_at) FROM opinion o JOIN verdict v ON v.id = o.verdict_id JOIN author a ON a.id = o.author_id "
        "WHERE o.criterion_id = ? AND a.kind <> 'person'"
    )
    return str(db.execute(sql, (criterion.id,)).fetchone()[0] or "")
