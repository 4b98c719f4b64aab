"""What the queue knows of one person: screens done, in hand and left, and the person's own
verdicts."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.scale import Value
from graders.core.shapes import JSON
from graders.store.answers.content import chunks, marks
from graders.store.projects import Project


@dataclass(frozen=True, slots=True)
class MyCounts:
    """A person's screens: `done` also where cells were left open; `seconds`: the median of the last
    fifty, None without any."""

    done: int
    leased: int
    flagged: int
    seconds: float | None


def my_counts(db: sqlite3.Connection, project: Project, person_id: str) -> MyCounts:
    """How far a person is."""
    row = db.execute(
        "SELECT sum(state IN ('done', 'partial')), sum(state = 'leased'), "
        "sum(state IN ('done', 'partial', 'skipped') AND flagged) FROM assignment "
        "WHERE project_id = ? AND person_id = ?",
        (project.id, person_id),
    ).fetchone()
    seconds = sorted(
        r[0]
        for r in db.execute(
            "SELECT seconds FROM assignment WHERE project_id = ? AND person_id = ? "
            "AND state = 'done' AND seconds > 0 "
            "ORDER BY id DESC LIMIT 50",
            (project.id, person_id),
        )
    )
    middle = seconds[len(seconds) // 2] if seconds else None
    return MyCounts(row[0] or 0, row[1] or 0, row[2] or 0, middle)


#: What a person has done with a screen, so that it is not offered again.
_MET = "('done', 'partial', 'skipped', 'leased')"


def left_for(db: sqlite3.Connection, project: Project, person_id: str) -> int:
    """Screens that this person can still do: those in hand, and those with a free place that would
    be offered."""
    values = {"project": project.id, "person": person_id}
    free = db.execute(
        "SELECT count(*) FROM queue WHERE project_id = :project AND free > 0", values
    ).fetchone()[0]
    met = db.execute(
        "SELECT coalesce(sum(q.free > 0), 0), coalesce(sum(a.state = 'leased'), 0) "
        "FROM assignment a LEFT JOIN queue q ON q.screen_id = a.screen_id "
        f"WHERE a.project_id = :project AND a.person_id = :person AND a.state IN {_MET}",
        values,
    ).fetchone()
    # A drawn screen is not for somebody who has seen marks on an answer of it.
    seen = db.execute(
        "SELECT count(DISTINCT s.id) FROM seen "
        "JOIN screen_subject x ON x.subject_id = seen.subject_id "
        "JOIN screen s ON s.id = x.screen_id "
        "AND s.design <> 'ordinary' JOIN queue q ON q.screen_id = s.id AND q.free > 0 "
        "WHERE seen.person_id = :person AND s.project_id = :project "
        "AND NOT EXISTS (SELECT 1 FROM assignment a WHERE a.screen_id = s.id "
        f"AND a.person_id = :person AND a.state IN {_MET})",
        values,
    ).fetchone()[0]
    return int(free - met[0] + met[1] - seen)


def with_colleagues(
    db: sqlite3.Connection, project: Project, person_id: str, question_id: int | None = None
) -> tuple[int, float | None]:
    """Screens (of one question, where it is given) that others hold and that would come to this
    person if they were given back, and when the first lease ends (epoch seconds; None where there
    is none)."""
    where = "" if question_id is None else "AND s.question_id = :question "
    sql = (
        "SELECT count(DISTINCT a.screen_id), min(a.lease_until) "
        "FROM assignment a INDEXED BY assignment_leased "
        "JOIN queue q ON q.screen_id = a.screen_id "
        "JOIN screen s ON s.id = a.screen_id WHERE a.state = 'leased' "
        "AND a.project_id = :project AND a.person_id <> :person AND q.free = 0 "
        "AND s.done < s.needed AND NOT EXISTS (SELECT 1 FROM assignment b "
        f"WHERE b.screen_id = s.id AND b.person_id = :person AND b.state IN {_MET}) {where}"
        "AND (s.design = 'ordinary' OR NOT EXISTS (SELECT 1 FROM screen_subject x "
        "JOIN seen ON seen.subject_id = x.subject_id "
        "AND seen.person_id = :person WHERE x.screen_id = s.id))"
    )
    row = db.execute(
        sql, {"project": project.id, "person": person_id, "question": question_id}
    ).fetchone()
    return row[0], row[1]


def within_reach(db: sqlite3.Connection, project: Project, person_id: str) -> int:
    """Screens that this person can still do, with those that colleagues hold meanwhile: it changes
    by saves, not by who holds what."""
    return left_for(db, project, person_id) + with_colleagues(db, project, person_id)[0]


@dataclass(frozen=True, slots=True)
class MySaves:
    """A person's saves and the seconds that they took."""

    screens: int
    seconds: float


def my_saves(db: sqlite3.Connection, project: Project, person_id: str, since: str) -> MySaves:
    """A person's saves since a time."""
    row = db.execute(
        (
            "SELECT count(*), coalesce(sum(seconds), 0) FROM assignment WHERE project_id = ? "
            "AND person_id = ? AND state IN ('done', 'partial') AND saved_at >= ?"
        ),
        (project.id, person_id, since),
    ).fetchone()
    return MySaves(*row)


@dataclass(frozen=True, slots=True)
class MyVerdict:
    """A verdict of a person's, with what it was about: the question's key and text, the answer's
    text, the criterion's row; and the cell's `final` value with its source and reason. Values are
    None where there is none."""

    value: Value | None
    created_at: str
    screen_id: int | None
    cell_id: int
    question_key: str
    question: str
    answer: str
    criterion_id: int
    final: Value | None
    final_source: str
    final_reason: str


def my_verdicts(
    db: sqlite3.Connection,
    projects: Sequence[Project],
    person_id: str,
    query: str,
    limit: int = 100,
) -> list[MyVerdict]:
    """A person's latest verdicts in some projects whose question, answer or value holds `query`,
    newest first."""
    like = "%" + query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    rows = db.execute(
        "SELECT v.value, v.created_at, v.screen_id, cell.id AS cell_id, q.key AS question_key, "
        "q.text AS question, a.text AS answer, c.criterion_id, "
        "cell.final, cell.final_source, cell.final_reason "
        "FROM verdict v JOIN author au ON au.id = v.author_id "
        "AND au.kind = 'person' AND au.name = ? "
        f"AND au.project_id IN ({marks(len(projects))}) "
        "JOIN cell ON cell.id = v.cell_id JOIN opinion c ON c.verdict_id = v.id "
        "AND c.cell_id = v.cell_id JOIN subject s ON s.id = cell.subject_id "
        "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = cell.question_id "
        "WHERE (? = '%%' OR q.text LIKE ? ESCAPE '\\' OR a.text LIKE ? ESCAPE '\\' "
        "OR v.value LIKE ? ESCAPE '\\') ORDER BY v.id DESC LIMIT ?",
        (person_id, *(one.id for one in projects), like, like, like, like, limit),
    )
    return [_my_verdict(row) for row in rows]


def _my_verdict(row: sqlite3.Row) -> MyVerdict:
    return MyVerdict(**{**row, "value": _value(row["value"]), "final": _value(row["final"])})


@dataclass(frozen=True, slots=True)
class MyOpinion:
    """A person's present verdict on a cell: its name (`uid`), its value (None without one) and
    status, when it was given, and what is stored with it."""

    uid: str
    value: Value | None
    status: str
    created_at: str
    metadata: JSON


def my_opinion(
    db: sqlite3.Connection, project: Project, person_id: str, cell_id: int
) -> MyOpinion | None:
    """A person's present verdict on a cell; None where there is none."""
    row = db.execute(
        "SELECT v.uid, v.value, v.status, v.created_at, v.metadata FROM opinion o "
        "JOIN author au ON au.id = o.author_id "
        "JOIN verdict v ON v.id = o.verdict_id WHERE o.cell_id = ? AND au.project_id = ? "
        "AND au.kind = 'person' AND au.name = ?",
        (cell_id, project.id, person_id),
    ).fetchone()
    if row is None:
        return None
    uid, value, status, created_at, metadata = row
    return MyOpinion(uid, _value(value), status, created_at, json.loads(metadata))


def _value(text: str | None) -> Value | None:
    return None if text is None else json.loads(text)


def arm_questions(db: sqlite3.Connection, project: Project, most: int) -> dict[str, int]:
    """Arm -> questions of which somebody saved an ordinary screen in it, counted up to `most`."""
    sql = (
        "SELECT count(*) FROM (SELECT DISTINCT s.question_id FROM assignment a "
        "JOIN screen s ON s.id = a.screen_id WHERE a.project_id = ? AND a.arm = ? "
        "AND a.state IN ('done', 'partial') AND s.design = 'ordinary' LIMIT ?)"
    )
    return {
        arm: int(db.execute(sql, (project.id, arm, most)).fetchone()[0])
        for arm in ("blind", "assisted")
    }


def waits_blind(db: sqlite3.Connection, person_id: str, subjects: Sequence[int]) -> set[int]:
    """Those of the subjects that were drawn for blind grading and that this person can still grade
    blind: a place on their screen is free or his or hers, and the person has neither saved it nor
    seen marks on them."""
    found: set[int] = set()
    for ids in chunks(subjects):
        sql = (
            "SELECT x.subject_id FROM screen_subject x JOIN screen s ON s.id = x.screen_id "
            f"WHERE x.subject_id IN ({marks(len(ids))}) "
            "AND s.design IN ('calibration', 'audit', 'placed') AND s.done < s.needed "
            "AND NOT EXISTS (SELECT 1 FROM assignment a WHERE a.screen_id = s.id "
            "AND a.person_id = ? AND a.state IN ('done', 'partial')) "
            "AND NOT EXISTS (SELECT 1 FROM seen WHERE seen.person_id = ? "
            "AND seen.subject_id = x.subject_id)"
        )
        found |= {row[0] for row in db.execute(sql, (*ids, person_id, person_id))}
    return found


@dataclass(frozen=True, slots=True)
class MyLabels:
    """Ratings that a person gave: `counted` blind on drawn answers, and `others`."""

    counted: int
    others: int


def my_labels(db: sqlite3.Connection, project: Project, person_id: str, since: str) -> MyLabels:
    """A person's present ratings since a time, with a value; those of faults are left out."""
    row = db.execute(
        (
            "SELECT coalesce(sum(o.blind = 1 AND o.design = 'calibration'), 0), count(*) "
            "FROM author a JOIN criterion k ON k.project_id = a.project_id AND k.active = 1 "
            "AND k.key NOT LIKE 'faults/%' JOIN opinion o ON o.criterion_id = k.id "
            "AND o.author_id = a.id AND o.criterion_hash = k.hash AND o.number IS NOT NULL "
            "JOIN verdict v ON v.id = o.verdict_id "
            "WHERE a.project_id = ? AND a.kind = 'person' AND a.name = ? AND v.created_at >= ?"
        ),
        (project.id, person_id, since),
    ).fetchone()
    return MyLabels(row[0], row[1] - row[0])
