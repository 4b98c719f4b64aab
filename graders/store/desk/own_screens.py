"""Screens for one person alone, which stand in no queue: practice and gold questions, screens that
come back, copies with a fault. Which of them are due, and how they are given."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graders.store.answers.content import DONE, IS_CURRENT
from graders.store.desk.adjudications import ADJUDICATED
from graders.store.projects import Project
from graders.store.workspace import Workspace

GOLD, PRACTICE = "gold", "practice"
#: How many practice questions there are at most before a person's first queue; the reason of those
#: that were left out together.
MOST_PRACTICE, LEFT_OUT = 5, "no practice wanted"
REPEAT = "repeat"
#: A screen comes back after so many others of the same person.
GAP = 50


#: What tells such screens apart in a person's assignments (their `occasion`; 0 is the queue's).
OCCASIONS = {"repeat": 1, "gold": 2, "practice": 3, "control": 4}
#: A screen of its own that a person has or had.
_MINE = (
    "FROM assignment a WHERE a.project_id = ? AND a.person_id = ? AND a.occasion = ? "
    "AND a.occasion > 0 AND a.state NOT IN ('expired', 'released')"
)
#: Gold cells `g` in force, with cell `c`, criterion `k`, the adjudicated opinion `f` and its
#: verdict `v`.
IN_FORCE = (
    "gold g JOIN cell c ON c.id = g.cell_id AND c.tally_id IS NOT NULL AND c.retired = 0 "
    "JOIN criterion k ON k.id = c.criterion_id AND k.active = 1 "
    "JOIN author w ON w.project_id = g.project_id AND w.kind = 'person' "
    f"AND w.name = '{ADJUDICATED}' JOIN opinion f ON f.criterion_id = k.id "
    "AND f.author_id = w.id AND f.cell_id = c.id AND f.criterion_hash = k.hash "
    f"AND f.import_id {DONE} JOIN verdict v ON v.id = f.verdict_id"
)
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
#: A person said something on the screen, and a second look can be compared with all of it.
_STANDS = (
    f"EXISTS ({_SAID}) AND NOT EXISTS ({_SAID} AND (o.criterion_hash <> k.hash "
    "OR o.blind = 0)) AND NOT EXISTS (SELECT 1 FROM screen_subject x "
    f"JOIN subject s ON s.id = x.subject_id WHERE x.screen_id = a.screen_id AND NOT ({IS_CURRENT}))"
)


def had(db: sqlite3.Connection, project: Project, person_id: str, design: str) -> int:
    """How many screens of a design a person has or had."""
    sql = (
        "SELECT count(*) FROM assignment WHERE project_id = ? AND person_id = ? AND occasion = ? "
        "AND occasion > 0 AND state NOT IN ('expired', 'released')"
    )
    return int(db.execute(sql, (project.id, person_id, OCCASIONS[design])).fetchone()[0])


@dataclass(frozen=True, slots=True)
class OwnLease:
    """A blind screen for one person alone, leased `until` a time (seconds). `again`: the screen
    that comes back; `question`: the question row that it is shown under, where it is not the
    subjects' own."""

    person_id: str
    design: str
    order_seed: int
    until: float
    again: int | None = None
    question: int | None = None


def give(
    db: sqlite3.Connection, ws: Workspace, project: Project, subjects: Sequence[int], own: OwnLease
) -> int:
    """Make a screen of subjects of one question and lease it; returns its row."""
    question = (
        own.question
        or db.execute("SELECT question_id FROM subject WHERE id = ?", (subjects[0],)).fetchone()[0]
    )
    screen = db.execute(
        "INSERT INTO screen (project_id, question_id, design, probability, seed, created_at, "
        "again) VALUES (?, ?, ?, 1.0, ?, ?, ?)",
        (project.id, question, own.design, project.seed, ws.now(), own.again),
    ).lastrowid
    db.executemany(
        "INSERT INTO screen_subject VALUES (?, ?)", [(screen, subject) for subject in subjects]
    )
    db.execute(
        "INSERT INTO assignment (screen_id, project_id, person_id, occasion, arm, "
        "probability, order_seed, state, lease_until) "
        "VALUES (?, ?, ?, ?, 'blind', 1.0, ?, 'leased', ?)",
        (screen, project.id, own.person_id, OCCASIONS[own.design], own.order_seed, own.until),
    )
    return int(screen or 0)


def gold_due(
    db: sqlite3.Connection, project: Project, person_id: str, share: float
) -> tuple[str, int] | None:
    """(design, subject) of the gold question that is to come to a person now: practice before a
    first queue, then a check so that `share` of the person's screens are checks (none at 0,
    practice all the same); None where none is. Nobody gets one whose marks he or she has seen or
    given."""
    if (
        db.execute("SELECT 1 FROM gold WHERE project_id = ? LIMIT 1", (project.id,)).fetchone()
        is None
    ):
        return None
    done = db.execute(
        (
            "SELECT count(*) FROM assignment WHERE project_id = ? AND person_id = ? "
            "AND state IN ('done', 'partial')"
        ),
        (project.id, person_id),
    ).fetchone()[0]
    design = PRACTICE if not done else GOLD
    given = had(db, project, person_id, design)
    if design == PRACTICE and (given >= MOST_PRACTICE or _left_out(db, project, person_id)):
        return None
    if design == GOLD and given + 1 > share * done + 1e-9:
        return None
    subjects = _open(db, project, person_id, design)
    return (
        (design, random.Random(f"{project.seed} {design} {person_id} {given}").choice(subjects))
        if subjects
        else None
    )


def _left_out(db: sqlite3.Connection, project: Project, person_id: str) -> bool:
    sql = f"SELECT 1 {_MINE} AND a.reason = ? LIMIT 1"
    return (
        db.execute(sql, (project.id, person_id, OCCASIONS[PRACTICE], LEFT_OUT)).fetchone()
        is not None
    )


def _open(db: sqlite3.Connection, project: Project, person_id: str, design: str) -> list[int]:
    """Subjects with gold cells that a person has not met, and that wait on no screen that he or she
    might be given later."""
    sql = (
        f"SELECT DISTINCT c.subject_id FROM {IN_FORCE} WHERE g.project_id = ?1 "
        "AND g.practice = ?3 AND NOT EXISTS (SELECT 1 FROM seen "
        "WHERE seen.person_id = ?2 AND seen.subject_id = c.subject_id) "
        "AND NOT EXISTS (SELECT 1 FROM cell d JOIN opinion o ON o.cell_id = d.id "
        "JOIN author p ON p.id = o.author_id AND p.kind = 'person' AND p.name = ?2 "
        "WHERE d.subject_id = c.subject_id) AND NOT EXISTS "
        "(SELECT 1 FROM screen_subject x JOIN assignment a ON a.screen_id = x.screen_id "
        "AND a.person_id = ?2 AND a.state NOT IN ('expired', 'released') "
        "WHERE x.subject_id = c.subject_id) AND NOT EXISTS (SELECT 1 FROM screen_subject y "
        "JOIN queue u ON u.screen_id = y.screen_id AND u.free > 0 "
        "WHERE y.subject_id = c.subject_id) ORDER BY 1"
    )
    return [row[0] for row in db.execute(sql, (project.id, person_id, int(design == PRACTICE)))]


def practice_place(
    db: sqlite3.Connection, project: Project, person_id: str, screen_id: int
) -> tuple[int, int]:
    """Which practice question of how many a screen is for a person."""
    mine = [
        row[0]
        for row in db.execute(
            f"SELECT a.screen_id {_MINE} ORDER BY a.screen_id",
            (project.id, person_id, OCCASIONS[PRACTICE]),
        )
    ]
    number = mine.index(screen_id) + 1 if screen_id in mine else 1
    return number, max(
        len(mine), min(MOST_PRACTICE, len(mine) + len(_open(db, project, person_id, PRACTICE)))
    )


def leave_out(db: sqlite3.Connection, project: Project, person_id: str) -> None:
    """Leave out what is left of a person's practice."""
    sql = f"SELECT a.id {_MINE}"
    ids = [row[0] for row in db.execute(sql, (project.id, person_id, OCCASIONS[PRACTICE]))]
    db.executemany(
        (
            "UPDATE assignment SET reason = ?, state = CASE WHEN state = 'leased' THEN 'skipped' "
            "ELSE state END WHERE id = ?"
        ),
        [(LEFT_OUT, one) for one in ids],
    )


def repeat_due(
    db: sqlite3.Connection, project: Project, person_id: str, share: float
) -> int | None:
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
    back = had(db, project, person_id, REPEAT)
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
