"""What Agreement reads: opinions of people and judges for figures, and the cells behind a count."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from graders.core.author_texts import AUTHOR_GLOB
from graders.core.contracts import Chosen
from graders.store.answers.content import DONE, marks
from graders.store.columns import ANY, WHOLE, nothing, read
from graders.store.opinions import earlier
from graders.store.opinions.filters import EVERYTHING, Clause, Filters, of_cell, of_verdict
from graders.store.opinions.tallies import ASKED
from graders.store.projects import CriterionRow, Project

#: How a verdict's design is numbered in `people_opinions`: its place here, -1 for any other.
DESIGNS = (
    "",
    "calibration",
    "imported",
    "blind_arm",
    "ordinary",
    "audit",
    "adaptive",
    "placed",
    "labelled",
)
#: Labels from files of which nobody says how their answers were chosen; no such design is stored.
LABELLED = DESIGNS.index("labelled")
_DESIGN = (
    "CASE WHEN o.design IN ('imported', 'imported_test') AND o.import_id NOT IN "
    f"(SELECT id FROM import WHERE labels_chosen <> '{Chosen.UNKNOWN}') THEN {LABELLED} ELSE "
    "CASE o.design "
    + " ".join(f"WHEN '{name}' THEN {place}" for place, name in enumerate(DESIGNS))
    # what was kept for a test speaks for the same answers as what was not
    + f" WHEN 'imported_test' THEN {DESIGNS.index('imported')}"
    + " ELSE -1 END END"
)
#: A probability counts to so many parts.
_SHARES = 10**12
_PROBABILITY = f"CAST(o.probability * {_SHARES} AS INTEGER) / {float(_SHARES)}"
#: What counts for agreement: given under the criterion as it stands, of finished imports. `o` is
#: the opinion.
_VALID = (
    f"o.criterion_id = ? AND o.criterion_hash = ? AND o.number IS NOT NULL AND o.import_id {DONE}"
)


@dataclass(frozen=True, slots=True)
class Side:
    """One author of a matrix with the range [low, high) that the numbers of his or her values lie
    in; `blind` asks for blind verdicts.

    `designs` are the designs that count; empty means all. `person` tells people, for whom filters
    hold, from judges.
    """

    author_id: int
    low: float
    high: float
    blind: bool = False
    designs: tuple[str, ...] = ()
    person: bool = False


def watermark(db: sqlite3.Connection, project: Project) -> tuple[Any, ...]:
    """Changes whenever verdicts, imports or rubrics of the workspace do, or what is asked about (a
    list that was edited)."""
    row = db.execute(
        "SELECT (SELECT max(id) FROM verdict), (SELECT count(*) FROM import "
        "WHERE state = 'done'), (SELECT max(id) FROM rubric), "
        "(SELECT value FROM setting WHERE name = ?), "
        "(SELECT group_concat(id || labels_chosen || labels_blind) FROM import "
        f"WHERE project_id = ? AND labels_chosen <> '{Chosen.UNKNOWN}')",
        (ASKED, project.id),
    ).fetchone()
    rows = db.execute(
        "SELECT id, hash, active FROM criterion WHERE project_id = ? ORDER BY id", (project.id,)
    )
    return (*row, tuple(tuple(r) for r in rows))


def people_opinions(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    authors: Sequence[int],
    filters: Filters = EVERYTHING,
) -> npt.NDArray[Any]:
    """Opinions of people, by author and cell: rows with author, cell, question, number, blind (0 or
    1), design (its place in DESIGNS, -1 for others) and probability. Cells of superseded answers
    are among them."""
    columns = {
        "author": WHOLE,
        "cell": WHOLE,
        "question": WHOLE,
        "number": ANY,
        "blind": WHOLE,
        "design": WHOLE,
        "probability": ANY,
    }
    if not authors:
        return nothing(**columns)
    before, more = (
        _before(criterion, filters),
        (of_cell(filters, criterion.id), of_verdict(filters)),
    )
    sql = (
        f"{before.sql}SELECT o.author_id, o.cell_id, o.question_id, o.number, o.blind, {_DESIGN}, "
        f"{_PROBABILITY} FROM opinion o WHERE {_VALID} AND o.author_id IN "
        f"({marks(len(authors))}){more[0].sql}{more[1].sql} ORDER BY o.author_id, o.cell_id"
    )
    values = (
        *before.values,
        criterion.id,
        criterion.hash,
        *authors,
        *more[0].values,
        *more[1].values,
    )
    return read(db, sql, values, **columns)


def judge_opinions(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    judges: Sequence[int],
    people: Sequence[int],
    filters: Filters = EVERYTHING,
) -> npt.NDArray[Any]:
    """Opinions of judges on the cells that one of `people` gave an opinion on, by judge and cell:
    rows with author, cell and number.

    Of `filters` only the wording is theirs."""
    columns = {"author": WHOLE, "cell": WHOLE, "number": ANY}
    if not judges or not people:
        return nothing(**columns)
    before = _before(criterion, filters)
    sql = (
        f"{before.sql}SELECT o.author_id, o.cell_id, o.number FROM opinion o WHERE {_VALID} AND "
        f"o.author_id IN ({marks(len(judges))}) AND o.cell_id IN (SELECT p.cell_id "
        "FROM opinion p WHERE p.criterion_id = ? "
        f"AND p.author_id IN ({marks(len(people))})) ORDER BY o.author_id, o.cell_id"
    )
    values = (*before.values, criterion.id, criterion.hash, *judges, criterion.id, *people)
    return read(db, sql, values, **columns)


def _before(criterion: CriterionRow, filters: Filters) -> Clause:
    """What stands before a query of the table ``opinion``: nothing for the present wording."""
    return earlier.opinions_under(criterion) if filters.wording else Clause()


def set_apart(db: sqlite3.Connection, project: Project) -> list[int]:
    """Cells whose answers are not those of the models that figures are about: cells of answers that
    a later version has taken the place of, and of authors' own texts."""
    sql = (
        # on the index of versions alone
        "SELECT c.id FROM (SELECT DISTINCT question_id, model FROM answer WHERE version > 1) v "
        "CROSS JOIN answer a ON a.question_id = v.question_id AND a.model = v.model "
        "AND a.current = 0 AND a.project_id = ? "
        "CROSS JOIN subject s ON s.question_id = a.question_id "
        "AND a.id IN (s.answer_id, s.other_id) CROSS JOIN cell c ON c.subject_id = s.id "
        "UNION ALL SELECT c.id FROM answer a JOIN subject s ON s.answer_id = a.id "
        "JOIN cell c ON c.subject_id = s.id "
        f"WHERE a.project_id = ? AND a.model GLOB '{AUTHOR_GLOB}' AND a.import_id {DONE}"
    )
    return [row[0] for row in db.execute(sql, (project.id, project.id))]


def shared_cells(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    first: Side,
    second: Side,
    *,
    limit: int,
    offset: int,
    filters: Filters = EVERYTHING,
) -> tuple[int, list[int]]:
    """How many cells of current answers two authors gave values in these ranges, and one page of
    them by row id.

    `first` should be the author with fewer opinions: his or hers are walked. `filters` hold for
    people.
    """
    values: list[Any] = [
        criterion.id,
        criterion.hash,
        first.author_id,
        first.low,
        first.high,
        criterion.id,
        criterion.hash,
        second.author_id,
    ]
    values += [second.low, second.high]
    clauses = ""
    for name, side in (("o", first), ("p", second)):
        more = of_verdict(filters, name) if side.person else Clause()
        clauses += more.sql
        values += more.values
        if side.blind:
            clauses += f" AND {name}.blind = 1"
        if side.designs:
            tested = ("imported_test",) if "imported" in side.designs else ()
            designs = (*side.designs, *tested)
            clauses += f" AND {name}.design IN ({marks(len(designs))})"
            values += designs
    cell = of_cell(filters, criterion.id)
    values += cell.values
    where = (
        "FROM opinion o CROSS JOIN opinion p ON p.cell_id = o.cell_id CROSS "
        "JOIN cell c ON c.id = o.cell_id "
        f"WHERE {_VALID} AND o.author_id = ? AND o.number >= ? AND o.number < ? "
        "AND p.criterion_id = ? AND p.criterion_hash = ? AND p.author_id = ? "
        f"AND p.number >= ? AND p.number < ? AND p.import_id {DONE} "
        f"AND c.tally_id IS NOT NULL{clauses}{cell.sql}"
    )
    before = _before(criterion, filters)
    values = [*before.values, *values]
    total = int(db.execute(f"{before.sql}SELECT count(*) {where}", values).fetchone()[0])
    rows = db.execute(
        f"{before.sql}SELECT o.cell_id {where} ORDER BY o.cell_id LIMIT ? OFFSET ?",
        (*values, limit, offset),
    )
    return total, [row[0] for row in rows]
