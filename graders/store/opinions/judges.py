"""What judges said, counted by judge and criterion."""

from __future__ import annotations

import sqlite3
from typing import Any

from graders.store.answers.content import DONE
from graders.store.projects import Project


def by_criterion(db: sqlite3.Connection, project: Project) -> list[dict[str, Any]]:
    """Per judge and criterion (as it is worded now): cells it was asked about, those with a value,
    what they cost (None: unknown) and how many verdicts have no known price.

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
    return [dict(row) for row in db.execute(sql, (project.id,))]


def corrected(
    db: sqlite3.Connection, project: Project, judge: str, model: str, cell: int = 0
) -> list[dict[str, Any]]:
    """Cells of models' current answers where people decided otherwise than a judge, in the present
    wording of the criterion: row ids, part and both values as JSON. Where the judge has said
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
    return [dict(row) for row in db.execute(sql, (project.id, judge, model, cell))]


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
