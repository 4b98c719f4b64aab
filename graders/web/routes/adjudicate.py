"""JSON routes of Adjudication."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts
from graders.web.markdown import render
from graders.web.session import scope_of
from graders.web.worker import supervisor
from graders.workflows.adjudication import adjudicate, advice, cell_list
from graders.workflows.adjudication.adjudicate import CellQuery
from graders.workflows.adjudication.card import Card

router = APIRouter()


@router.get("/api/adjudicate")
def cells(
    request: Request, project: str, show: str = "left", criterion: str = "", page: int = 1
) -> cell_list.CellList:
    """Cells on which people differ, or those that are settled."""
    return cell_list.cells_to_settle(scope_of(request), project, show, criterion, page)


@router.get("/api/adjudicate/cell")
def cell(
    request: Request,
    project: str,
    cell: int = 0,
    subject: int = 0,
    criterion: str = "",
    part: str = "",
) -> JSON:
    """One cell with what people said of it; nothing that comes from a judge, metric or rule."""
    query = CellQuery(cell, subject, criterion, part)
    return _rendered(adjudicate.cell_card(scope_of(request), project, query))


@router.get("/api/adjudicate/advice")
def weighed(request: Request, project: str, cell: int) -> advice.Advice:
    """The value that people's answers point to, each person weighed; computed when it is asked
    for."""
    return advice.advice(scope_of(request), project, cell)


@router.post("/api/adjudicate/judges")
def judges(request: Request, body: JSON) -> JSON:
    """One cell with the judges' marks too: {project, cell}. That the person looked is stored, so
    this request also writes."""
    project, query = str(body.get("project") or ""), CellQuery(_cell(body))
    return _rendered(adjudicate.cell_card(scope_of(request), project, query, judges=True))


@router.post("/api/adjudicate/settle")
def settle(request: Request, body: JSON) -> adjudicate.Settled:
    """Settle a cell: {project, cell, value, reason, save_id, before, seconds}."""
    scope, project = scope_of(request), str(body.get("project") or "")
    settled = adjudicate.settle(scope, project, _cell(body), body)
    supervisor(request.app).learn(scope.ws, project)
    return settled


@router.post("/api/adjudicate/undo")
def undo(request: Request, body: JSON) -> adjudicate.TakenBack:
    """Take an adjudicated verdict back: {project, cell, verdict}."""
    return adjudicate.take_back(
        scope_of(request),
        str(body.get("project") or ""),
        _cell(body),
        str(body.get("verdict") or ""),
    )


def _cell(body: JSON) -> int:
    found = body.get("cell")
    if not isinstance(found, int) or isinstance(found, bool):
        raise InputError(**error_parts("web.cell", value=repr(found)[:60]))
    return found


def _rendered(card: Card) -> JSON:
    """The card with the texts of its answer as sanitised HTML."""
    fields = as_dict(card)
    return {**fields, "html": [render(text) for text in fields.pop("texts")]}
