"""`cograde status` says what became of every cell, with the figures that the Projects page
shows."""

from __future__ import annotations

from pathlib import Path

from graders.workflows.home import overview
from tests.commands.runner import Line
from tests.store import small
from tests.workflows.measuring.test_measure_not_measured import graded


def test_closed_cells_are_told_and_the_sums_are_those_of_the_page(
    cograde: Line, tmp_path: Path
) -> None:
    ws = graded(tmp_path)
    line = Line(ws.path, cograde.capture)
    (row,) = line("status", "--json").json
    cells = row["cells"]
    # the time to the first token of each of Oak's answers, which nobody took
    assert cells["closed"] == 3
    assert cells["cells"] == sum(
        cells[who] for who in ("people", "audit", "automatic", "closed", "pending")
    )
    (card,) = overview.all_projects(small.scope_of(ws)).projects
    assert (card.totals, card.screens) == (cells, row["screens"])
    assert "automatic, 3 closed (not applicable or not measured), " in line("status").out
