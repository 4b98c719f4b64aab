"""A person's own verdicts and skipped screens, page by page under filters."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from graders.core.scale import Value
from graders.store.answers.content import marks
from graders.store.projects import Project

#: A person's present verdicts in some projects, with what they are about.
_MINE = (
    "FROM verdict v JOIN author au ON au.id = v.author_id AND au.kind = 'person' AND au.name = ? "
    "AND au.project_id IN ({homes}) JOIN opinion o ON o.verdict_id = v.id "
    "AND o.cell_id = v.cell_id JOIN cell ON cell.id = v.cell_id "
    "JOIN criterion c ON c.id = o.criterion_id JOIN subject s ON s.id = cell.subject_id "
    "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = cell.question_id "
)
_HOLDS = " LIKE ? ESCAPE '\\'"
#: A suggestion that was changed, or a verdict that is another than before.
_CHANGED = (
    "(json_extract(v.provenance, '$.action') = 'edited' OR EXISTS (SELECT 1 FROM verdict w "
    "WHERE w.cell_id = v.cell_id AND w.author_id = v.author_id AND w.id < v.id "
    "AND w.value IS NOT v.value))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFilters:
    """Which of a person's verdicts: by criterion (its key), model, category, words that they hold;
    only `changed` ones. Empty: all. Answers name their models: words are looked for in them only
    where `in_answers` says so."""

    criterion: str = ""
    model: str = ""
    category: str = ""
    query: str = ""
    changed: bool = False
    in_answers: bool = False


@dataclass(frozen=True, slots=True)
class OwnVerdict:
    """A verdict with what it is about. `value` None: not applicable; `screen_id` None: given on no
    screen; `changed`: a suggestion was changed, or an earlier verdict of theirs."""

    screen_id: int | None
    cell_id: int
    question_id: int
    question: str
    category: str
    model: str
    answer: str
    criterion_id: int
    value: Value | None
    created_at: str
    changed: bool
    final: Value | None
    final_source: str
    final_reason: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A screen that a person left to others, with the reason, if one was given."""

    screen_id: int
    question_key: str
    question: str
    category: str
    reason: str
    at: str


def count(db: sqlite3.Connection, homes: Sequence[Project], person: str, wanted: OwnFilters) -> int:
    """How many verdicts there are."""
    where, values = _where(homes, person, wanted)
    return int(db.execute(f"SELECT count(*) {where}", values).fetchone()[0])


def verdicts(
    db: sqlite3.Connection,
    homes: Sequence[Project],
    person: str,
    wanted: OwnFilters,
    limit: int,
    start: int,
) -> list[OwnVerdict]:
    """The latest verdicts first, from number `start` on."""
    where, values = _where(homes, person, wanted)
    rows = db.execute(
        "SELECT v.screen_id, v.cell_id, cell.question_id, q.text AS question, "
        "coalesce(q.category, '') AS category, a.model, a.text AS answer, o.criterion_id, v.value, "
        "v.created_at, "
        f"{_CHANGED} AS changed, "
        f"cell.final, cell.final_source, cell.final_reason {where} "
        "ORDER BY v.id DESC LIMIT ? OFFSET ?",
        (*values, limit, start),
    )
    return [OwnVerdict(*_values(row)) for row in rows]


def kinds(
    db: sqlite3.Connection, homes: Sequence[Project], person: str
) -> tuple[list[str], list[str], list[str]]:
    """The criteria (keys), models and categories of a person's verdicts."""
    where, values = _where(homes, person, OwnFilters())
    names = ("c.key", "a.model", "coalesce(q.category, '')")
    found = []
    for name in names:
        rows = db.execute(f"SELECT DISTINCT {name} AS one {where} ORDER BY one", values)
        found.append([str(row[0]) for row in rows if row[0]])
    return found[0], found[1], found[2]


def skipped(db: sqlite3.Connection, project: Project, person: str) -> list[Skipped]:
    """Screens that a person skipped, the latest first."""
    rows = db.execute(
        "SELECT a.screen_id, q.key, q.text, coalesce(q.category, ''), a.reason, a.saved_at "
        "FROM assignment a JOIN screen s ON s.id = a.screen_id "
        "JOIN question q ON q.id = s.question_id WHERE a.project_id = ? AND a.person_id = ? "
        "AND a.state = 'skipped' ORDER BY a.saved_at DESC, a.id DESC",
        (project.id, person),
    )
    return [Skipped(*row) for row in rows]


def _where(
    homes: Sequence[Project], person: str, wanted: OwnFilters
) -> tuple[str, tuple[Any, ...]]:
    parts, values = list[str](), list[Any]([person, *(one.id for one in homes)])
    for column, value in (
        ("c.key", wanted.criterion),
        ("a.model", wanted.model),
        ("q.category", wanted.category),
    ):
        if value:
            parts.append(f"{column} = ?")
            values.append(value)
    if wanted.query:
        sign = wanted.query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        places = ["q.text", "v.value", *(["a.text"] if wanted.in_answers else [])]
        parts.append(f"({' OR '.join(place + _HOLDS for place in places)})")
        values += [f"%{sign}%"] * len(places)
    if wanted.changed:
        parts.append(_CHANGED)
    mine = _MINE.format(homes=marks(len(homes)))
    return mine + (f"WHERE {' AND '.join(parts)}" if parts else ""), tuple(values)


def _values(row: sqlite3.Row) -> list[Any]:
    found = {one.name: row[one.name] for one in fields(OwnVerdict)}
    for name in ("value", "final"):
        found[name] = None if found[name] is None else json.loads(found[name])
    return list(found.values())
