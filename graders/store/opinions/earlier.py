"""Opinions under an earlier wording of a criterion, from the record of verdicts: what has been said
anew since then does not hide them."""

from __future__ import annotations

from graders.store.answers.anchors import repeated
from graders.store.answers.content import DONE
from graders.store.desk.own_screens import REPEAT
from graders.store.opinions.filters import Clause, Filters
from graders.store.projects import CriterionRow
from graders.store.workspace import dumps


def before(criterion: CriterionRow, filters: Filters) -> Clause:
    """What stands before a query of the table ``opinion``: nothing for the present wording, else
    where those under an earlier one come from."""
    return opinions_under(criterion) if filters.wording else Clause()


def opinions_under(criterion: CriterionRow) -> Clause:
    """A WITH that puts in place of the table ``opinion`` what authors said under the wording of
    `criterion`, one row per cell and author.

    As in the table, the latest verdict that was not retracted counts, one that was given blind
    before any that was not, and a second look never.
    """
    number = "CAST(v.value AS REAL)"
    values: list[object] = []
    if criterion.scale.kind in ("ordered", "nominal"):
        number = (
            "CASE v.value " + " ".join("WHEN ? THEN ?" for _ in criterion.scale.values) + " END"
        )
        values = [
            part
            for value in criterion.scale.values
            for part in (dumps(value), criterion.scale.number(value))
        ]
    sql = (
        "WITH opinion AS MATERIALIZED (SELECT * "
        "FROM (SELECT c.criterion_id, v.author_id, v.cell_id, c.question_id, "
        "v.id AS verdict_id, v.value, "
        f"CASE WHEN v.value IS NULL THEN NULL ELSE {number} END AS number, v.status, "
        "coalesce(json_extract(v.provenance, '$.arm') = 'blind' "
        "AND NOT coalesce(json_extract(v.provenance, '$.after_reveal'), 0), 0) AS blind, "
        "coalesce(json_extract(v.provenance, '$.probability'), 1.0) AS probability, "
        "coalesce(json_extract(v.provenance, '$.design'), '') AS design, "
        "v.criterion_hash, v.import_id, row_number() OVER (PARTITION BY v.author_id, "
        "v.cell_id ORDER BY "
        "coalesce(json_extract(v.provenance, '$.arm') = 'blind' "
        "AND NOT coalesce(json_extract(v.provenance, '$.after_reveal'), 0), 0) DESC, "
        "v.id DESC) "
        "AS place FROM cell c CROSS JOIN verdict v ON v.cell_id = c.id "
        "WHERE c.criterion_id = ? AND v.criterion_hash = ? AND v.kind <> 'retracts' "
        f"AND coalesce(json_extract(v.provenance, '$.design'), '') <> '{REPEAT}' "
        f"AND NOT {repeated()} AND v.import_id {DONE} AND NOT EXISTS (SELECT 1 "
        "FROM verdict r WHERE r.cell_id = v.cell_id AND r.author_id = v.author_id "
        "AND r.kind = 'retracts' AND r.amends = v.uid)) WHERE place = 1) "
    )
    return Clause(sql, (*values, criterion.id, criterion.hash))
