"""Gold questions: settled cells that a lead marked, to check people by or to practise on; and what
people said of them.

A gold cell is in force while its adjudicated verdict, which has the right value and why, stands
under the present wording.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.scale import Value
from graders.store.answers.content import DONE, marks
from graders.store.desk import apart
from graders.store.desk.adjudications import ADJUDICATED
from graders.store.projects import Project

GOLD, PRACTICE = "gold", "practice"
#: How many practice questions there are at most before a person's first queue; the reason of those
#: that were left out together.
MOST_PRACTICE, LEFT_OUT = 5, "no practice wanted"
#: Gold cells `g` in force, with cell `c`, criterion `k`, the adjudicated opinion `f` and its
#: verdict `v`.
_IN_FORCE = (
    "gold g JOIN cell c ON c.id = g.cell_id AND c.tally_id IS NOT NULL AND c.retired = 0 "
    "JOIN criterion k ON k.id = c.criterion_id AND k.active = 1 "
    "JOIN author w ON w.project_id = g.project_id AND w.kind = 'person' "
    f"AND w.name = '{ADJUDICATED}' JOIN opinion f ON f.criterion_id = k.id "
    "AND f.author_id = w.id AND f.cell_id = c.id AND f.criterion_hash = k.hash "
    f"AND f.import_id {DONE} JOIN verdict v ON v.id = f.verdict_id"
)
#: A screen of its own that a person has or had.
_MINE = (
    "FROM assignment a WHERE a.project_id = ? AND a.person_id = ? AND a.occasion = ? "
    "AND a.occasion > 0 AND a.state NOT IN ('expired', 'released')"
)


@dataclass(frozen=True, slots=True)
class GoldCell:
    """A gold cell in force: the right value (None: not applicable) and why; `practice` or a
    check."""

    cell_id: int
    subject_id: int
    criterion_id: int
    part: str
    value: Value | None
    why: str
    practice: bool


def put(
    db: sqlite3.Connection, project: Project, cell_id: int, practice: bool | None, by: str, now: str
) -> None:
    """Mark a cell as a check or for practice; None takes the mark off."""
    if practice is None:
        db.execute("DELETE FROM gold WHERE cell_id = ?", (cell_id,))
    else:
        db.execute(
            "INSERT OR REPLACE INTO gold VALUES (?, ?, ?, ?, ?)",
            (cell_id, project.id, int(practice), by, now),
        )


def in_force(
    db: sqlite3.Connection, project: Project, subjects: Sequence[int] = ()
) -> list[GoldCell]:
    """The gold cells of a project (of some subjects), by cell."""
    where = f"AND c.subject_id IN ({marks(len(subjects))})" if subjects else ""
    sql = (
        "SELECT c.id, c.subject_id, c.criterion_id, c.part, v.value, v.rationale, g.practice "
        f"FROM {_IN_FORCE} WHERE g.project_id = ? {where} ORDER BY c.id"
    )
    rows = db.execute(sql, (project.id, *subjects))
    return [
        GoldCell(
            r[0], r[1], r[2], r[3], None if r[4] is None else json.loads(r[4]), r[5], bool(r[6])
        )
        for r in rows
    ]


def due(
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
    had = apart.had(db, project, person_id, design)
    if design == PRACTICE and (had >= MOST_PRACTICE or _left_out(db, project, person_id)):
        return None
    if design == GOLD and had + 1 > share * done + 1e-9:
        return None
    found = _open(db, project, person_id, design)
    return (
        (design, random.Random(f"{project.seed} {design} {person_id} {had}").choice(found))
        if found
        else None
    )


def _left_out(db: sqlite3.Connection, project: Project, person_id: str) -> bool:
    sql = f"SELECT 1 {_MINE} AND a.reason = ? LIMIT 1"
    return (
        db.execute(sql, (project.id, person_id, apart.OCCASIONS[PRACTICE], LEFT_OUT)).fetchone()
        is not None
    )


def _open(db: sqlite3.Connection, project: Project, person_id: str, design: str) -> list[int]:
    """Subjects with gold cells that a person has not met, and that wait on no screen that he or she
    might be given later."""
    sql = (
        f"SELECT DISTINCT c.subject_id FROM {_IN_FORCE} WHERE g.project_id = ?1 "
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
            (project.id, person_id, apart.OCCASIONS[PRACTICE]),
        )
    ]
    number = mine.index(screen_id) + 1 if screen_id in mine else 1
    return number, max(
        len(mine), min(MOST_PRACTICE, len(mine) + len(_open(db, project, person_id, PRACTICE)))
    )


def leave_out(db: sqlite3.Connection, project: Project, person_id: str) -> None:
    """Leave out what is left of a person's practice."""
    sql = f"SELECT a.id {_MINE}"
    ids = [row[0] for row in db.execute(sql, (project.id, person_id, apart.OCCASIONS[PRACTICE]))]
    db.executemany(
        (
            "UPDATE assignment SET reason = ?, state = CASE WHEN state = 'leased' THEN 'skipped' "
            "ELSE state END WHERE id = ?"
        ),
        [(LEFT_OUT, one) for one in ids],
    )


def checked(db: sqlite3.Connection, project: Project) -> list[tuple[int, int, int, bool]]:
    """(author row, question row, cell row, right or not) of what people said blind of gold cells
    that checked them."""
    sql = (
        f"SELECT o.author_id, o.question_id, c.id, o.value IS v.value FROM {_IN_FORCE} "
        "JOIN opinion o ON o.criterion_id = k.id AND o.cell_id = c.id "
        f"AND o.design = '{GOLD}' AND o.blind = 1 AND o.criterion_hash = k.hash "
        "WHERE g.project_id = ? AND g.practice = 0 ORDER BY c.id, o.author_id"
    )
    return [(row[0], row[1], row[2], bool(row[3])) for row in db.execute(sql, (project.id,))]


def uses(db: sqlite3.Connection, cell_ids: Sequence[int]) -> dict[int, str]:
    """What cells are marked for: ``gold`` (a check) or ``practice``; without those that are not."""
    sql = f"SELECT cell_id, practice FROM gold WHERE cell_id IN ({marks(len(cell_ids))})"
    return {row[0]: PRACTICE if row[1] else GOLD for row in db.execute(sql, list(cell_ids))}


@dataclass(frozen=True, slots=True)
class CellTexts:
    """What a cell is about: the id and text of its question, and the model that answered."""

    question_id: str
    question: str
    model: str


def texts_of(db: sqlite3.Connection, cell_ids: Sequence[int]) -> dict[int, CellTexts]:
    """Question and model of cells, by cell row."""
    sql = (
        "SELECT c.id, q.key, q.text, a.model FROM cell c "
        "JOIN question q ON q.id = c.question_id JOIN subject s ON s.id = c.subject_id "
        f"JOIN answer a ON a.id = s.answer_id WHERE c.id IN ({marks(len(cell_ids))})"
    )
    return {row[0]: CellTexts(*row[1:]) for row in db.execute(sql, list(cell_ids))}
