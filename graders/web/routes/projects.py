"""Routes of what a lead may change of a project, and of its export as a whole."""

from __future__ import annotations

import tempfile
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from graders.core.errors import InputError
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.web.session import scope_of
from graders.web.worker import supervisor
from graders.workflows.projects import delete
from graders.workflows.projects import settings as projects_settings
from graders.workflows.projects.settings import ProjectSettings
from graders.workflows.report.export import ZIP, file_stem
from graders.workflows.report.export_whole import export_whole
from graders.workflows.routing.route import Routed, route

router = APIRouter()


@router.get("/api/project/export")
def export_project(request: Request, project: str) -> FileResponse:
    """All of a project as one zip, which an import brings back; the header x-cograde-state names
    the state that it holds. Refused where the project could not be deleted now."""
    scope = scope_of(request)
    delete.need_idle(scope, project)
    folder = tempfile.TemporaryDirectory(prefix="cograde-export-")
    try:
        written = export_whole(scope, project, Path(folder.name) / f"{file_stem(project)}{ZIP}")
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        written.output,
        filename=written.output.name,
        headers={"x-cograde-state": written.state},
        background=BackgroundTask(folder.cleanup),
    )


@router.get("/api/settings")
def settings(request: Request, project: str) -> ProjectSettings:
    """A project's settings and rubrics."""
    return projects_settings.settings(scope_of(request), project)


@router.post("/api/settings")
def change_settings(request: Request, body: JSON) -> ProjectSettings:
    """Change settings: {project, changes: {name: value}, consent: to drawing more than half}."""
    changes = body.get("changes")
    if not isinstance(changes, dict):
        raise InputError(**error_parts("projects.no_changes"))
    return projects_settings.change_settings(
        scope_of(request),
        str(body.get("project") or ""),
        changes,
        consent=body.get("consent") is True,
    )


@router.post("/api/route")
def route_again(request: Request, body: JSON) -> Routed:
    """Route all cells anew: {project}; returns the counts by route and reason, and the open
    screens."""
    scope, project = scope_of(request), str(body.get("project") or "")
    routed = route(scope, project)
    supervisor(request.app).sort(scope.ws, project)
    return routed
