"""Show what is there and what to do next."""

from __future__ import annotations

from typing import Any

from graders.commands._shell import JsonOption, ProjectOption, WorkspaceOption, scope_for, show
from graders.store import content, projects, queue, reading
from graders.workflows import runs, wishes
from graders.workflows.permissions import Scope


def command(workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False) -> None:
    """Show each project's content, who decided its cells, its run, and how many screens wait.

    Example: cograde status --json
    """
    scope = scope_for(workspace)
    found = [scope.project(project)] if project else projects.begun_projects(scope.ws)
    result: list[dict[str, Any]] = [
        {
            "project": p.name,
            "title": p.title,
            **content.counts(scope.ws, p),
            "cells": reading.project_totals(scope.ws.db, p),
            "screens": queue.open_screens(scope.ws.db, p),
            **_run(scope, p.name),
        }
        for p in found
    ]
    show(result, as_json, lambda: "\n".join(_line(row) for row in result) or "No project yet: cograde import FILE")


def _run(scope: Scope, project: str) -> dict[str, Any]:
    run = runs.status(scope, project)["run"]
    return {"run": None if run is None else {**run, "phase": wishes.phase(run)}}


def _line(row: dict[str, Any]) -> str:
    cells, run = row["cells"], row["run"]
    return (
        f"{row['project']}: {row['questions']} questions, {row['answers']} answers of {row['models']} models; "
        f"cells: {cells['people'] + cells['audit']} by people, {cells['automatic']} automatic, {cells['pending']} pending; "
        f"{row['screens']} screens wait" + (f"; run {run['id']} {wishes.words(run)}" if run else "")
    )
