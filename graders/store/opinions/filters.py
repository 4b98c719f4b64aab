"""Which verdicts of people count for a figure, as conditions on opinions; and what there is to
choose from. Nothing writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from graders.core.author_texts import AUTHOR_GLOB
from graders.store.answers.content import marks
from graders.store.projects import Project

#: The value of a filter that is set.
Chosen = str | int | tuple[str, ...]
#: Filters that a cell's tally answers, and those that stand in a verdict's provenance.
OF_CELL = ("category", "task_type", "language", "model")
ACTIONS = ("typed", "accepted", "edited")
NEIGHBOURS = ("alone", "beside")


class Clause(NamedTuple):
    """A condition to be added to a WHERE, and its values."""

    sql: str = ""
    values: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Filters:
    """Which verdicts count; empty lets all in. Several values of one filter are alternatives,
    several filters hold together.

    `annotator`: ids of people; `action`: how the verdict came about; `neighbours`: whether other
    answers stood beside it; `since`, `until`: dates, both inclusive (ISO 8601, UTC); `wording`: row
    of an earlier version of a rubric, 0 for the present ones.
    """

    category: tuple[str, ...] = ()
    task_type: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    annotator: tuple[str, ...] = ()
    action: tuple[str, ...] = ()
    neighbours: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    wording: int = 0

    @property
    def chosen(self) -> dict[str, Chosen]:
        """The filters that are set."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name))}


#: No filter is set.
EVERYTHING = Filters()


def of_cell(filters: Filters, criterion_id: int, alias: str = "o") -> Clause:
    """The condition on the cell of an opinion."""
    chosen = [(name, getattr(filters, name)) for name in OF_CELL if getattr(filters, name)]
    if not chosen:
        return Clause()
    where = " AND ".join(f"t.{name} IN ({marks(len(values))})" for name, values in chosen)
    sql = (
        f" AND {alias}.cell_id IN (SELECT x.id FROM cell x WHERE x.criterion_id = ? "
        "AND x.tally_id IN "
        f"(SELECT t.id FROM tally t WHERE t.criterion_id = ? AND {where}))"
    )
    return Clause(
        sql, (criterion_id, criterion_id, *(value for _, values in chosen for value in values))
    )


def of_verdict(filters: Filters, alias: str = "o") -> Clause:
    """The condition on how and when a person's present verdict was given."""
    parts: list[str] = []
    values: list[str] = []
    if filters.action:
        parts.append(f"json_extract(v.provenance, '$.action') IN ({marks(len(filters.action))})")
        values += filters.action
    if len(filters.neighbours) == 1:
        beside = "coalesce(json_array_length(v.provenance, '$.shown_beside'), 0)"
        parts.append(f"{beside} = 0" if filters.neighbours[0] == "alone" else f"{beside} > 0")
    if filters.since:
        parts.append("v.created_at >= ?")
        values.append(filters.since)
    if filters.until:
        parts.append("v.created_at < date(?, '+1 day')")
        values.append(filters.until)
    if not parts:
        return Clause()
    return Clause(
        (
            f" AND EXISTS (SELECT 1 FROM verdict v WHERE v.id = {alias}.verdict_id "
            f"AND {' AND '.join(parts)})"
        ),
        tuple(values),
    )


def choices(db: sqlite3.Connection, project: Project) -> dict[str, list[str]]:
    """The values that cells of current answers have, by filter, in alphabetical order."""
    found: dict[str, list[str]] = {}
    for name in OF_CELL:
        sql = (
            f"SELECT DISTINCT {name} FROM tally WHERE project_id = ? AND cells > 0 "
            f"AND {name} <> '' AND model NOT GLOB ? ORDER BY 1"
        )
        found[name] = [row[0] for row in db.execute(sql, (project.id, AUTHOR_GLOB))]
    return found


@dataclass(frozen=True, slots=True)
class Wording:
    """A version of a rubric."""

    id: int
    name: str
    version: int
    active: bool
    at: str
    source: str


def wordings(db: sqlite3.Connection, project: Project) -> list[Wording]:
    """All versions of the project's rubrics, newest first."""
    sql = (
        "SELECT id, name, version, active, created_at AS at, source FROM rubric "
        "WHERE project_id = ? ORDER BY id DESC"
    )
    return [
        Wording(row[0], row[1], row[2], bool(row[3]), row[4], row[5])
        for row in db.execute(sql, (project.id,))
    ]


def criterion_rows(db: sqlite3.Connection, project: Project, keys: Sequence[str]) -> dict[str, int]:
    """Criterion row by key, also of criteria that are no longer asked."""
    sql = f"SELECT key, id FROM criterion WHERE project_id = ? AND key IN ({marks(len(keys))})"
    return {row[0]: row[1] for row in db.execute(sql, (project.id, *keys))}
