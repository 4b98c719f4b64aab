"""Subjects that are pairs of two models' current answers: which there could be, and making those
that were drawn."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from graders.core.author_texts import AUTHOR_GLOB
from graders.store.answers.content import DONE, IS_CURRENT, marks
from graders.store.opinions import earlier
from graders.store.opinions.filters import Filters
from graders.store.projects import CriterionRow, Project


def answers(db: sqlite3.Connection, project: Project) -> dict[int, dict[str, int]]:
    """Question row -> model -> row of its current answer, in the order in which questions came;
    authors' own texts are no model's."""
    found: dict[int, dict[str, int]] = {}
    sql = (
        "SELECT question_id, model, id FROM answer WHERE project_id = ? AND current = 1 "
        f"AND import_id {DONE} AND model NOT GLOB ? ORDER BY question_id, model"
    )
    for question, model, answer in db.execute(sql, (project.id, AUTHOR_GLOB)):
        found.setdefault(question, {})[model] = answer
    return found


def rows(db: sqlite3.Connection, project: Project) -> set[int]:
    """The subjects that are pairs."""
    return {
        row[0]
        for row in db.execute(
            "SELECT id FROM subject WHERE project_id = ? AND other_id IS NOT NULL", (project.id,)
        )
    }


def counted(db: sqlite3.Connection, project: Project) -> int:
    """How many pairs of current answers there are."""
    sql = (
        "SELECT count(*) FROM subject s WHERE s.project_id = ? AND s.other_id IS NOT NULL "
        f"AND {IS_CURRENT} AND s.import_id {DONE}"
    )
    return int(db.execute(sql, (project.id,)).fetchone()[0])


def known(db: sqlite3.Connection, project: Project) -> set[frozenset[int]]:
    """The pairs of answer rows that are there, in whatever order."""
    sql = "SELECT answer_id, other_id FROM subject WHERE project_id = ? AND other_id IS NOT NULL"
    return {frozenset(row) for row in db.execute(sql, (project.id,))}


def add(db: sqlite3.Connection, project: Project, pairs: Sequence[tuple[int, int, int]]) -> None:
    """Make the subjects of (question, first answer, second answer)."""
    db.executemany(
        (
            "INSERT OR IGNORE INTO subject (project_id, question_id, answer_id, other_id, "
            "import_id) VALUES (?,?,?,?,0)"
        ),
        [(project.id, *pair) for pair in pairs],
    )


def orders(
    db: sqlite3.Connection, criterion: CriterionRow, judges: Sequence[int], filters: Filters
) -> list[tuple[int, int, str]]:
    """(judge, cell, what was said in each order as JSON) of opinions of judges that were asked in
    both. Of `filters` only the wording counts."""
    told = earlier.before(criterion, filters)
    sql = (
        f"{told.sql}SELECT o.author_id, o.cell_id, v.metadata -> '$.orders' FROM opinion o "
        "CROSS JOIN verdict v ON v.id = o.verdict_id "
        f"WHERE o.criterion_id = ? AND o.author_id IN ({marks(len(judges))}) "
        f"AND o.criterion_hash = ? AND o.import_id {DONE} "
        "AND instr(v.metadata, '\"orders\":') > 0 AND v.metadata -> '$.orders' IS NOT NULL "
        "ORDER BY o.author_id, o.cell_id"
    )
    return (
        [
            tuple(row)
            for row in db.execute(sql, (*told.values, criterion.id, *judges, criterion.hash))
        ]
        if judges
        else []
    )
