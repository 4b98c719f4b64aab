"""Screens are queued and dropped, and their free places counted."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graders.store.answers.content import chunks, marks
from graders.store.projects import Project
from graders.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class NewScreen:
    """A screen to be queued: smaller `priority` comes first, `needed` people see it; `cells`: the
    only ones that it asks about, where it does not ask about all; `look`: the planned look that its
    labels belong to, 0 for none."""

    question_id: int
    design: str
    subjects: tuple[int, ...]
    probability: float
    priority: float
    needed: int = 1
    cells: tuple[int, ...] = ()
    look: int = 0


def add_screens(
    db: sqlite3.Connection, ws: Workspace, project: Project, screens: Sequence[NewScreen]
) -> None:
    """Queue screens."""
    now = ws.now()
    for screen in screens:
        row_id = db.execute(
            (
                "INSERT INTO screen (project_id, question_id, design, probability, seed, needed, "
                "created_at, look) VALUES (?,?,?,?,?,?,?,?)"
            ),
            (
                project.id,
                screen.question_id,
                screen.design,
                screen.probability,
                project.seed,
                screen.needed,
                now,
                screen.look,
            ),
        ).lastrowid
        db.executemany(
            "INSERT INTO screen_subject VALUES (?, ?)",
            [(row_id, subject) for subject in screen.subjects],
        )
        db.executemany(
            "INSERT INTO screen_cell VALUES (?, ?)", [(row_id, cell) for cell in screen.cells]
        )
        db.execute(
            "INSERT INTO queue (screen_id, project_id, priority, free) VALUES (?, ?, ?, ?)",
            (row_id, project.id, screen.priority, screen.needed),
        )


#: Places of the queue, as priorities from the first to below the second: of screens drawn for
#: calibration, behind what a lead asked for or placed; of audits; all. Ordinary ones follow from 1.
CALIBRATION, AUDITS, EVERYWHERE = (-0.45, -0.3), (-0.3, 0.0), (-math.inf, math.inf)
#: Nobody was ever given the screen `s`.
UNTOUCHED = "NOT EXISTS (SELECT 1 FROM assignment a WHERE a.screen_id = s.id)"

#: Nobody holds the screen `s`, and nobody has saved it: it is untouched, or was given back.
_FREE = (
    "NOT EXISTS (SELECT 1 FROM assignment a WHERE a.screen_id = s.id "
    "AND a.state NOT IN ('expired', 'released'))"
)


def untouched(db: sqlite3.Connection, project: Project, design: str) -> dict[tuple[int, ...], int]:
    """Screens of a design that nobody has been given yet: (people needed, subjects in order of
    their rows) -> screen row."""
    found: dict[int, list[int]] = {}
    sql = (
        "SELECT x.screen_id, x.subject_id, s.needed FROM screen s "
        "JOIN screen_subject x ON x.screen_id = s.id "
        f"WHERE s.project_id = ? AND s.design = ? AND {UNTOUCHED} "
        "ORDER BY x.screen_id, x.subject_id"
    )
    for row in db.execute(sql, (project.id, design)):
        found.setdefault(row[0], [row[2]]).append(row[1])
    return {tuple(key): screen for screen, key in found.items()}


def untouched_with(
    db: sqlite3.Connection, project: Project, design: str, subjects: Sequence[int]
) -> dict[int, list[int]]:
    """Screens of a design that nobody has been given yet and that hold one of the subjects: screen
    row -> all its subjects."""
    found: dict[int, list[int]] = {}
    for ids in chunks(subjects):
        sql = (
            "SELECT x.screen_id, x.subject_id FROM screen_subject x "
            "WHERE x.screen_id IN (SELECT s.id FROM screen_subject y JOIN screen s "
            f"ON s.id = y.screen_id WHERE y.subject_id IN ({marks(len(ids))}) "
            f"AND s.project_id = ? AND s.design = ? AND {UNTOUCHED})"
        )
        for screen, subject in db.execute(sql, (*ids, project.id, design)):
            found.setdefault(screen, []).append(subject)
    return {screen: sorted(set(members)) for screen, members in found.items()}


def free_otherwise(
    db: sqlite3.Connection,
    project: Project,
    design: str,
    needed: int,
    places: tuple[float, float] = EVERYWHERE,
) -> list[int]:
    """Screens of a design that nobody holds and nobody has saved, for which another number of
    people was asked; those with a priority from the first of `places` to below the second."""
    sql = (
        "SELECT s.id FROM screen s JOIN queue q ON q.screen_id = s.id WHERE s.project_id = ? "
        f"AND s.design = ? AND s.needed <> ? AND q.priority >= ? AND q.priority < ? AND {_FREE}"
    )
    return [row[0] for row in db.execute(sql, (project.id, design, needed, *places))]


def set_needed(db: sqlite3.Connection, screen_ids: Sequence[int], needed: int) -> None:
    """Ask for so many people on screens, except those that somebody was given meanwhile."""
    for screen in screen_ids:
        if db.execute(
            f"UPDATE screen AS s SET needed = ? WHERE id = ? AND {_FREE}", (needed, screen)
        ).rowcount:
            count_places(db, screen)


def drop_screens(db: sqlite3.Connection, screen_ids: Sequence[int]) -> None:
    """Remove screens, except those that somebody was given meanwhile."""
    for ids in chunks(screen_ids):
        still = [
            row[0]
            for row in db.execute(
                f"SELECT s.id FROM screen s WHERE s.id IN ({marks(len(ids))}) AND {UNTOUCHED}", ids
            )
        ]
        for table, column in (
            ("queue", "screen_id"),
            ("screen_subject", "screen_id"),
            ("screen_cell", "screen_id"),
            ("screen", "id"),
        ):
            db.execute(f"DELETE FROM {table} WHERE {column} IN ({marks(len(still))})", still)


def take_off(
    db: sqlite3.Connection, project: Project, design: str, subjects: Sequence[int]
) -> None:
    """Take subjects off the screens of a design that nobody has been given yet; a screen on which
    none is left goes."""
    bare: list[int] = []
    for screen, members in untouched_with(db, project, design, subjects).items():
        gone = sorted({*members}.intersection(subjects))
        db.executemany(
            "DELETE FROM screen_subject WHERE screen_id = ? AND subject_id = ?",
            [(screen, subject) for subject in gone],
        )
        if len(gone) == len(members):
            bare.append(screen)
    drop_screens(db, bare)


def screened(db: sqlite3.Connection, project: Project, designs: Sequence[str] = ()) -> set[int]:
    """Subjects that stand on a screen (of the given designs)."""
    where = f"AND s.design IN ({marks(len(designs))})" if designs else ""
    sql = (
        "SELECT DISTINCT x.subject_id FROM screen_subject x JOIN screen s ON s.id = x.screen_id "
        f"WHERE s.project_id = ? {where}"
    )
    return {row[0] for row in db.execute(sql, (project.id, *designs))}


def count_places(db: sqlite3.Connection, screen_id: int) -> None:
    """Free places of a screen: what is needed, less those who are done and those who hold it.
    Counted, so it cannot drift."""
    db.execute(
        "UPDATE queue SET free = max(0, (SELECT s.needed - s.done FROM screen s "
        "WHERE s.id = queue.screen_id) - "
        "(SELECT count(*) FROM assignment a WHERE a.screen_id = queue.screen_id "
        "AND a.state = 'leased')) WHERE screen_id = ?",
        (screen_id,),
    )


def begun(db: sqlite3.Connection, project: Project) -> list[tuple[int, bool]]:
    """Ordinary screens that wait for a further person, and whether they have anything to ask: not
    where the machine decides all now."""
    asks = (
        "EXISTS (SELECT 1 FROM screen_subject x JOIN cell c ON c.subject_id = x.subject_id "
        "JOIN criterion cr ON cr.id = c.criterion_id "
        "AND cr.active = 1 AND cr.key NOT LIKE 'faults/%' WHERE x.screen_id = s.id "
        "AND c.route <> 'automatic')"
    )
    waits = f"s.project_id = ? AND s.design = 'ordinary' AND s.done < s.needed AND NOT {UNTOUCHED}"
    return [
        (row[0], bool(row[1]))
        for row in db.execute(f"SELECT s.id, {asks} FROM screen s WHERE {waits}", (project.id,))
    ]


def set_places(db: sqlite3.Connection, screens: Sequence[tuple[int, bool]]) -> None:
    """Open the further places of screens that have something to ask, and close those of the
    others."""
    for screen, asks in screens:
        count_places(db, screen)
        if not asks:
            db.execute("UPDATE queue SET free = 0 WHERE screen_id = ?", (screen,))


def count_of(db: sqlite3.Connection, project: Project, design: str) -> int:
    """How many screens of a design there are."""
    sql = "SELECT count(*) FROM screen WHERE project_id = ? AND design = ?"
    return int(db.execute(sql, (project.id, design)).fetchone()[0])


def design_of(db: sqlite3.Connection, screen_id: int) -> str:
    """What a screen was made for; empty where there is none."""
    row = db.execute("SELECT design FROM screen WHERE id = ?", (screen_id,)).fetchone()
    return row[0] if row else ""
