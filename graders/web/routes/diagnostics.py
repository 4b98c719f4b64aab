"""JSON route of Diagnostics."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.shapes import JSON, as_dict
from graders.web.routes._viewing import view_of
from graders.web.session import scope_of
from graders.workflows.agreement.ground import View
from graders.workflows.diagnostics.diagnose import diagnostics_so_far

router = APIRouter()

#: Seconds after which a page is told how far reading is.
PATIENCE = 0.5


@router.get("/api/diagnostics")
def diagnostics(
    request: Request, project: str, blind: int = 1, population: str = "", begun: int = 0
) -> JSON:
    """Bias, calibration and self-consistency by judge and criterion; or ``{"progress": {"done",
    "of"}}`` while much is being read: then ask again with `begun`."""
    view = View(**view_of(request, blind, population))
    found = diagnostics_so_far(
        scope_of(request), project, view, patience=PATIENCE, begun=bool(begun)
    )
    return as_dict(found)
