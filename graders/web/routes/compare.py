"""JSON route of the comparison of two, on the Leaderboard page."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.web.markdown import render
from graders.web.routes.leaderboard import PATIENCE, weight_of
from graders.web.session import scope_of
from graders.workflows import compare as use

router = APIRouter()


@router.get("/api/compare")
def compare(
    request: Request,
    project: str,
    a: str = "",
    b: str = "",
    view: str = "",
    show: str = "corrected",
    judge: str = "",
    weights: str = "",
    category: str = "",
    task_type: str = "",
    language: str = "",
    order: str = "worse",
    page: int = 1,
    begun: int = 0,
) -> dict[str, Any]:
    """The comparison, its answers as sanitised HTML; or ``{"progress": {"done", "of"}}`` as the leaderboard's route does."""
    found = use.compare(
        scope_of(request),
        project,
        a,
        b,
        view=view,
        show=show,
        judge=judge,
        weights=dict(weight_of(text) for text in weights.split(";") if text),
        filters={"category": category, "task_type": task_type, "language": language},
        order=order,
        page=page,
        patience=PATIENCE,
        begun=bool(begun),
    )
    for row in found.get("cases", {}).get("rows", ()):
        for side in (row["a"], row["b"]):
            side["html"] = render(side.pop("text"))
    return found
