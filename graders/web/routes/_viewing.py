"""Which verdicts count, as the addresses of pages with figures say it."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from graders.store.opinions.filters import Filters
from graders.workflows.opinions.narrowing import ALL, filters_of


def view_of(request: Request, blind: int, population: str) -> dict[str, Any]:
    """Which verdicts count, from the address: each filter may stand there several times."""
    return {"blind_only": bool(blind), "population": population, "filters": filters_in(request)}


def filters_in(request: Request) -> Filters:
    """The filters of the address; the use case refuses one that its figures do not have."""
    return filters_of(
        {name: request.query_params.getlist(name) for name in ALL if name in request.query_params}
    )
