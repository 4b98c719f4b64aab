"""Data on the anchoring effect: verdicts on screens whose arm, blind or assisted, was drawn
before they opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from graders.store.answers.author_texts import NO_CONTROL
from graders.store.answers.content import DONE, marks, tuples
from graders.store.opinions.filters import EVERYTHING, Filters, of_cell, of_verdict
from graders.store.projects import CriterionRow


class DrawnArm(NamedTuple):
    """A person's verdict on a cell with a suggestion: rows of the cell, the person and the
    question, its number, the `suggestion` and the `value` as JSON, whether it was blind (0 or 1),
    the seconds it took, the adjudicated value as JSON (`settled`), whether it came in adaptive
    order (0 or 1), and when it was given."""

    cell: int
    person: int
    question: int
    number: float
    suggestion: str
    blind: int
    seconds: float | None
    value: str
    settled: str | None
    adaptive: int
    at: str


#: Opinions of people on screens whose arm was left to chance, under the criterion as it stands.
_DRAWN = (
    "a.kind = 'person' AND o.criterion_hash = ?2 AND o.value IS NOT NULL "
    "AND o.design IN ('ordinary', 'blind_arm', 'adaptive') AND o.probability < 1 "
    f"AND o.import_id {DONE}"
)


def drawn_arms(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    filters: Filters = EVERYTHING,
    people: Sequence[int] | None = None,
) -> list[DrawnArm]:
    """Values of people on cells with a suggestion that a machine had made before, under the
    criterion as it stands; by cell and person.

    Screens whose arm was not left to chance (a newcomer's first ones, answers whose marks were seen
    already) are not among them. `people` are the authors who count, None for everybody.
    """
    cell, given = of_cell(filters, criterion.id), of_verdict(filters)
    named = "" if people is None else f" AND a.id IN ({marks(len(people))})"
    sql = (
        "SELECT o.cell_id, o.author_id, o.question_id, o.number, c.suggestion, o.blind, "
        "json_extract(v.provenance, '$.seconds'), o.value, "
        "CASE WHEN c.final_source = 'adjudicated' THEN c.final END, o.design = 'adaptive', "
        "v.created_at "
        "FROM author a JOIN opinion o ON o.criterion_id = ?1 AND o.author_id = a.id "
        "JOIN cell c ON c.id = o.cell_id AND c.suggestion IS NOT NULL "
        f"AND c.tally_id IS NOT NULL AND {NO_CONTROL} JOIN verdict v ON v.id = o.verdict_id "
        f"WHERE {_DRAWN}{named}{cell.sql}{given.sql}"
    )
    said = tuples(
        db, sql, (criterion.id, criterion.hash, *(people or ()), *cell.values, *given.values)
    )
    said.sort()  # twice as fast as in SQL
    verdicts = list(map(DrawnArm._make, said))
    if not verdicts:
        return verdicts
    spoke = _machines_since(db, criterion, min(row.at for row in verdicts))
    if not spoke:
        return verdicts
    return [row for row in verdicts if row.at >= spoke.get(row.cell, "")]


def _machines_since(db: sqlite3.Connection, criterion: CriterionRow, first: str) -> dict[int, str]:
    """Cell -> when a machine last spoke about it, of cells where that was after `first`; a rule
    that has no value to say has said nothing.

    Asked once for each cell, however many people graded it, and apart from what they said: machines
    hardly ever speak again after people have, so hardly a row comes of this.
    """
    sql = (
        "WITH machine AS MATERIALIZED (SELECT id, kind = 'rule' AS rule FROM author "
        "WHERE kind <> 'person' AND name <> 'learned' "
        "AND project_id = (SELECT project_id FROM criterion "
        "WHERE id = ?1)), asked AS MATERIALIZED (SELECT DISTINCT o.cell_id "
        "FROM author a CROSS JOIN opinion o ON o.criterion_id = ?1 AND o.author_id = a.id "
        f"WHERE {_DRAWN}) "
        "SELECT m.cell_id, max(w.created_at) FROM machine b CROSS JOIN asked d CROSS "
        "JOIN opinion m ON m.criterion_id = ?1 AND m.author_id = b.id "
        "AND m.cell_id = d.cell_id CROSS JOIN verdict w ON w.id = m.verdict_id "
        "WHERE w.created_at > ?3 AND (NOT b.rule OR m.value IS NOT NULL) GROUP BY 1"
    )
    return dict(tuples(db, sql, (criterion.id, criterion.hash, first)))
