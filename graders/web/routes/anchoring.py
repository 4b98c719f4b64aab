"""JSON route of Anchoring."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.shapes import JSON, as_dict
from graders.web.routes._viewing import filters_in
from graders.web.session import scope_of
from graders.workflows.diagnostics import anchoring as use

router = APIRouter()

#: Seconds after which a page is told how far reading is.
PATIENCE = 0.5


@router.get("/api/anchoring")
def anchoring(request: Request, project: str) -> JSON:
    """Pull, wrong suggestions and time by criterion; each filter may stand in the address several
    times. While much is being read ``{"progress": {"done", "of"}}``: then ask again."""
    found = use.anchoring_so_far(scope_of(request), project, filters_in(request), patience=PATIENCE)
    return as_dict(found)
