"""JSON routes of lists of required elements."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.web.session import scope_of
from graders.workflows.rubrics import element_lists

router = APIRouter()


@router.get("/api/elements")
def lists(request: Request, project: str) -> element_lists.ElementLists:
    """Questions with their lists and the drafts that wait."""
    return element_lists.lists(scope_of(request), project)


@router.post("/api/elements/draft")
def draft(request: Request, body: JSON) -> element_lists.Drafted:
    """Let a judge draft the list of one question: {project, question_id, judge}."""
    question = str(body.get("question_id") or "")
    if not question:
        raise InputError(**error_parts("rubrics.page.question"))
    return element_lists.draft(
        scope_of(request), str(body.get("project") or ""), str(body.get("judge") or ""), [question]
    )


@router.post("/api/elements/accept")
def accept(request: Request, body: JSON) -> element_lists.AcceptedList:
    """Put a list in force: {project, question_id, elements}."""
    elements = body.get("elements")
    if not isinstance(elements, list) or not all(isinstance(entry, str) for entry in elements):
        raise InputError(**error_parts("rubrics.page.list"))
    return element_lists.accept(
        scope_of(request),
        str(body.get("project") or ""),
        str(body.get("question_id") or ""),
        elements,
    )


@router.post("/api/elements/dismiss")
def dismiss(request: Request, body: JSON) -> element_lists.DismissedDraft:
    """Lay a draft aside: {project, question_id}."""
    return element_lists.dismiss(
        scope_of(request), str(body.get("project") or ""), str(body.get("question_id") or "")
    )
