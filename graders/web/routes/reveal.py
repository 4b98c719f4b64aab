"""JSON routes of the end of a batch: saved blind screens with what the judges chose."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.shapes import JSON
from graders.web.routes.review import rendered
from graders.web.session import scope_of
from graders.workflows.review import grading, reveal

router = APIRouter()


@router.post("/api/reveal")
def open_batch(request: Request, body: JSON) -> JSON:
    """The batch that is due: {project}. Refused where a lead left it off, and before its last
    screen was saved."""
    scope, project = scope_of(request), str(body.get("project") or "")
    screens = [rendered(screen) for screen in reveal.open_batch(scope, project)]
    return {"ok": True, "screens": screens, "counts": grading.counts(scope, project)}


@router.post("/api/reveal/close")
def close_batch(request: Request, body: JSON) -> JSON:
    """Go on after a batch: {project}."""
    scope, project = scope_of(request), str(body.get("project") or "")
    reveal.close_batch(scope, project)
    return {"ok": True, "counts": grading.counts(scope, project)}
