"""What judges said, counted by judge and criterion."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from graders.store.answers.content import DONE
from graders.store.projects import Project


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge was asked under a criterion: cells, those with a value (`given`), their cost
    (`money`, None: unknown), and how many have no known price."""

    judge: str
    criterion: str
    asked: int
    given: int
    money: float | None
    unpriced: int


def by_criterion(db: sqlite3.Connection, project: Project) -> list[Judged]:
    """What each judge was asked under each criterion, as it is worded now.

    A walk over all verdicts of judges; ask for it apart from what a page must show at once.
    """
    sql = (
        "SELECT w.name AS judge, k.key AS criterion, count(*) AS asked, "
        "sum(o.status = 'ok') AS given, sum(v.cost) AS money, "
        "sum(v.cost IS NULL) AS unpriced FROM author w "
        "CROSS JOIN criterion k ON k.project_id = w.project_id AND k.active = 1 CROSS "
        "JOIN opinion o ON o.criterion_id = k.id AND o.author_id = w.id "
        f"AND o.criterion_hash = k.hash AND o.import_id {DONE} CROSS "
        "JOIN verdict v ON v.id = o.verdict_id "
        "WHERE w.project_id = ? AND w.kind = 'judge' GROUP BY w.id, k.id "
        "ORDER BY w.id, k.position, k.id"
    )
    return [Judged(*row) for row in db.execute(sql, (project.id,))]


@dataclass(frozen=True, slots=True)
class Corrected:
    """A cell where people decided otherwise than a judge said; both values are JSON."""

    id: int
    subject_id: int
    criterion_id: int
    part: str
    said: str
    decided: str


def corrected(
    db: sqlite3.Connection, project: Project, judge: str, model: str, cell: int = 0
) -> list[Corrected]:
    """Cells of models' current answers where people decided otherwise than a judge, in the present
    wording of the criterion. Where the judge has said
    nothing, what its `model` said under its own name counts. `cell` asks for one alone."""
    sql = (
        "SELECT c.id, c.subject_id, c.criterion_id, c.part, o.value AS said, "
        "c.final AS decided FROM author w "
        "JOIN criterion k ON k.project_id = w.project_id AND k.active = 1 "
        "JOIN opinion o ON o.criterion_id = k.id AND o.author_id = w.id AND o.status = 'ok' "
        f"AND o.criterion_hash = k.hash AND o.import_id {DONE} "
        "JOIN cell c ON c.id = o.cell_id AND c.final_source IN ('people', 'adjudicated') "
        "AND c.final IS NOT NULL AND c.final <> o.value AND c.tally_id IS NOT NULL "
        "AND c.retired = 0 WHERE w.project_id = ?1 AND w.kind = 'judge' AND (w.name = ?2 "
        "OR (w.name = ?3 AND NOT EXISTS "
        "(SELECT 1 FROM opinion x JOIN author y ON y.id = x.author_id AND y.kind = 'judge' "
        "AND y.name = ?2 WHERE x.cell_id = c.id AND x.criterion_hash = k.hash))) "
        "AND ?4 IN (0, c.id) ORDER BY c.question_id, c.id"
    )
    return [Corrected(*row) for row in db.execute(sql, (project.id, judge, model, cell))]


def reasons(db: sqlite3.Connection, project: Project) -> dict[tuple[str, str], dict[str, int]]:
    """(judge, criterion) -> reason -> cells without a value."""
    sql = (
        "SELECT w.name, k.key, v.reason, count(*) FROM author w CROSS "
        "JOIN criterion k ON k.project_id = w.project_id AND k.active = 1 "
        "CROSS JOIN opinion o ON o.criterion_id = k.id AND o.author_id = w.id "
        "AND o.criterion_hash = k.hash AND o.status <> 'ok' "
        f"AND o.import_id {DONE} CROSS JOIN verdict v ON v.id = o.verdict_id "
        "WHERE w.project_id = ? AND w.kind = 'judge' GROUP BY 1, 2, 3"
    )
    found: dict[tuple[str, str], dict[str, int]] = {}
    for name, key, reason, count in db.execute(sql, (project.id,)):
        found.setdefault((name, key), {})[reason] = count
    return found
