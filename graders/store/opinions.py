"""Opinions beside those that figures count: of another wording, without a value. Nothing writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from graders.store.content import marks
from graders.store.projects import CriterionRow


def other_wordings(db: sqlite3.Connection, criterion: CriterionRow, authors: Sequence[int]) -> int:
    """Opinions of these people on a criterion that were given under another wording of it."""
    sql = f"SELECT count(*) FROM opinion o WHERE o.criterion_id = ? AND o.author_id IN ({marks(len(authors))}) AND o.criterion_hash <> ?"
    return int(db.execute(sql, (criterion.id, *authors, criterion.hash)).fetchone()[0]) if authors else 0


def without_value(db: sqlite3.Connection, criterion: CriterionRow, judges: Sequence[int]) -> dict[int, int]:
    """Judges who graded cells under the criterion as worded and gave no value on any: author row -> cells."""
    sql = (
        "SELECT o.author_id, count(*) FROM opinion o WHERE o.criterion_id = ? AND o.criterion_hash = ? "
        f"AND o.author_id IN ({marks(len(judges))}) GROUP BY o.author_id HAVING count(o.number) = 0"
    )
    return {row[0]: row[1] for row in db.execute(sql, (criterion.id, criterion.hash, *judges))} if judges else {}
