"""JSON route of Anchoring."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.web.session import scope_of
from graders.workflows import anchoring as use

router = APIRouter()


@router.get("/api/anchoring")
def anchoring(request: Request, project: str) -> dict[str, Any]:
    """Pull, wrong suggestions and time by criterion."""
    return use.anchoring(scope_of(request), project)
