"""JSON route of Diagnostics."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.web.routes._viewing import view_of
from graders.web.session import scope_of
from graders.workflows.diagnostics import diagnose

router = APIRouter()

#: Seconds after which a page is told how far reading is.
PATIENCE = 0.5


@router.get("/api/diagnostics")
def diagnostics(
    request: Request, project: str, blind: int = 1, population: str = "", begun: int = 0
) -> dict[str, Any]:
    """Which way judges lean, what their confidence is worth and how steady they are, by judge and
    criterion; or ``{"progress": {"done", "of"}}`` while much is being read: then ask again with
    `begun`."""
    view = view_of(request, blind, population)
    return diagnose.diagnostics(
        scope_of(request), project, **view, patience=PATIENCE, begun=bool(begun)
    )
