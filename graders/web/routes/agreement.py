"""JSON routes of Agreement."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.web.session import scope_of
from graders.workflows import agree

router = APIRouter()


@router.get("/api/agreement")
def agreement(request: Request, project: str, blind: int = 1, population: str = "", intervals: int = 0) -> dict[str, Any]:
    """The report without its pairs, which are many: as soon as it can be shown, or with `intervals`."""
    found = agree.agreement(scope_of(request), project, blind_only=bool(blind), population=population, intervals=bool(intervals))
    return {name: value for name, value in found.items() if name != "pairs"}


@router.get("/api/agreement/pairs")
def pairs(request: Request, project: str, criterion: str, blind: int = 1, population: str = "") -> dict[str, Any]:
    """All pairs of one criterion, each with its matrix; with intervals once these are there."""
    found = agree.agreement(scope_of(request), project, blind_only=bool(blind), population=population, intervals=False)
    return {"pairs": [pair for pair in found["pairs"] if pair["criterion"] == criterion]}


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
    return agree.matrix_cell(
        scope_of(request), project, criterion, a, b, value_a, value_b, page, blind_only=bool(blind), population=population
    )
