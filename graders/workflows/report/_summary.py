"""What comes first in a report: what is known, then what is missing and how long that takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graders.core.words import say
from graders.exporters.sheets.costs import Cost
from graders.workflows.agreement.records import Agreement
from graders.workflows.agreement.work_left import Progress
from graders.workflows.diagnostics.anchoring import Anchoring
from graders.workflows.leaderboard.board import Board
from graders.workflows.promise.risk import PROVEN
from graders.workflows.report._method import Figures
from graders.workflows.report._parts import Finding, Section
from graders.workflows.results.grid import Grid
from graders.workflows.routing.labels_missing import Goal, LabelsMissing
from graders.workflows.routing.page import Routing
from graders.workflows.scope.phrases import span


def findings(
    sections: Sequence[Section],
    grid: Grid,
    figures: Figures,
    progress: Progress,
    costs: Sequence[Cost],
) -> list[Finding]:
    """The first sentence of each section, those that say what is known before the others."""
    known: Mapping[str, bool] = {
        "graded": bool(grid.counts.decided)
        or any(cell.unconfirmed for row in grid.models for cell in row.cells.values()),
        "leaderboard": _ranked(figures.leaderboard),
        "agreement": _compared(figures.agreement),
        "routing": _proven(figures.routing),
        "anchoring": _measured(figures.anchoring),
        "costs": any((row.unknown or 0) < (row.verdicts or 0) for row in costs),
        "progress": not progress.left,
    }
    said = {part.key: part.words[0] for part in sections if part.words}
    order = [key for key in known if key in said] + [key for key in said if key not in known]
    return [
        Finding(key, said[key], known=known.get(key, False))
        for key in sorted(order, key=lambda key: not known.get(key, False))
    ]


def _ranked(board: Board) -> bool:
    ranked = [row for row in board.models if row.place is not None]
    return len(ranked) > 1 and any(row.figure and row.figure.status == "OK" for row in ranked)


def _compared(found: Agreement) -> bool:
    return any(
        judge.shown.value is not None or judge.assisted is not None
        for criterion in found.criteria
        for judge in criterion.judges
    )


def _proven(found: Routing) -> bool:
    return any(row.state == PROVEN for row in found.rows)


def _measured(found: Anchoring) -> bool:
    return any(row.pull.status == "OK" for row in found.rows)


def missing(
    labels: LabelsMissing, progress: Progress, routing: Routing, unsettled: int
) -> list[str]:
    """What people still have to do, and how long it takes: labels to the next figure, screens that
    wait, `unsettled` cells on which people differ, labels to a promise."""
    parts = []
    if any(one.goal != Goal.DONE for one in labels.criteria):
        parts += [f"{labels.words}.", labels.note]
    if progress.left:
        parts.append(_screens(progress))
    if unsettled:
        parts.append(say("report.missing.settle", n=unsettled))
    parts += [
        say("report.missing.promise", kind=f"{row.title}, {row.task_type}", n=row.missing)
        for row in routing.rows
        if row.state != PROVEN and row.missing
    ]
    return [part for part in parts if part]


def _screens(progress: Progress) -> str:
    if progress.minutes_left is None:
        return say("report.missing.screens.untimed", n=progress.left)
    time = span(progress.minutes_left)
    return say("report.missing.screens.timed", n=progress.left, time=time)
