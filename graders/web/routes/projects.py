"""JSON routes of Projects, and of what a lead may change of a project."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.web.session import scope_of
from graders.web.worker import supervisor
from graders.workflows.home import overview
from graders.workflows.home.cards import Overview
from graders.workflows.projects import settings as projects_settings
from graders.workflows.projects.settings import ProjectSettings
from graders.workflows.routing.route import Routed, route

router = APIRouter()


@router.get("/api/projects")
def all_projects(request: Request) -> Overview:
    """All projects at a glance."""
    return overview.all_projects(scope_of(request))


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


@router.post("/api/rubric")
def change_rubric(request: Request, body: JSON) -> ProjectSettings:
    """Give a rubric another text: {project, name, source}."""
    name, source = str(body.get("name") or ""), str(body.get("source") or "")
    return projects_settings.change_rubric(
        scope_of(request), str(body.get("project") or ""), name, source
    )


@router.post("/api/route")
def route_again(request: Request, body: JSON) -> Routed:
    """Route all cells anew: {project}; returns the counts by route and reason, and the open
    screens."""
    scope, project = scope_of(request), str(body.get("project") or "")
    routed = route(scope, project)
    supervisor(request.app).sort(scope.ws, project)
    return routed
