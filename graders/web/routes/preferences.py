"""JSON route of preferences, on the Leaderboard page."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.web.session import scope_of
from graders.workflows import preferences as use

router = APIRouter()


@router.get("/api/preferences")
def preferences(
    request: Request, project: str, criterion: str = "", by: str = "", category: str = "", task_type: str = "", language: str = ""
) -> dict[str, Any]:
    """The models ranked by which of two answers was preferred."""
    filters = {"category": category, "task_type": task_type, "language": language}
    return use.preferences(scope_of(request), project, criterion, by=by, filters=filters)
