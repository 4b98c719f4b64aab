"""JSON route of the comparison of two, on the Leaderboard page."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from graders.core.shapes import JSON, as_dict
from graders.web.markdown import render
from graders.web.routes.leaderboard import Ranking
from graders.web.session import scope_of
from graders.workflows.leaderboard import compare as use
from graders.workflows.leaderboard.comparison import Case, CaseSide, Comparison

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
) -> JSON:
    """The comparison, its answers as sanitised HTML; or ``{"progress": {"done", "of"}}`` as the
    leaderboard's route does."""
    found = use.compare_so_far(
        scope_of(request), project, a, b, wanted.wish(request), order=order, page=page
    )
    if not isinstance(found, Comparison) or found.cases is None:
        return as_dict(found)
    rows = [_case(row) for row in found.cases.rows]
    return {**as_dict(found), "cases": {**as_dict(found.cases), "rows": rows}}


def _case(row: Case) -> JSON:
    return {**as_dict(row), "a": _side(row.a), "b": _side(row.b)}


def _side(side: CaseSide) -> JSON:
    shown = as_dict(side)
    html = render(shown.pop("text"))
    return {**shown, "html": html}
