"""A person's assignments of screens, as they were drawn: reading alone, in one statement each,
since every statement may wait for others."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.records import Arm, Design
from graders.store.answers.content import marks
from graders.store.projects import Project

#: Fields of a question by which a person may narrow the queue.
NARROWED_BY = ("task_type", "category", "language")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Up to `count` screens for a person, besides those that the page `have`s: in general, of one
    question, or narrowed down.

    Each `undrawn`-th screen of a person is an ordinary one while there are any (0: none is), after
    the first `drawn_first` ones. `only` narrows the queue to questions with a value in one of
    NARROWED_BY. Screens come back to the person at a share of `again` of those that he or she did,
    gold questions come at a share of `gold` and copies with a fault at a share of `control`, where
    the queue is not narrowed.
    """

    person_id: str
    count: int
    have: tuple[int, ...] = ()
    question_id: int | None = None
    undrawn: int = 0
    only: tuple[str, str] | None = None
    again: float = 0.0
    gold: float = 0.0
    control: float = 0.0
    drawn_first: int = 0


@dataclass(frozen=True, slots=True)
class Assignment:
    """A person's screen, with the arm that was drawn before anything was sent; `adaptive`: it came
    early or late for what machines said of it, so that it is no sample of other screens; `cells`:
    the only ones that it asks about, where it does not ask about all."""

    id: int
    screen_id: int
    question_id: int
    design: Design
    subjects: tuple[int, ...]
    screen_probability: float
    person_id: str
    arm: Arm
    probability: float
    order_seed: int
    state: str
    save_id: str
    comment: str
    flagged: bool
    adaptive: bool = False
    cells: frozenset[int] = frozenset()


_COLUMNS = (
    "a.id, a.screen_id, s.question_id, s.design, (SELECT json_group_array(subject_id) "
    "FROM (SELECT x.subject_id FROM screen_subject x "
    "WHERE x.screen_id = a.screen_id ORDER BY 1)) AS subjects, s.probability AS "
    "screen_probability, a.person_id, a.arm, a.probability, "
    "a.order_seed, a.state, a.save_id, a.comment, a.flagged, a.adaptive, "
    "(SELECT json_group_array(y.cell_id) FROM screen_cell y "
    "WHERE y.screen_id = a.screen_id) AS cells"
)
_FROM = "FROM assignment a JOIN screen s ON s.id = a.screen_id"
_FREE = "(SELECT o.count FROM open_screens o WHERE o.project_id = a.project_id) AS free"


def _assignment(row: sqlite3.Row | dict[str, Any]) -> Assignment:
    flags = {name: bool(row[name]) for name in ("flagged", "adaptive")}
    subjects, cells = tuple(json.loads(row["subjects"])), frozenset(json.loads(row["cells"]))
    return Assignment(**{**row, **flags, "subjects": subjects, "cells": cells})


def find(db: sqlite3.Connection, screen_id: int, person_id: str) -> Assignment | None:
    """A person's assignment of a screen."""
    row = db.execute(
        f"SELECT {_COLUMNS} {_FROM} WHERE a.screen_id = ? AND a.person_id = ?",
        (screen_id, person_id),
    ).fetchone()
    return None if row is None else _assignment(row)


def find_all(db: sqlite3.Connection, screen_ids: Sequence[int], person_id: str) -> list[Assignment]:
    """A person's assignments of screens, in their order, without those that are not there."""
    return [found for screen in screen_ids if (found := find(db, screen, person_id)) is not None]


def held(
    db: sqlite3.Connection, project: Project, wanted: Wanted, until: float = 0.0
) -> list[Assignment]:
    """Screens that a person has on lease at least until a time and not in hand: as many as are
    wanted, of one question or narrowed down."""
    return [_assignment(row) for row in _held(db, project, wanted, until, _COLUMNS)]


def ready(
    db: sqlite3.Connection, project: Project, wanted: Wanted, until: float
) -> tuple[list[Assignment], int | None]:
    """What is `held`, and how many screens have a free place (None where nothing is held)."""
    rows = [dict(row) for row in _held(db, project, wanted, until, f"{_COLUMNS}, {_FREE}")]
    free = [row.pop("free") for row in rows]
    return [_assignment(row) for row in rows], (free[0] or 0) if free else None


def _held(
    db: sqlite3.Connection, project: Project, wanted: Wanted, until: float, columns: str
) -> list[sqlite3.Row]:
    sql = (
        f"SELECT {columns} {_FROM} %s WHERE a.project_id = ? AND a.person_id = ? "
        "AND a.state = 'leased' AND a.lease_until >= ? %s ORDER BY a.id LIMIT ?"
    )
    join, where, more = "", "", list[int | str](wanted.have)
    if wanted.have:
        where = f"AND a.screen_id NOT IN ({marks(len(wanted.have))})"
    if wanted.question_id is not None:
        where, more = f"{where} AND s.question_id = ?", [*more, wanted.question_id]
    elif wanted.only is not None:
        join, where, more = (
            "JOIN question z ON z.id = s.question_id",
            f"{where} AND z.{wanted.only[0]} = ?",
            [*more, wanted.only[1]],
        )
    return db.execute(
        sql % (join, where), (project.id, wanted.person_id, until, *more, max(0, wanted.count))
    ).fetchall()
