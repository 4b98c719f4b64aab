"""What the learned judge learned, and from which verdicts: labels, lessons per criterion, chances
per cell."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.scale import Value
from graders.store.answers.author_texts import NO_CONTROL
from graders.store.answers.content import DONE, chunks, marks
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import dumps

#: Blind opinions of people under the present wording, with a value, on current answers of models:
#: an author's own text, which is there as a control, says nothing of how models write; and what was
#: reviewed because it looked hard, or labelled where labels decide most, is no sample that figures
#: may rest on.
_BLIND = (
    "FROM author w CROSS JOIN opinion o ON o.author_id = w.id {criterion} CROSS "
    "JOIN cell c ON c.id = o.cell_id "
    "WHERE w.project_id = ? AND w.kind = 'person' AND o.blind = 1 "
    "AND o.design NOT IN ('adaptive', 'placed', 'gold') AND o.number IS NOT NULL "
    f"AND o.import_id {DONE} AND c.tally_id IS NOT NULL "
    f"AND {NO_CONTROL}"
)


@dataclass(frozen=True, slots=True)
class Label:
    """One person's blind verdict on a cell. `number` is what was said blind, even if it was amended
    after marks were seen."""

    cell_id: int
    question_id: int
    author: str
    number: float
    probability: float
    design: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned on one criterion when `seen` blind verdicts were there; `body` is plain data
    (see `workflows.learn`)."""

    criterion_id: int
    hash: str
    seen: int
    body: Mapping[str, Any]
    at: str


def blind_counts(
    db: sqlite3.Connection, project: Project, criteria: Iterable[CriterionRow]
) -> dict[int, int]:
    """How many blind verdicts of people there are, by criterion row."""
    sql = (
        "SELECT count(*) "
        f"{_BLIND.format(criterion='AND o.criterion_id = ? AND o.criterion_hash = ?')}"
    )
    return {c.id: db.execute(sql, (c.id, c.hash, project.id)).fetchone()[0] for c in criteria}


def labels(
    db: sqlite3.Connection, project: Project, criterion: CriterionRow, upto: str = ""
) -> list[Label]:
    """All blind verdicts of people on a criterion, by cell; those that were given `upto` a time."""
    then = "AND (SELECT v.created_at FROM verdict v WHERE v.id = o.verdict_id) <= ?" if upto else ""
    sql = (
        "SELECT o.cell_id, o.question_id, w.name, o.number, o.probability, o.design "
        f"{_BLIND.format(criterion='AND o.criterion_id = ? AND o.criterion_hash = ?')} "
        f"{then} ORDER BY o.cell_id, w.name"
    )
    return [
        Label(*row)
        for row in db.execute(
            sql, (criterion.id, criterion.hash, project.id, *([upto] if upto else []))
        )
    ]


def cells_by_question(db: sqlite3.Connection, criterion: CriterionRow) -> dict[int, list[int]]:
    """Question row -> cells of current answers under a criterion."""
    found: dict[int, list[int]] = {}
    sql = (
        "SELECT question_id, id FROM cell WHERE criterion_id = ? AND tally_id IS NOT NULL "
        f"AND import_id {DONE} ORDER BY question_id, id"
    )
    for question, cell in db.execute(sql, (criterion.id,)):
        found.setdefault(question, []).append(cell)
    return found


def lessons(db: sqlite3.Connection, criteria: Sequence[CriterionRow]) -> dict[int, Lesson]:
    """What was learned, by criterion row; lessons on an earlier wording are among them."""
    rows = db.execute(
        f"SELECT * FROM lesson WHERE criterion_id IN ({marks(len(criteria))})",
        [c.id for c in criteria],
    )
    return {
        r["criterion_id"]: Lesson(
            r["criterion_id"], r["hash"], r["seen"], json.loads(r["body"]), r["at"]
        )
        for r in rows
    }


def put_lesson(db: sqlite3.Connection, lesson: Lesson) -> None:
    """Keep a lesson in place of the one before."""
    db.execute(
        "INSERT OR REPLACE INTO lesson VALUES (?, ?, ?, ?, ?)",
        (lesson.criterion_id, lesson.hash, lesson.seen, dumps(dict(lesson.body)), lesson.at),
    )


def put_chances(db: sqlite3.Connection, rows: Sequence[tuple[int, Mapping[str, float]]]) -> None:
    """Set the chances of cells: rows of (cell, value as text -> chance)."""
    db.executemany(
        "INSERT OR REPLACE INTO chance VALUES (?, ?)",
        [(cell, dumps(dict(found))) for cell, found in rows],
    )


def forget_chances(db: sqlite3.Connection, cell_ids: Sequence[int]) -> None:
    """Remove the chances of cells."""
    db.executemany("DELETE FROM chance WHERE cell_id = ?", [(cell,) for cell in cell_ids])


def chances_of(db: sqlite3.Connection, cell_ids: Iterable[int]) -> dict[int, dict[str, float]]:
    """Value as text -> chance, by cell; only what was learned under the criterion as it is worded
    now."""
    found: dict[int, dict[str, float]] = {}
    for batch in chunks(cell_ids):
        sql = (
            "SELECT h.cell_id, h.chances FROM chance h CROSS JOIN cell c ON c.id = h.cell_id "
            "CROSS JOIN criterion k ON k.id = c.criterion_id "
            "CROSS JOIN lesson l ON l.criterion_id = k.id AND l.hash = k.hash "
            f"WHERE h.cell_id IN ({marks(len(batch))})"
        )
        found.update((row[0], json.loads(row[1])) for row in db.execute(sql, batch))
    return found


def learned_values(
    db: sqlite3.Connection, criterion: CriterionRow, author: str
) -> dict[int, tuple[Value | None, float | None]]:
    """(value, confidence) of the learned judge's present verdicts on a criterion, by cell."""
    sql = (
        "SELECT o.cell_id, o.value, v.confidence FROM author w CROSS "
        "JOIN opinion o ON o.criterion_id = ? AND o.author_id = w.id "
        "CROSS JOIN verdict v ON v.id = o.verdict_id WHERE w.kind = 'judge' AND w.name = ? "
        "AND o.criterion_hash = ?"
    )
    rows = db.execute(sql, (criterion.id, author, criterion.hash))
    return {row[0]: (None if row[1] is None else json.loads(row[1]), row[2]) for row in rows}
