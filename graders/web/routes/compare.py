"""JSON route of the comparison of two, on the Leaderboard page."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request

from graders.web.markdown import render
from graders.web.routes.leaderboard import Ranking
from graders.web.session import scope_of
from graders.workflows.leaderboard import compare as use

router = APIRouter()


@router.get("/api/compare")
def compare(
    request: Request,
    project: str,
    wanted: Annotated[Ranking, Depends()],
    a: str = "",
    b: str = "",
    order: str = "worse",
    page: int = 1,
) -> dict[str, Any]:
    """The comparison, its answers as sanitised HTML; or ``{"progress": {"done", "of"}}`` as the
    leaderboard's route does."""
    found = use.compare(
        scope_of(request), project, a, b, order=order, page=page, **wanted.options(request)
    )
    for row in found.get("cases", {}).get("rows", ()):
        for side in (row["a"], row["b"]):
            side["html"] = render(side.pop("text"))
    return found
