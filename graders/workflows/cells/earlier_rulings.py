"""What rules that only detect decided in a file of an earlier version: worked out anew, with a
trace. People's verdicts stay as they are."""

from __future__ import annotations

from typing import Any

from graders.core.faults import FAULTS_RUBRIC
from graders.store import projects
from graders.store.opinions import cells as cell_store
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.cells.state import refresh_all

#: The kind of the event that tells which cells changed.
EVENT = "rules weighed"


def weigh_again(ws: Workspace) -> None:
    """Work out anew what rests on rules, in the projects where that is due; each is logged with its
    cells as they were before and are now."""
    due = set(cell_store.unweighed(ws.db))
    for project in projects.list_projects(ws) if due else []:
        if project.id in due:
            _weigh(ws, project)


def _weigh(ws: Workspace, project: Project) -> None:
    listed = {
        row.id for row in projects.criteria(ws, project) if row.criterion.rubric == FAULTS_RUBRIC
    }
    told = cell_store.subjects_told_by_people(ws.db, project, listed)
    cells = {
        *cell_store.resting_on_rules(ws.db, project),
        *(c.id for c in cell_store.cells_of(ws.db, told) if c.criterion_id not in listed),
    }
    ids = sorted(cells)
    before = {key: _told(cell) for key, cell in cell_store.load_cells(ws.db, ids).items()}
    refresh_all(ws, project, ids, route=bool(project.settings.get("routed")))
    changed = [
        {"cell": key, "before": before[key], "now": now}
        for key, cell in cell_store.load_cells(ws.db, ids).items()
        if (now := _told(cell)) != before[key]
    ]
    with ws.write() as db:
        if changed:
            projects.log_event(ws, project, "", EVENT, {"cells": len(changed), "changed": changed})
        cell_store.weighed(db, project)


def _told(cell: cell_store.Cell) -> list[Any]:
    """A cell's final value, who gave it, and who decides it and why."""
    state = cell.state
    return [state.final, state.final_source, state.route, state.route_reason]
