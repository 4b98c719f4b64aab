"""JSON routes of Adjudication."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.web.markdown import render
from graders.web.session import scope_of
from graders.web.worker import supervisor
from graders.workflows.adjudication import adjudicate, advice

router = APIRouter()


@router.get("/api/adjudicate")
def cells(
    request: Request, project: str, show: str = "left", criterion: str = "", page: int = 1
) -> dict[str, Any]:
    """Cells on which people differ, or those that are settled."""
    return adjudicate.cells_to_settle(scope_of(request), project, show, criterion, page)


@router.get("/api/adjudicate/cell")
def cell(
    request: Request,
    project: str,
    cell: int = 0,
    subject: int = 0,
    criterion: str = "",
    part: str = "",
) -> dict[str, Any]:
    """One cell with what people said of it; nothing that comes from a judge, metric or rule."""
    return _rendered(
        adjudicate.cell_card(scope_of(request), project, cell, subject, criterion, part)
    )


@router.get("/api/adjudicate/advice")
def weighed(request: Request, project: str, cell: int) -> dict[str, Any]:
    """The value that people's answers point to, each person weighed; computed when it is asked
    for."""
    return advice.advice(scope_of(request), project, cell)


@router.post("/api/adjudicate/judges")
def judges(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """One cell with the judges' marks too: {project, cell}. That somebody looked is kept, so this
    is no reading alone."""
    return _rendered(
        adjudicate.cell_card(
            scope_of(request), str(body.get("project") or ""), _cell(body), judges=True
        )
    )


@router.post("/api/adjudicate/settle")
def settle(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Settle a cell: {project, cell, value, reason, save_id, before, seconds}."""
    scope, project = scope_of(request), str(body.get("project") or "")
    made = adjudicate.settle(scope, project, _cell(body), body)
    supervisor(request.app).learn(scope.ws, project)
    return made


@router.post("/api/adjudicate/undo")
def undo(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Take an adjudicated verdict back: {project, cell, verdict}."""
    return adjudicate.take_back(
        scope_of(request),
        str(body.get("project") or ""),
        _cell(body),
        str(body.get("verdict") or ""),
    )


def _cell(body: dict[str, Any]) -> int:
    found = body.get("cell")
    if not isinstance(found, int) or isinstance(found, bool):
        raise InputError(
            "cell",
            found=repr(found)[:60],
            expected="the number of a cell",
            remedy="Reload the page.",
        )
    return found


def _rendered(card: dict[str, Any]) -> dict[str, Any]:
    return {**card, "html": [render(text) for text in card.pop("texts")]}
