"""Screens that come back to the person who graded them blind: which are due, and what the person
said both times.

A second look is a screen of its own, of the design ``repeat``, for one person; it stands in no
queue. What is said on it is kept as a verdict and is never the person's present opinion (see
`graders.store.opinions.verdicts.set_opinions`).
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

from graders.core.scale import Value
from graders.store.answers.content import DONE
from graders.store.desk import assignments
from graders.store.desk.assignments import Assignment
from graders.store.desk.own_screens import REPEAT
from graders.store.projects import CriterionRow, Project

#: (author row, cell row, question row, number said first, value said again as JSON)
Twice = tuple[int, int, int, float, str]


def first_look(db: sqlite3.Connection, screen_id: int, person_id: str) -> Assignment | None:
    """The person's assignment of the screen that came back as `screen_id`."""
    row = db.execute("SELECT again FROM screen WHERE id = ?", (screen_id,)).fetchone()
    return assignments.find(db, row[0], person_id) if row and row[0] else None


#: The verdicts `v` of the author `w` on the cells `c` of a screen `s`, that stand.
_ON_SCREEN = (
    "JOIN author w ON w.project_id = s.project_id AND w.kind = 'person' "
    "AND w.name = a.person_id JOIN screen_subject x ON x.screen_id = s.id "
    "JOIN cell c ON c.subject_id = x.subject_id JOIN verdict v ON v.cell_id = c.id "
    "AND v.author_id = w.id AND v.screen_id = s.id AND v.kind <> 'retracts' "
    "AND NOT EXISTS (SELECT 1 FROM verdict r WHERE r.cell_id = c.id AND r.author_id = w.id "
    "AND r.kind = 'retracts' AND r.amends = v.uid)"
)


@dataclass(frozen=True, slots=True)
class SaidAgain:
    """What a person said of a cell on a screen that came back; `value` None without one."""

    value: Value | None
    status: str


def said_on(db: sqlite3.Connection, screen_id: int, person_id: str) -> dict[int, SaidAgain]:
    """What a person said on a screen that came back, by cell row."""
    sql = (
        "SELECT c.id, v.value, v.status FROM screen s "
        f"JOIN assignment a ON a.screen_id = s.id AND a.person_id = ? {_ON_SCREEN} "
        "WHERE s.id = ? ORDER BY v.id"
    )
    rows = db.execute(sql, (person_id, screen_id))
    return {
        row[0]: SaidAgain(None if row[1] is None else json.loads(row[1]), row[2]) for row in rows
    }


def said_twice(db: sqlite3.Connection, project: Project, criterion: CriterionRow) -> list[Twice]:
    """What people said blind of cells, and said again blind when the screen came back, under the
    criterion as it is worded now."""
    sql = (
        "SELECT o.author_id, o.cell_id, o.question_id, o.number, v.value, max(v.id) "
        "FROM screen s JOIN assignment a ON a.screen_id = s.id "
        f"AND a.state IN ('done', 'partial') {_ON_SCREEN} AND c.criterion_id = ?2 "
        "AND v.value IS NOT NULL AND v.criterion_hash = ?3 "
        "JOIN opinion o ON o.cell_id = c.id AND o.author_id = w.id AND o.criterion_id = ?2 "
        "WHERE s.project_id = ?1 AND s.design = ?4 "
        "AND o.blind = 1 AND o.number IS NOT NULL AND o.criterion_hash = ?3 "
        "AND json_extract(v.provenance, '$.arm') = 'blind' "
        "AND coalesce(json_extract(v.provenance, '$.after_reveal'), 0) = 0 "
        f"AND o.import_id {DONE} GROUP BY c.id, w.id ORDER BY c.id, w.id"
    )
    return [
        tuple(row)[:5]
        for row in db.execute(sql, (project.id, criterion.id, criterion.hash, REPEAT))
    ]
