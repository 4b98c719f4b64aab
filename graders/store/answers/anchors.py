"""Anchor questions: under which prompt, model and wording a judge graded their answers, and which
it graded twice.

A repeat is a verdict that is kept and never becomes a present opinion (see
`graders.store.opinions.verdicts.set_opinions`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from graders.core.records import Verdict
from graders.store.answers.content import DONE, chunks, marks
from graders.store.projects import Project

#: The occasion of a repeat's call, and what marks its verdict.
ANCHOR = "anchor"


def is_repeat(verdict: Verdict) -> bool:
    """Whether a verdict is what a judge said of an anchor for the second time."""
    return verdict.author_kind == "judge" and verdict.metadata.get(ANCHOR) is True


def repeated(verdict: str = "v") -> str:
    """The SQL of `is_repeat`, 0 or 1, for a row `verdict` of that table. Only what may be one is
    read as JSON."""
    return (
        f"(CASE WHEN instr({verdict}.metadata, '\"{ANCHOR}\":true') > 0 THEN "
        f"{verdict}.metadata -> '$.{ANCHOR}' IS 'true' AND EXISTS "
        f"(SELECT 1 FROM author WHERE author.id = {verdict}.author_id "
        "AND author.kind = 'judge') ELSE 0 END)"
    )


class Graded(NamedTuple):
    """What a judge once gave a value on: a subject's criterion, in that wording, by that recipe;
    `repeat`: for the second time.

    `first` and `last`: rows of the first and the last such verdict; later ones have higher numbers.
    """

    subject: int
    criterion: str
    wording: str
    recipe: str
    repeat: bool
    first: int
    last: int


def history(
    db: sqlite3.Connection, project: Project, judge: str, subjects: Sequence[int]
) -> list[Graded]:
    """All that a judge ever gave values on, of some subjects."""
    found: list[Graded] = []
    for batch in chunks(subjects):
        sql = (
            f"SELECT c.subject_id, k.key, v.criterion_hash, v.recipe_hash, {repeated()}, "
            "min(v.id), max(v.id) FROM cell c JOIN criterion k "
            "ON k.id = c.criterion_id AND k.active = 1 CROSS "
            "JOIN author w ON w.project_id = ? AND w.kind = 'judge' AND w.name = ? CROSS "
            "JOIN verdict v "
            "ON v.cell_id = c.id AND v.author_id = w.id AND v.status = 'ok' "
            f"AND v.recipe_hash <> '' AND v.import_id {DONE} "
            f"WHERE c.subject_id IN ({marks(len(batch))}) GROUP BY 1, 2, 3, 4, 5"
        )
        found += [
            Graded(row[0], row[1], row[2], row[3], bool(row[4]), row[5], row[6])
            for row in db.execute(sql, (project.id, judge, *batch))
        ]
    return found
