"""Cells on which judges gave no verdict, by the reason they named."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from graders.store.answers.content import DONE
from graders.store.projects import Project

#: Present opinions of judges without a value, under the criteria as they stand, on current answers.
#: What does not apply is no gap.
_FROM = (
    "FROM author w CROSS JOIN criterion k ON k.project_id = w.project_id AND k.active = 1 "
    "CROSS JOIN opinion o ON o.criterion_id = k.id AND o.author_id = w.id "
    "AND o.criterion_hash = k.hash AND o.status <> 'ok' "
    "CROSS JOIN verdict v ON v.id = o.verdict_id CROSS JOIN cell c ON c.id = o.cell_id "
    "WHERE w.project_id = ? AND w.kind = 'judge' AND v.reason <> 'not_applicable' "
    f"AND o.import_id {DONE} AND c.tally_id IS NOT NULL"
)


def reasons(db: sqlite3.Connection, project: Project, judge: str = "") -> list[tuple[str, int]]:
    """(reason, cells) of a judge, or of all where none is named, most first."""
    clause, values = _by(project, judge)
    return [
        (row[0], row[1])
        for row in db.execute(
            f"SELECT v.reason, count(*) {_FROM}{clause} GROUP BY 1 ORDER BY 2 DESC, 1", values
        )
    ]


@dataclass(frozen=True, slots=True)
class UnscoredRow:
    """A cell on which a judge gave no verdict; `detail` is what the judge brought instead."""

    judge: str
    criterion_id: int
    part: str
    reason: str
    detail: str
    question_id: str
    question: str
    model: str


def rows(
    db: sqlite3.Connection,
    project: Project,
    judge: str = "",
    reason: str = "",
    *,
    limit: int,
    offset: int,
) -> list[UnscoredRow]:
    """One page of the cells, as answers stand."""
    clause, values = _by(project, judge)
    if reason:
        clause, values = clause + " AND v.reason = ?", [*values, reason]
    sql = (
        f"WITH page AS (SELECT o.verdict_id, o.criterion_id, w.name AS judge {_FROM}{clause} "
        "ORDER BY c.subject_id, c.id, w.id LIMIT ? OFFSET ?) "
        "SELECT page.judge, page.criterion_id, c.part, v.reason, substr(v.rationale, 1, "
        "300) AS detail, q.key AS question_id, "
        "substr(q.text, 1, 300) AS question, a.model FROM page "
        "JOIN verdict v ON v.id = page.verdict_id JOIN cell c ON c.id = v.cell_id "
        "JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id "
        "JOIN question q ON q.id = c.question_id "
        "ORDER BY c.subject_id, c.id, page.judge"
    )
    return [UnscoredRow(*row) for row in db.execute(sql, (*values, limit, offset))]


def _by(project: Project, judge: str) -> tuple[str, list[Any]]:
    return (" AND w.name = ?", [project.id, judge]) if judge else ("", [project.id])
