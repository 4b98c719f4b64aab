"""JSON route of preferences, on the Leaderboard page."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts
from graders.web.routes._viewing import filters_in
from graders.web.session import scope_of
from graders.workflows.leaderboard import draw_pairs
from graders.workflows.leaderboard import preferences as use

router = APIRouter()


@router.get("/api/preferences")
def preferences(request: Request, project: str, criterion: str = "", by: str = "") -> JSON:
    """The models ranked by which of two answers was preferred."""
    found = use.preferences(
        scope_of(request), project, criterion, by=by, filters=filters_in(request)
    )
    return as_dict(found)


@router.post("/api/preferences/draw")
def draw(request: Request, body: JSON) -> draw_pairs.Drawn:
    """Draw pairs: `project`, `design`, `per_question` or `baseline`."""
    return draw_pairs.draw(
        scope_of(request),
        str(body.get("project") or ""),
        str(body.get("design") or ""),
        per_question=_count(body.get("per_question")),
        baseline=str(body.get("baseline") or ""),
    )


def _count(found: Any) -> int:
    try:
        return int(found)
    except (TypeError, ValueError):
        typed = repr(found)[:40]
        raise InputError(**error_parts("leaderboard.error.typed_count", typed=typed)) from None
