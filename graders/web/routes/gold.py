"""JSON routes of gold questions and practice."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.web.session import scope_of
from graders.workflows.review import gold, practice

router = APIRouter()


@router.post("/api/gold")
def mark(request: Request, body: JSON) -> gold.GoldMark:
    """Mark a settled cell: {project, cell, use: check, practice or none}."""
    cell = body.get("cell")
    if not isinstance(cell, int) or isinstance(cell, bool):
        raise InputError(**error_parts("web.cell", value=repr(cell)[:60]))
    return gold.mark(
        scope_of(request), str(body.get("project") or ""), cell, str(body.get("use") or "")
    )


@router.post("/api/practice/skip")
def skip(request: Request, body: JSON) -> JSON:
    """Leave practice out: {project}."""
    practice.leave_out(scope_of(request), str(body.get("project") or ""))
    return {"ok": True}
