"""Which verdicts count, as the addresses of Agreement and Diagnostics say it."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from graders.store.filters import Filters
from graders.workflows import agree


def view_of(request: Request, blind: int, population: str) -> dict[str, Any]:
    """Which verdicts count, from the address: each filter may stand there several times."""
    found = {name: request.query_params.getlist(name) for name in Filters.__dataclass_fields__ if name in request.query_params}
    return {"blind_only": bool(blind), "population": population, "filters": agree.filters_of(found)}
