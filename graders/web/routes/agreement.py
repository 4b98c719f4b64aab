"""JSON routes of Agreement."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.store.filters import Filters
from graders.web.session import scope_of
from graders.workflows import agree, agreement_details
from graders.workflows import disagreements as disagreement_list

router = APIRouter()


@router.get("/api/agreement")
def agreement(request: Request, project: str, blind: int = 1, population: str = "", intervals: int = 0) -> dict[str, Any]:
    """The report without its pairs, which are many: as soon as it can be shown, or with `intervals`."""
    found = agree.agreement(scope_of(request), project, intervals=bool(intervals), **_view(request, blind, population))
    return {name: value for name, value in found.items() if name != "pairs"}


@router.get("/api/agreement/pairs")
def pairs(request: Request, project: str, criterion: str, blind: int = 1, population: str = "") -> dict[str, Any]:
    """All pairs of one criterion, each with its matrix; with intervals once these are there."""
    found = agree.agreement(scope_of(request), project, intervals=False, **_view(request, blind, population))
    return {"pairs": [pair for pair in found["pairs"] if pair["criterion"] == criterion]}


@router.get("/api/agreement/details")
def details(request: Request, project: str, criterion: str, judge: str, blind: int = 1, population: str = "") -> dict[str, Any]:
    """All figures of one judge on one criterion."""
    return agreement_details.details(scope_of(request), project, criterion, judge, **_view(request, blind, population))


@router.get("/api/agreement/answers")
def answers(
    request: Request,
    project: str,
    criterion: str,
    a: str,
    b: str,
    value_a: str,
    value_b: str,
    page: int = 1,
    blind: int = 1,
    population: str = "",
) -> dict[str, Any]:
    """The answers behind one cell of a matrix."""
    view = _view(request, blind, population)
    return agree.matrix_cell(scope_of(request), project, criterion, a, b, value_a, value_b, page, **view)


@router.get("/api/agreement/disagreements")
def disagreements(
    request: Request, project: str, criterion: str = "", judge: str = "", grouping: str = "fault_of", group: str = "", page: int = 1
) -> dict[str, Any]:
    """The answers on which judges and people differ, in groups."""
    return disagreement_list.disagreements(
        scope_of(request),
        project,
        criterion_key=criterion,
        judge=judge,
        grouping=grouping,
        group=group,
        page=page,
        filters=_view(request, 1, "")["filters"],
    )


def _view(request: Request, blind: int, population: str) -> dict[str, Any]:
    """Which verdicts count, from the address: each filter may stand there several times."""
    found = {name: request.query_params.getlist(name) for name in Filters.__dataclass_fields__ if name in request.query_params}
    return {"blind_only": bool(blind), "population": population, "filters": agree.filters_of(found)}
