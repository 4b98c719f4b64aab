"""JSON route of Diagnostics."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.web.routes._viewing import view_of
from graders.web.session import scope_of
from graders.workflows import diagnose

router = APIRouter()


@router.get("/api/diagnostics")
def diagnostics(request: Request, project: str, blind: int = 1, population: str = "") -> dict[str, Any]:
    """Which way judges lean, what their confidence is worth and how steady they are, by judge and criterion."""
    return diagnose.diagnostics(scope_of(request), project, **view_of(request, blind, population))
