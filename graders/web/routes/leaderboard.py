"""JSON route of the leaderboard."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.web.session import scope_of
from graders.workflows import leaderboard as use

router = APIRouter()

#: Seconds after which a page is told how far reading is.
PATIENCE = 0.5


@router.get("/api/leaderboard")
def leaderboard(
    request: Request,
    project: str,
    view: str = "",
    show: str = "corrected",
    judge: str = "",
    weights: str = "",
    category: str = "",
    task_type: str = "",
    language: str = "",
    a: str = "",
    b: str = "",
    begun: int = 0,
) -> dict[str, Any]:
    """The report, or ``{"progress": {"done", "of"}}`` while much is being read: then ask again with `begun`.

    `weights`: CRITERION:NUMBER, with a semicolon between them.
    """
    return use.leaderboard(
        scope_of(request),
        project,
        view=view,
        show=show,
        judge=judge,
        weights=dict(weight_of(text) for text in weights.split(";") if text),
        filters={"category": category, "task_type": task_type, "language": language},
        a=a,
        b=b,
        patience=PATIENCE,
        begun=bool(begun),
    )


def weight_of(text: str) -> tuple[str, float]:
    """CRITERION:NUMBER, read."""
    key, _, number = text.rpartition(":")
    try:
        return key, float(number)
    except ValueError:
        raise InputError("weight", found=repr(text), expected="CRITERION:NUMBER", remedy="Choose the weight on the page.") from None
