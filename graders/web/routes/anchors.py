"""JSON routes of anchor questions."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.web.session import scope_of
from graders.workflows.runs import drift_anchors

router = APIRouter()


@router.get("/api/anchors")
def listed(request: Request, project: str) -> drift_anchors.Anchors:
    """The anchor questions."""
    return drift_anchors.listed(scope_of(request), project)


@router.post("/api/anchors")
def choose(request: Request, body: JSON) -> drift_anchors.Anchors:
    """Add anchor questions and take some out, or let chance draw them: {project, add, remove} or
    {project, draw}."""
    scope, project = scope_of(request), str(body.get("project") or "")
    count, add, remove = body.get("draw"), body.get("add", []), body.get("remove", [])
    if isinstance(count, int) and not isinstance(count, bool):
        return drift_anchors.draw(scope, project, count)
    if not isinstance(add, list) or not isinstance(remove, list) or not add + remove:
        found = repr({name: body[name] for name in ("draw", "add", "remove") if name in body})[:60]
        raise InputError(**error_parts("diagnostics.error.anchors", typed=found))
    return drift_anchors.change(
        scope, project, [str(key) for key in add], [str(key) for key in remove]
    )
