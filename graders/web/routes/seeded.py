"""JSON routes of seeded faults."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.web.session import scope_of
from graders.workflows.diagnostics import seeded_faults

router = APIRouter()


@router.get("/api/seeded")
def detection(request: Request, project: str) -> seeded_faults.Detection:
    """Who notices the seeded faults."""
    return seeded_faults.detection(scope_of(request), project)


@router.post("/api/seeded")
def seed(request: Request, body: JSON) -> seeded_faults.Seeded:
    """Make copies with faults and run the rules on them: {project, share}."""
    share = body.get("share")
    if isinstance(share, bool) or not isinstance(share, int | float):
        raise InputError(**error_parts("diagnostics.error.typed_share", share=repr(share)[:40]))
    return seeded_faults.seed(scope_of(request), str(body.get("project") or ""), float(share))
