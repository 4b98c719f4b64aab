"""JSON of the head that all pages share."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.shapes import as_dict
from graders.web.kit.navigation import navigation
from graders.web.session import code_of, scope_of
from graders.workflows.home import frame as page_frame

router = APIRouter()


@router.get("/api/frame")
def frame(request: Request, project: str = "", path: str = "") -> dict[str, Any]:
    """Projects, all pages, the person, screens that wait; `nav`: the navigation of the page at
    `path` as HTML, with the next step; `code`: the person's own; `damage` says what is wrong with
    the file of the workspace, if anything."""
    scope, state = scope_of(request), request.app.state
    head = page_frame.frame(scope, project, state.settings.project)
    step = page_frame.next_for(scope, head.project, path) if path else None
    nav = navigation(state.site, scope, head, path, step)
    pages = [{"path": place.path, "nav": place.nav} for place in state.site.places]
    code = code_of(request.session, scope)
    return {**as_dict(head), "nav": nav, "pages": pages, "code": code, "damage": scope.ws.damage}
