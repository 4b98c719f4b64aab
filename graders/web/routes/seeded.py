"""JSON routes of seeded faults."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.web.session import scope_of
from graders.workflows.diagnostics import seeded_faults

router = APIRouter()


@router.get("/api/seeded")
def detection(request: Request, project: str) -> dict[str, Any]:
    """Who notices the seeded faults."""
    return seeded_faults.detection(scope_of(request), project)


@router.post("/api/seeded")
def seed(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Make copies with faults and run the rules on them: {project, share}."""
    share = body.get("share")
    if isinstance(share, bool) or not isinstance(share, int | float):
        raise InputError(
            "share of answers",
            found=repr(share)[:40],
            expected="a number above 0, at most 1",
            remedy="Type one.",
        )
    return seeded_faults.seed(scope_of(request), str(body.get("project") or ""), float(share))
