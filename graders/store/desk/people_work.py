"""What people's work took and when: screens with their seconds, by design. Nothing writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from graders.store.projects import Project


@dataclass(frozen=True, slots=True)
class ScreenDone:
    """A saved screen; `further`: a colleague had saved it before."""

    person: str
    question_id: int
    design: str
    arm: str
    seconds: float
    saved_at: str
    further: int


def screens_done(db: sqlite3.Connection, project: Project) -> list[ScreenDone]:
    """Saved screens, as they were handed out."""
    sql = (
        "SELECT a.person_id AS person, s.question_id, s.design, a.arm, a.seconds, "
        "a.saved_at, EXISTS (SELECT 1 FROM assignment b "
        "WHERE b.screen_id = a.screen_id AND b.id <> a.id AND b.state IN ('done', 'partial') "
        "AND b.saved_at < a.saved_at) AS further "
        "FROM assignment a JOIN screen s ON s.id = a.screen_id WHERE a.project_id = ? "
        "AND a.state IN ('done', 'partial') ORDER BY a.id"
    )
    return [ScreenDone(*row) for row in db.execute(sql, (project.id,))]


def answers_to_suggestions(db: sqlite3.Connection, project: Project) -> list[tuple[str, int, str]]:
    """(person, question row, action) of verdicts by people that accepted or changed a suggestion,
    as they stand."""
    sql = (
        "SELECT w.name, o.question_id, json_extract(v.provenance, '$.action') AS action "
        "FROM author w CROSS JOIN criterion k ON k.project_id = w.project_id "
        "CROSS JOIN opinion o ON o.criterion_id = k.id AND o.author_id = w.id "
        "AND o.blind = 0 CROSS JOIN verdict v ON v.id = o.verdict_id "
        "WHERE w.project_id = ? AND w.kind = 'person' AND action IN ('accepted', 'edited')"
    )
    return [tuple(row) for row in db.execute(sql, (project.id,))]


def adjudication_seconds(db: sqlite3.Connection, project: Project, settler: str) -> float:
    """Seconds that settling cells took, what was taken back or decided anew included: verdicts by
    the author `settler`."""
    sql = (
        "SELECT coalesce(sum(json_extract(v.provenance, '$.seconds')), 0) FROM author w "
        "JOIN verdict v ON v.author_id = w.id AND v.kind <> 'retracts' "
        "WHERE w.project_id = ? AND w.kind = 'person' AND w.name = ?"
    )
    return float(db.execute(sql, (project.id, settler)).fetchone()[0])


@dataclass(frozen=True, slots=True)
class Timed:
    """A saved screen with the cells that were decided on it and the seconds that they took."""

    person: str
    cells: int
    seconds: float


#: How many cells a save decided; said so that the index of saves, which has no empty ones, serves.
_CELLS = "SELECT count(*) FROM verdict v WHERE v.save_id = {save} AND v.save_id <> ''"
_TIMED = "a.state IN ('done', 'partial') AND a.seconds > 0 AND a.save_id <> ''"


def timed_screens(db: sqlite3.Connection, project: Project, person: str = "") -> list[Timed]:
    """Saved screens that the page measured, of one person or of all, each person's in the order
    in which they were saved."""
    sql = (
        f"SELECT a.person_id, ({_CELLS.format(save='a.save_id')}) AS cells, a.seconds "
        f"FROM assignment a WHERE a.project_id = ? AND {_TIMED} AND cells > 0 "
        "AND (? = '' OR a.person_id = ?) ORDER BY a.person_id, a.saved_at, a.id"
    )
    return [Timed(*row) for row in db.execute(sql, (project.id, person, person))]


def latest_timed(db: sqlite3.Connection, project: Project, person: str) -> Iterator[Timed]:
    """The same of one person, the latest first: who needs a few reads the cells of no more."""
    sql = (
        f"SELECT a.save_id, a.seconds FROM assignment a WHERE a.project_id = ? AND {_TIMED} "
        "AND a.person_id = ? ORDER BY a.saved_at DESC, a.id DESC"
    )
    for save, seconds in db.execute(sql, (project.id, person)).fetchall():
        (cells,) = db.execute(_CELLS.format(save="?"), (save,)).fetchone()
        if cells:
            yield Timed(person, cells, seconds)
