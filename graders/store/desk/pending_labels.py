"""The labels that the desk is going to ask for on drawn answers, in the order in which it does.
Nothing writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from graders.store.projects import CriterionRow, Project


class PendingLabel(NamedTuple):
    """A cell of a drawn screen that waits for people (rows of screen, cell and question): how many
    `people` it waits for, and whether the judge that was asked about gave it a value (1 or 0)."""

    screen: int
    cell: int
    question: int
    people: int
    judged: int


def pending_labels(
    db: sqlite3.Connection, project: Project, criterion: CriterionRow, judge: int | None
) -> Iterator[PendingLabel]:
    """The cells of a criterion on drawn screens that wait for people, in the order of the desk;
    without a `judge` (author row) all count as judged."""
    sql = (
        "SELECT s.id, c.id, s.question_id, s.needed - s.done, "
        "?2 IS NULL OR EXISTS (SELECT 1 FROM opinion o WHERE o.criterion_id = ?1 "
        "AND o.author_id = ?2 AND o.cell_id = c.id AND o.criterion_hash = ?3 "
        "AND o.number IS NOT NULL) "
        "FROM queue q JOIN screen s ON s.id = q.screen_id "
        "JOIN screen_subject x ON x.screen_id = s.id "
        "JOIN cell c ON c.subject_id = x.subject_id AND c.criterion_id = ?1 "
        "WHERE q.project_id = ?4 AND s.design = 'calibration' AND s.done < s.needed "
        "ORDER BY q.priority, q.screen_id, c.id"
    )
    rows = db.execute(sql, (criterion.id, judge, criterion.hash, project.id))
    return map(PendingLabel._make, rows)
