"""Labels that count for a first answer, and the drawn cells that wait for more."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graders.store.answers.content import DONE, marks, tuples
from graders.store.projects import CriterionRow, Project

#: An opinion `{0}` that has a value under the criterion as it stands.
_VALID = (
    "{0}.criterion_id = ? AND {0}.criterion_hash = ? AND {0}.number IS NOT NULL "
    f"AND {{0}}.import_id {DONE}"
)


class DrawnCell(NamedTuple):
    """A cell of an answer that was drawn for calibration: its answer (subject) and question, the
    question's task type, whether its screen still waits for a person, whether somebody labelled it
    blind."""

    cell: int
    subject: int
    question: int
    task: str
    waits: bool
    labelled: bool


def drawn_cells(
    db: sqlite3.Connection, project: Project, criterion: CriterionRow
) -> list[DrawnCell]:
    """The cells of a criterion on answers that were drawn for calibration."""
    labelled = (
        "SELECT o.cell_id FROM author a JOIN opinion o ON o.criterion_id = ? "
        "AND o.author_id = a.id AND o.criterion_hash = ? AND o.blind = 1 "
        f"AND o.design = 'calibration' AND o.import_id {DONE} "
        "WHERE a.project_id = ? AND a.kind = 'person'"
    )
    own = (criterion.id, criterion.hash, project.id)
    known = {cell for (cell,) in tuples(db, labelled, own)}
    # from the drawn screens to their cells: in another order every cell would be read
    sql = (
        "SELECT c.id, c.subject_id, c.question_id, q.task_type, s.done < s.needed FROM screen s "
        "CROSS JOIN screen_subject x ON x.screen_id = s.id "
        "CROSS JOIN cell c ON c.subject_id = x.subject_id AND c.criterion_id = ? "
        "CROSS JOIN question q ON q.id = s.question_id "
        "WHERE s.project_id = ? AND s.design = 'calibration' AND c.tally_id IS NOT NULL"
    )
    return [
        DrawnCell(cell, subject, question, task, bool(waits), cell in known)
        for cell, subject, question, task, waits in tuples(db, sql, (criterion.id, project.id))
    ]


def has_graded(db: sqlite3.Connection, criterion: CriterionRow, author: int) -> bool:
    """Whether an author (a row) gave a value under the criterion as it stands."""
    sql = f"SELECT 1 FROM opinion o WHERE {_VALID.format('o')} AND o.author_id = ? LIMIT 1"
    return db.execute(sql, (criterion.id, criterion.hash, author)).fetchone() is not None


def labels_of(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    person: int,
    designs: Sequence[str],
    judge: int | None = None,
) -> Iterator[tuple[int, int]]:
    """(cell, question) of what a person (an author row) labelled blind on screens of these designs;
    beside a judge only of cells that it graded too. Read as far as it is wanted."""
    beside = (
        "AND EXISTS (SELECT 1 FROM opinion j WHERE j.author_id = ? AND j.cell_id = o.cell_id "
        f"AND {_VALID.format('j')})"
    )
    sql = (
        f"SELECT o.cell_id, o.question_id FROM opinion o WHERE {_VALID.format('o')} "
        f"AND o.author_id = ? AND o.blind = 1 AND o.design IN ({marks(len(designs))})"
    )
    own = (criterion.id, criterion.hash)
    values: tuple[object, ...] = (*own, person, *designs)
    if judge is not None:
        sql, values = f"{sql} {beside}", (*values, judge, *own)
    cursor = db.cursor()
    cursor.row_factory = None
    yield from cursor.execute(sql, values)


def judged_of(
    db: sqlite3.Connection, criterion: CriterionRow, judge: int, cells: Sequence[int]
) -> set[int]:
    """Those of the cells that a judge (an author row) graded."""
    sql = (
        f"SELECT 1 FROM opinion o WHERE {_VALID.format('o')} AND o.author_id = ? AND o.cell_id = ?"
    )
    own = (criterion.id, criterion.hash, judge)
    return {cell for cell in cells if db.execute(sql, (*own, cell)).fetchone() is not None}


def cells_per_answer(db: sqlite3.Connection, project: Project) -> float:
    """How many cells an answer that was drawn for calibration has, on average; 0 without any."""
    sql = (
        "SELECT count(*), count(DISTINCT x.subject_id) FROM screen s "
        "CROSS JOIN screen_subject x ON x.screen_id = s.id "
        "CROSS JOIN cell c ON c.subject_id = x.subject_id AND c.tally_id IS NOT NULL "
        "CROSS JOIN criterion k ON k.id = c.criterion_id AND k.active = 1 "
        "AND k.key NOT LIKE 'faults/%' "
        "WHERE s.project_id = ? AND s.design = 'calibration'"
    )
    cells, answers = db.execute(sql, (project.id,)).fetchone()
    return cells / answers if answers else 0.0
