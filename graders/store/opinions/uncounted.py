"""Opinions beside those that figures count: of another wording, without a value. Nothing writes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache

from graders.core.author_texts import AUTHOR_GLOB
from graders.core.records import Mark
from graders.store.answers.content import chunks, marks, tuples
from graders.store.opinions.filters import EVERYTHING, Filters, of_cell, of_verdict
from graders.store.projects import CriterionRow

_MARK = ("status", "reason", "confidence", "confidence_kind", "rationale")


def other_wordings(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    authors: Sequence[int],
    filters: Filters = EVERYTHING,
) -> int:
    """Opinions of these authors on a criterion that were given under another wording of it, on
    current answers of models, as far as `filters` let them in."""
    more = (of_cell(filters, criterion.id), of_verdict(filters))
    sql = (
        "SELECT count(*) FROM opinion o WHERE o.criterion_id = ? "
        f"AND o.author_id IN ({marks(len(authors))}) AND o.criterion_hash <> ? "
        "AND EXISTS (SELECT 1 FROM cell x JOIN tally t ON t.id = x.tally_id "
        "WHERE x.id = o.cell_id AND t.model NOT GLOB ?)"
        f"{more[0].sql}{more[1].sql}"
    )
    values = (criterion.id, *authors, criterion.hash, AUTHOR_GLOB, *more[0].values, *more[1].values)
    return int(db.execute(sql, values).fetchone()[0]) if authors else 0


def reworded_cells(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    authors: Sequence[int],
    filters: Filters = EVERYTHING,
) -> list[int]:
    """The cells of opinions of these authors under another wording of a criterion, each as often as
    there are some, as far as `filters` on how and when they were given let them in."""
    if not authors:
        return []
    more = of_verdict(filters)
    sql = (
        "SELECT o.cell_id FROM opinion o "
        f"WHERE o.criterion_id = ? AND o.author_id IN ({marks(len(authors))}) "
        f"AND o.criterion_hash <> ?{more.sql}"
    )
    values = (criterion.id, *authors, criterion.hash, *more.values)
    return [row[0] for row in tuples(db, sql, values)]


def said_by(
    db: sqlite3.Connection, criterion: CriterionRow, judges: Sequence[int]
) -> dict[int, tuple[int, int, int]]:
    """Author row -> cells that a judge graded under the criterion as worded, those with a value
    among them, and all of any wording."""
    sql = (
        "SELECT o.author_id, sum(o.criterion_hash = ?), sum(o.criterion_hash = ? "
        "AND o.number IS NOT NULL), count(*) FROM opinion o "
        f"WHERE o.criterion_id = ? AND o.author_id IN ({marks(len(judges))}) GROUP BY o.author_id"
    )
    rows = (
        db.execute(sql, (criterion.hash, criterion.hash, criterion.id, *judges)) if judges else ()
    )
    return {row[0]: (row[1], row[2], row[3]) for row in rows}


def reasons_without(
    db: sqlite3.Connection, criterion: CriterionRow, judge: int
) -> list[tuple[str, int]]:
    """(reason, cells) of a judge's present verdicts without a value under the criterion as worded,
    most first."""
    sql = (
        "SELECT v.reason, count(*) FROM opinion o CROSS "
        "JOIN verdict v ON v.id = o.verdict_id WHERE o.criterion_id = ? "
        "AND o.author_id = ? AND o.criterion_hash = ? AND o.number IS NULL GROUP BY 1 "
        "ORDER BY 2 DESC, 1"
    )
    return [(row[0], row[1]) for row in db.execute(sql, (criterion.id, judge, criterion.hash))]


def reasons(
    db: sqlite3.Connection, criterion: CriterionRow, authors: Sequence[int]
) -> list[tuple[int, int, str]]:
    """(cell, author, whose fault) of these people's present verdicts that say whose fault a
    disagreement was."""
    sql = (
        "SELECT o.cell_id, o.author_id, json_extract(v.provenance, '$.fault_of') "
        "FROM opinion o CROSS JOIN verdict v ON v.id = o.verdict_id "
        "WHERE o.criterion_id = ? AND o.criterion_hash = ? "
        f"AND o.author_id IN ({marks(len(authors))}) "
        'AND v.provenance NOT LIKE \'%"fault_of":""%\' '
        "AND coalesce(json_extract(v.provenance, '$.fault_of'), '') <> ''"
    )
    return (
        [tuple(row) for row in db.execute(sql, (criterion.id, criterion.hash, *authors))]
        if authors
        else []
    )


def faults_of(db: sqlite3.Connection, cell_ids: Sequence[int]) -> dict[int, list[str]]:
    """Faults that were found in the answers of cells, by cell; cells of answers without one are
    left out."""
    found: dict[int, list[str]] = {}
    for batch in chunks(cell_ids):
        sql = (
            "SELECT c.id, f.part FROM cell c JOIN cell f ON f.subject_id = c.subject_id "
            "JOIN criterion k ON k.id = f.criterion_id "
            f"WHERE c.id IN ({marks(len(batch))}) AND k.key LIKE 'faults/%' "
            "AND f.final_number = 1 AND f.part <> '' ORDER BY c.id, f.part"
        )
        for cell, part in db.execute(sql, batch):
            found.setdefault(cell, []).append(part)
    return found


def texts_of(
    db: sqlite3.Connection, cell_ids: Sequence[int], length: int
) -> dict[int, tuple[str, str]]:
    """Question and the beginning of the answer, by cell."""
    found: dict[int, tuple[str, str]] = {}
    for batch in chunks(cell_ids):
        sql = (
            f"SELECT c.id, q.text, substr(a.text, 1, {int(length)}) FROM cell c "
            "JOIN subject s ON s.id = c.subject_id "
            "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = c.question_id "
            f"WHERE c.id IN ({marks(len(batch))})"
        )
        found.update((row[0], (row[1], row[2])) for row in db.execute(sql, batch))
    return found


def subjects_behind(db: sqlite3.Connection, cell_ids: Sequence[int]) -> dict[int, int]:
    """Subject row -> question row, of the subjects that cells belong to."""
    found: dict[int, int] = {}
    for batch in chunks(cell_ids):
        sql = (
            "SELECT DISTINCT subject_id, question_id FROM cell "
            f"WHERE id IN ({marks(len(batch))}) ORDER BY subject_id"
        )
        found.update((row[0], row[1]) for row in db.execute(sql, batch))
    return found


def machine_marks(
    db: sqlite3.Connection, criterion: CriterionRow, cell_ids: Iterable[int]
) -> dict[int, list[tuple[str, str, Mark]]]:
    """(kind, author, mark) of what judges and rules say now of cells, under the criterion as
    worded; evidence is left out.

    Nothing that a person said is read.
    """
    value_of = cache(json.loads)  # a million verdicts have a handful of values
    found: dict[int, list[tuple[str, str, Mark]]] = {}
    for batch in chunks(cell_ids):
        sql = (
            "SELECT o.cell_id, a.kind, a.name, v.value, v.status, v.reason, v.confidence, "
            "v.confidence_kind, v.rationale FROM opinion o "
            "INDEXED BY opinion_cell JOIN author a ON a.id = o.author_id "
            "JOIN verdict v ON v.id = o.verdict_id "
            f"WHERE o.cell_id IN ({marks(len(batch))}) AND o.criterion_hash = ? "
            "AND a.kind <> 'person' ORDER BY o.verdict_id"
        )
        for cell, kind, name, value, *rest in db.execute(sql, (*batch, criterion.hash)):
            said = None if value is None else value_of(value)
            found.setdefault(cell, []).append(
                (kind, name, Mark(value=said, **dict(zip(_MARK, rest, strict=True))))
            )
    return found
