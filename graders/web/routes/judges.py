"""JSON routes of Adjudicate about the judges that could be shown a cell as an example."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.web.session import scope_of
from graders.workflows.runs import corrections as corrected

router = APIRouter()


@router.get("/api/judges/example")
def example_offers(request: Request, project: str, cell: int) -> corrected.Offers:
    """The judges that could be shown a cell as an example."""
    return corrected.offers(scope_of(request), project, cell)


@router.post("/api/judges/example")
def example(request: Request, body: dict[str, Any]) -> corrected.Picked:
    """Give a judge one more correction as an example: {project, judge, cell}."""
    cell = body.get("cell")
    if not isinstance(cell, int) or isinstance(cell, bool):
        raise InputError(**error_parts("web.example", value=repr(cell)[:60]))
    return corrected.add(scope_of(request), _text(body, "project"), _text(body, "judge"), cell)


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name) or ""
    if not isinstance(value, str):
        raise InputError(**error_parts("web.text", name=name, value=repr(value)[:60]))
    return value
