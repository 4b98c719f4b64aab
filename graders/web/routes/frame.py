"""JSON of the head that all pages share."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.shapes import as_dict
from graders.web.kit.frame import places_of
from graders.web.session import scope_of
from graders.workflows.home import frame as page_frame

router = APIRouter()


@router.get("/api/frame")
def frame(request: Request, project: str = "") -> dict[str, Any]:
    """Projects, pages, the person, screens that wait; `damage` says what is wrong with the
    workspace's file, empty where nothing is."""
    scope = scope_of(request)
    pages = [{"path": p.path, "nav": p.nav} for p in places_of(request.app.state.pages)]
    return {
        **as_dict(page_frame.frame(scope, project, request.app.state.settings.project)),
        "pages": pages,
        "damage": scope.ws.damage,
    }
