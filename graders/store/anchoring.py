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
    said = (
        "SELECT o.cell_id, o.author_id, o.question_id, o.number, c.suggestion, o.blind, json_extract(v.provenance, '$.seconds') AS seconds, o.value, "
        "CASE WHEN c.final_source = 'adjudicated' THEN c.final END AS final, o.design = 'adaptive' AS adaptive, v.created_at AS at "
        "FROM author a JOIN opinion o ON o.criterion_id = ?1 AND o.author_id = a.id "
        f"JOIN cell c ON c.id = o.cell_id AND c.suggestion IS NOT NULL AND c.tally_id IS NOT NULL AND {NO_CONTROL} JOIN verdict v ON v.id = o.verdict_id "
        "WHERE a.kind = 'person' AND o.criterion_hash = ?2 AND o.value IS NOT NULL AND o.design IN ('ordinary', 'blind_arm', 'adaptive') AND o.probability < 1 "
        f"AND o.import_id {DONE}"
    )
    # Asked once for each cell, however many people graded it. A rule that has no value to say has suggested nothing.
    spoke = (
        "SELECT d.cell_id, (SELECT max(w.created_at) FROM author b CROSS JOIN opinion m ON m.criterion_id = ?1 AND m.author_id = b.id AND "
        "m.cell_id = d.cell_id CROSS JOIN verdict w ON w.id = m.verdict_id WHERE b.kind <> 'person' AND b.name <> 'learned' "
        "AND (b.kind <> 'rule' OR m.value IS NOT NULL) AND b.project_id = (SELECT project_id FROM criterion WHERE id = ?1)) AS at FROM (SELECT DISTINCT cell_id FROM said) d"
    )
    sql = (
        f"WITH said AS MATERIALIZED ({said}), spoke AS MATERIALIZED ({spoke}) SELECT s.author_id, s.question_id, s.number, s.suggestion, s.blind, "
        "s.seconds, s.value, s.final, s.adaptive FROM said s JOIN spoke m ON m.cell_id = s.cell_id WHERE s.at >= coalesce(m.at, '') "
        "ORDER BY s.cell_id, s.author_id"
    )
    cursor = db.cursor()
    cursor.row_factory = None
    return cursor.execute(sql, (criterion.id, criterion.hash)).fetchall()
