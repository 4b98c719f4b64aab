"""Screens that come back to the person who graded them blind: which are due, and what the person
said both times.

A second look is a screen of its own, of the design ``repeat``, for one person; it stands in no
queue. What is said on it is kept as a verdict and is never the person's present opinion (see
`graders.store.opinions.verdicts.set_opinions`).
"""

from __future__ import annotations

import json
import random
import sqlite3
from dataclasses import dataclass

from graders.core.scale import Value
from graders.store.answers.content import DONE, IS_CURRENT
from graders.store.desk import apart, assignments
from graders.store.desk.assignments import Assignment
from graders.store.projects import CriterionRow, Project

REPEAT = "repeat"
#: A screen comes back after so many others of the same person.
GAP = 50

#: (author row, cell row, question row, number said first, value said again as JSON)
Twice = tuple[int, int, int, float, str]

#: What a person `a.person_id` said of the rubric's cells on a screen `a.screen_id`, as opinions `o`
#: under criteria `k`.
_SAID = (
    "SELECT 1 FROM screen_subject x JOIN cell c ON c.subject_id = x.subject_id "
    "JOIN criterion k ON k.id = c.criterion_id AND k.active = 1 "
    "AND k.key NOT LIKE 'faults/%' JOIN author w ON w.project_id = a.project_id "
    "AND w.kind = 'person' AND w.name = a.person_id "
    "JOIN opinion o ON o.criterion_id = k.id AND o.author_id = w.id AND o.cell_id = c.id "
    "WHERE x.screen_id = a.screen_id"
)
#: There is something that a second look can be held against, and nothing that it cannot.
_STANDS = (
    f"EXISTS ({_SAID}) AND NOT EXISTS ({_SAID} AND (o.criterion_hash <> k.hash "
    "OR o.blind = 0)) AND NOT EXISTS (SELECT 1 FROM screen_subject x "
    f"JOIN subject s ON s.id = x.subject_id WHERE x.screen_id = a.screen_id AND NOT ({IS_CURRENT}))"
)


def due(db: sqlite3.Connection, project: Project, person_id: str, share: float) -> int | None:
    """The screen that is to come back to a person now, so that `share` of those that he or she did
    have; None where none is.

    By chance among the drawn and the blind-arm screens that were saved blind at least GAP screens
    ago, of whose answers the person has seen no marks since, which show the present texts, and of
    which all that the person said stands under the present wording. Screens that came early because
    they looked hard are not among them: people are less sure there.
    """
    saved = (
        "FROM assignment WHERE project_id = ? AND person_id = ? AND state IN ('done', 'partial')"
    )
    done = db.execute(f"SELECT count(*) {saved}", (project.id, person_id)).fetchone()[0]
    back = apart.had(db, project, person_id, REPEAT)
    if done - back <= GAP or back + 1 > share * done + 1e-9:
        return None
    sql = (
        "SELECT a.screen_id FROM assignment a JOIN screen s ON s.id = a.screen_id "
        "WHERE a.project_id = ?1 AND a.person_id = ?2 AND a.state = 'done' "
        "AND a.arm = 'blind' AND a.adaptive = 0 AND a.occasion = 0 AND a.saved_at < ?3 "
        "AND s.design IN ('calibration', 'audit', 'ordinary') "
        "AND NOT EXISTS (SELECT 1 FROM screen z JOIN assignment c ON c.screen_id = z.id "
        "WHERE z.again = a.screen_id AND c.person_id = ?2 "
        "AND c.state NOT IN ('expired', 'released')) AND NOT EXISTS (SELECT 1 "
        "FROM screen_subject x JOIN seen ON seen.subject_id = x.subject_id "
        f"AND seen.person_id = ?2 WHERE x.screen_id = a.screen_id) AND {_STANDS} "
        "ORDER BY a.screen_id"
    )
    found = [
        row[0]
        for row in db.execute(sql, (project.id, person_id, before_gap(db, project, person_id)))
    ]
    return (
        random.Random(f"{project.seed} {REPEAT} {person_id} {back}").choice(found)
        if found
        else None
    )


def before_gap(db: sqlite3.Connection, project: Project, person_id: str) -> str:
    """The time before which a screen was saved that GAP others of the person came after; "" where
    none was."""
    sql = (
        "SELECT saved_at FROM assignment WHERE project_id = ? AND person_id = ? "
        "AND state IN ('done', 'partial') AND occasion = 0 "
        "ORDER BY saved_at DESC LIMIT 1 OFFSET ?"
    )
    row = db.execute(sql, (project.id, person_id, GAP - 1)).fetchone()
    return str(row[0]) if row else ""


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
