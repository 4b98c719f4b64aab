"""Where Agreement asks for more labels, cells or questions than there are, it says so: nobody should set out to collect them."""

from __future__ import annotations

from typing import Any

from graders.statistics.resampling import MIN_QUESTIONS
from graders.store import leaderboard as stored
from graders.store import tallies
from graders.store.projects import CriterionRow
from graders.workflows._agreement_ground import Ground
from graders.workflows._figures import MIN_CELLS
from graders.workflows._phrases import several
from graders.workflows.permissions import Scope

NOT_THERE = "further people or questions are needed"


def say(scope: Scope, found: Ground, criterion: CriterionRow, report: dict[str, Any]) -> None:
    """Add to the reasons of a criterion's verdicts how many there are, where more are asked for; the people counted are its `planned`."""
    wanting = [judge["verdict"] for judge in report["judges"] if judge["verdict"].get("short") or judge["verdict"]["missing"]]
    if not wanting:
        return
    filters = found.view.filters
    cells = tallies.cells_with(scope.ws.db, criterion.id, filters)
    questions = MIN_QUESTIONS
    if any(verdict.get("short") == "questions" for verdict in wanting):
        rows = stored.questions_with(scope.ws.db, found.project, filters)
        questions = rows.count(",") + 1 if rows else 0
    for verdict in wanting:
        short = verdict.get("short")
        if short == "cells" and cells < MIN_CELLS:
            verdict["reason"] += f"; there {'is' if cells == 1 else 'are'} only {several(cells, 'cell')}"
        elif short == "questions" and questions < MIN_QUESTIONS:
            verdict["reason"] += f"; there {'is' if questions == 1 else 'are'} only {several(questions, 'question')}"
        elif not short:
            verdict["reason"] += _left(verdict["missing"], cells, report)


def _left(missing: int, cells: int, report: dict[str, Any]) -> str:
    """How many labels the people who are counted could still give, where that is fewer than are missing."""
    people = len(report["planned"])
    left = max(0, people * cells - report["labels"])
    if missing <= left:
        return ""
    if not left:
        return f"; but every cell has one of each person already: {NOT_THERE}"
    bare = max(0, cells - report["cells"])
    none_yet = f" ({several(bare, 'cell')} {'has' if bare == 1 else 'have'} none yet)" if bare else ""
    who = "this person" if people == 1 else f"these {people} people"
    return f"; but {who} can give only {left:,} more{none_yet}: {NOT_THERE}"
