"""What the grid of Results reads: cells of models and criteria, by page and by filter."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.author_texts import AUTHOR_GLOB
from graders.core.preference import compares_two
from graders.store.answers.content import DONE, marks
from graders.store.projects import Project

_FILTERS = ("category", "task_type", "language")


@dataclass(frozen=True, slots=True)
class CellOfAnswer:
    """A cell of a model's current answer, with its question; values are JSON."""

    cell_id: int
    subject_id: int
    part: str
    final: str | None
    final_source: str
    final_reason: str
    suggestion: str | None
    route: str
    route_reason: str
    question_id: str
    question: str
    category: str
    task_type: str
    language: str
    version: int
    answer: str


def answer_page(
    db: sqlite3.Connection,
    project: Project,
    model: str,
    criterion_id: int,
    filters: Mapping[str, str],
    *,
    limit: int,
    offset: int,
) -> list[CellOfAnswer]:
    """Cells of a model's current answers under a criterion, by question. `filters`: category,
    task_type, language, state.

    State is empty or a `final_source`.
    """
    where, values = _cells_of_model(project, model, criterion_id, filters)
    sql = (
        "SELECT c.id AS cell_id, c.subject_id, c.part, c.final, c.final_source, "
        "c.final_reason, c.suggestion, c.route, c.route_reason, q.key AS question_id, "
        "q.text AS question, q.category, q.task_type, q.language, a.version, substr(a.text, "
        f"1, 240) AS answer {where} ORDER BY a.id, c.id LIMIT ? OFFSET ?"
    )
    return [CellOfAnswer(*row) for row in db.execute(sql, (*values, limit, offset))]


def answer_counts(
    db: sqlite3.Connection,
    project: Project,
    model: str,
    criterion_id: int,
    filters: Mapping[str, str],
) -> list[tuple[str, str | None, int]]:
    """(final source, final value as JSON or None, cells) of a model's current answers under a
    criterion."""
    where, values = _cells_of_model(project, model, criterion_id, filters)
    sql = f"SELECT c.final_source, c.final, count(*) {where} GROUP BY 1, 2 ORDER BY 1, 2"
    return [(row[0], row[1], row[2]) for row in db.execute(sql, values)]


def part_sums(
    db: sqlite3.Connection,
    project: Project,
    model: str,
    criterion_id: int,
    filters: Mapping[str, str],
) -> dict[str, tuple[int, int, int, float]]:
    """Part -> (cells, cells with a final value, pending ones, sum of final values) of a model's
    current answers under a criterion."""
    where, values = _cells_of_model(project, model, criterion_id, filters)
    sql = (
        "SELECT c.part, count(*), count(c.final_number), sum(c.final_source = 'pending'), "
        f"coalesce(sum(c.final_number), 0) {where} GROUP BY 1"
    )
    return {row[0]: (row[1], row[2], row[3], row[4]) for row in db.execute(sql, values)}


def _cells_of_model(
    project: Project, model: str, criterion_id: int, filters: Mapping[str, str]
) -> tuple[str, tuple[Any, ...]]:
    """FROM and WHERE with their values. The order of joins is forced: a model's answers are few
    beside the cells."""
    names = [name for name in _FILTERS if filters.get(name)]
    clauses = "".join(f" AND q.{name} = ?" for name in names)
    values: list[Any] = [project.id, model, criterion_id, *(filters[name] for name in names)]
    if filters.get("state"):
        clauses += " AND c.final_source = ?"
        values.append(filters["state"])
    where = (
        "FROM answer a CROSS JOIN subject s ON s.answer_id = a.id CROSS "
        "JOIN cell c ON c.subject_id = s.id CROSS JOIN question q ON q.id = a.question_id "
        f"WHERE a.project_id = ? AND a.model = ? AND a.current = 1 AND a.import_id {DONE} "
        "AND c.criterion_id = ? AND c.tally_id IS NOT NULL "
        f"AND c.import_id {DONE}{clauses}"
    )
    return where, tuple(values)


def checklists(
    db: sqlite3.Connection, project: Project, criteria: Sequence[int], filters: Mapping[str, str]
) -> dict[tuple[str, int], tuple[int, float, float]]:
    """(model, criterion row) -> answers, sum and sum of squares of the answers' own means over
    their parts.

    A list of two entries counts as much as one of ten. An answer counts when none of its parts is
    pending; parts that are not applicable are left out of its mean.
    """
    if not criteria:
        return {}
    names = [name for name in _FILTERS if filters.get(name)]
    clauses = "".join(f" AND t.{name} = ?" for name in names)
    sql = (
        "SELECT t.model, p.criterion_id, count(*), sum(p.mean), sum(p.mean * p.mean) "
        "FROM (SELECT c.criterion_id, c.tally_id, avg(c.final_number) AS mean "
        f"FROM cell c INDEXED BY cell_part WHERE c.criterion_id IN ({marks(len(criteria))}) "
        f"AND c.part <> '' AND c.tally_id IS NOT NULL AND c.import_id {DONE} "
        "GROUP BY c.criterion_id, c.subject_id HAVING sum(c.final_source = 'pending') = 0 "
        "AND count(c.final_number) > 0) p "
        f"JOIN tally t ON t.id = p.tally_id WHERE t.project_id = ?{clauses} GROUP BY 1, 2"
    )
    rows = db.execute(sql, (*criteria, project.id, *(filters[name] for name in names)))
    return {(row[0], row[1]): (row[2], row[3], row[4]) for row in rows}


def suggested(
    db: sqlite3.Connection,
    project: Project,
    criterion_id: int,
    filters: Mapping[str, str],
    *,
    by_answer: bool,
) -> list[tuple[str, int, str, int]]:
    """(model, subject or 0, suggestion as JSON, cells) of a criterion's cells that nobody decided;
    `by_answer`: each answer apart. Authors' own texts are not among them."""
    names = [name for name in _FILTERS if filters.get(name)]
    clauses = "".join(f" AND t.{name} = ?" for name in names)
    subject = "c.subject_id" if by_answer else "0"
    sql = (
        f"SELECT t.model, {subject}, c.suggestion, count(*) FROM cell c "
        "JOIN tally t ON t.id = c.tally_id WHERE c.criterion_id = ? AND t.project_id = ? "
        "AND c.final_source = 'pending' AND c.suggestion IS NOT NULL AND t.model NOT GLOB ? "
        f"AND c.import_id {DONE}{clauses} GROUP BY 1, 2, 3"
    )
    values = (criterion_id, project.id, AUTHOR_GLOB, *(filters[name] for name in names))
    return [(row[0], row[1], row[2], row[3]) for row in db.execute(sql, values)]


def fault_tallies(
    db: sqlite3.Connection, project: Project, filters: Mapping[str, str]
) -> dict[str, tuple[int, int]]:
    """Model -> (faults that are final, faults still open)."""
    names = [name for name in _FILTERS if filters.get(name)]
    clauses = "".join(f" AND t.{name} = ?" for name in names)
    sql = (
        "SELECT t.model, sum(t.total), sum(t.cells - t.people - t.audit - t.automatic - "
        "t.closed) FROM tally t JOIN criterion c ON c.id = t.criterion_id "
        f"WHERE t.project_id = ? AND c.key LIKE 'faults/%' AND c.active = 1{clauses} "
        "GROUP BY t.model"
    )
    return {
        row[0]: (int(row[1]), int(row[2]))
        for row in db.execute(sql, (project.id, *(filters[name] for name in names)))
    }


def compares_pairs(db: sqlite3.Connection, criterion_id: int) -> bool:
    """Whether a criterion grades pairs of answers: its first cell tells, or before there is one its
    scale."""
    sql = (
        "SELECT s.other_id FROM cell c JOIN subject s ON s.id = c.subject_id "
        "WHERE c.criterion_id = ? LIMIT 1"
    )
    row = db.execute(sql, (criterion_id,)).fetchone()
    if row is None:
        scale = db.execute("SELECT scale FROM criterion WHERE id = ?", (criterion_id,)).fetchone()
        return scale is not None and compares_two(scale[0])
    return row[0] is not None


def criterion_cells(db: sqlite3.Connection, project: Project, criterion_id: int) -> int:
    """The number of cells of models under one criterion, from the tallies."""
    sql = (
        "SELECT coalesce(sum(cells), 0) FROM tally WHERE project_id = ? AND criterion_id = ? "
        "AND model NOT GLOB ?"
    )
    return int(db.execute(sql, (project.id, criterion_id, AUTHOR_GLOB)).fetchone()[0])


@dataclass(frozen=True, slots=True)
class FilterCount:
    """A value that can be filtered by, and how many cells have it."""

    value: str
    cells: int


def filter_counts(
    db: sqlite3.Connection, project: Project, criterion_id: int
) -> dict[str, list[FilterCount]]:
    """What can be filtered by, with the number of cells of one criterion, most first; from the
    tallies."""
    found: dict[str, list[FilterCount]] = {}
    for name in _FILTERS:
        sql = (
            f"SELECT {name}, sum(cells) FROM tally WHERE project_id = ? AND criterion_id = ? "
            f"AND {name} <> '' AND model NOT GLOB ? GROUP BY 1 HAVING sum(cells) > 0 "
            "ORDER BY 2 DESC, 1"
        )
        found[name] = [
            FilterCount(*row) for row in db.execute(sql, (project.id, criterion_id, AUTHOR_GLOB))
        ]
    return found
