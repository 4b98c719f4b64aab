"""The list of cells to settle: how far people are apart, the order, the rows, the title."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from graders.store import adjudications, cells, reports
from graders.store.adjudications import Dispute
from graders.store.projects import CriterionRow
from graders.workflows import _adjudicate_card, _grid
from graders.workflows._circle import called, names_of
from graders.workflows._opinions import Circle
from graders.workflows.permissions import Scope

#: On a plain range of numbers people differ when they are further apart than this share of it.
APART = 0.1
#: A cell of the list: criterion, cell row, how people differ on it (None: they do not), when it was settled ("" if it was not).
Entry = tuple[CriterionRow, int, Dispute | None, str]


def least(criterion: CriterionRow) -> float:
    """How far numbers may lie apart and still be the same verdict."""
    scale = criterion.scale
    return APART * (scale.high - scale.low) if scale.kind == "numeric" else 0.0


def width(one: Entry) -> tuple[float, bool, int]:
    """How far people are apart as a share of the scale; labels without order are either the same or as far apart as can be."""
    row, cell, dispute, _ = one
    assert dispute is not None
    scale = row.scale
    if not scale.is_ordered or math.isinf(dispute.apart):
        return 1.0, dispute.tied, -cell
    wide = scale.numbers[-1] - scale.numbers[0] if scale.is_discrete else scale.high - scale.low
    return dispute.apart / wide, dispute.tied, -cell


def rows_of(scope: Scope, circle: Circle, shown: Sequence[Entry]) -> list[dict[str, Any]]:
    """Rows of the list, with question, values of people and what settled them."""
    ids = [cell for _, cell, _, _ in shown]
    texts = {row["cell_id"]: row for row in reports.cell_answers(scope.ws.db, ids)} if ids else {}
    names = names_of(scope.ws)
    final = adjudications.reasons(scope.ws.db, circle.adjudicated, ids)
    loaded = cells.load_cells(scope.ws.db, ids)
    rows = []
    for criterion, cell, dispute, _ in shown:
        text, done = texts.get(cell, {}), final.get(cell)
        current = done is not None and (dispute is None or dispute.settled)
        rows.append(
            {
                "cell": cell,
                "subject": loaded[cell].subject_id,
                "criterion": criterion.key,
                "title": criterion.criterion.title,
                "part": _adjudicate_card.part_title(criterion, loaded[cell].part),
                "question_id": text.get("question_id", ""),
                "question": str(text.get("question", ""))[:160],
                "values": [] if dispute is None else [_said(criterion, value) for value in dispute.values],
                "tied": dispute is not None and dispute.tied and not dispute.settled,
                "settled": {**done, "by": called(names, done["by"]), "said": _said(criterion, done["value"])} if current and done else None,
            }
        )
    return rows


def _said(criterion: CriterionRow, value: Any) -> str:
    return "not applicable" if value is None else str(value)


def title(left: int, done: int, people: int) -> str:
    """The finding: on how many cells people differ, and how many are settled."""
    if people < 2:
        return "Nobody can differ: " + ("one person has graded so far." if people else "no person has graded yet.")
    settled = f"{done:,} {'is' if done == 1 else 'are'} settled" if done else ""
    if not left:
        return "People differ on no cell" + (f" that is not settled; {settled}." if done else ".")
    return f"People differ on {left:,} {_grid.plural(left, 'cell')}" + (f"; {settled}." if done else ".")
