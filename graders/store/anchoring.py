"""What shows the pull of suggestions: verdicts on screens whose arm, blind or assisted, was drawn before they opened."""

from __future__ import annotations

import sqlite3

from graders.store.content import DONE
from graders.store.controls import NO_CONTROL
from graders.store.projects import CriterionRow

#: (person, question row, number, suggestion as JSON, blind, seconds, value as JSON, adjudicated value as JSON, in adaptive order)
Row = tuple[int, int, float, str, int, float | None, str, str | None, int]


def drawn_arms(db: sqlite3.Connection, criterion: CriterionRow) -> list[Row]:
    """Values of people on cells with a suggestion that a machine had made before, under the criterion as it stands.

    Screens whose arm was not left to chance (a newcomer's first ones, answers whose marks were seen already) are not among them.
    """
    spoke = (
        "(SELECT max(w.created_at) FROM opinion m JOIN author b ON b.id = m.author_id AND b.kind <> 'person' AND b.name <> 'learned' "
        "JOIN verdict w ON w.id = m.verdict_id WHERE m.cell_id = o.cell_id)"
    )
    sql = (
        "SELECT o.author_id, o.question_id, o.number, c.suggestion, o.blind, json_extract(v.provenance, '$.seconds'), o.value, "
        "CASE WHEN c.final_source = 'adjudicated' THEN c.final END, o.design = 'adaptive' FROM author a JOIN opinion o ON o.criterion_id = ? AND o.author_id = a.id "
        f"JOIN cell c ON c.id = o.cell_id AND c.suggestion IS NOT NULL AND c.tally_id IS NOT NULL AND {NO_CONTROL} JOIN verdict v ON v.id = o.verdict_id "
        "WHERE a.kind = 'person' AND o.criterion_hash = ? AND o.value IS NOT NULL AND o.design IN ('ordinary', 'blind_arm', 'adaptive') AND o.probability < 1 "
        f"AND o.import_id {DONE} AND v.created_at >= coalesce({spoke}, '') ORDER BY o.cell_id, o.author_id"
    )
    cursor = db.cursor()
    cursor.row_factory = None
    return cursor.execute(sql, (criterion.id, criterion.hash)).fetchall()
