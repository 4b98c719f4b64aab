"""JSON routes of the Rubrics page."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts
from graders.web.markdown import render
from graders.web.session import scope_of
from graders.web.worker import supervisor
from graders.workflows.rubrics import edit as rubrics_edit
from graders.workflows.rubrics import rubric_list as listing
from graders.workflows.rubrics import try_rubric
from graders.workflows.runs.runs import Started

router = APIRouter()


@router.get("/api/rubrics")
def rubric_list(request: Request, project: str) -> listing.RubricList:
    """The rubrics in force with their versions, and the gallery."""
    return listing.rubric_list(scope_of(request), project)


@router.post("/api/rubrics/look")
def look(request: Request, body: JSON) -> rubrics_edit.Look:
    """What a text would mean, while it is typed: {project, source, name}."""
    return rubrics_edit.look(
        scope_of(request), _text(body, "project"), _text(body, "source"), _text(body, "name")
    )


@router.post("/api/rubrics/edit")
def edit(request: Request, body: JSON) -> rubrics_edit.Edited:
    """A text with one field of the form changed: {project, source, criterion, field, value,
    name}."""
    scope, project = scope_of(request), _text(body, "project")
    fields = [_text(body, name) for name in ("source", "criterion", "field", "value", "name")]
    return rubrics_edit.edit(scope, project, *fields)


@router.get("/api/rubrics/version")
def version(request: Request, project: str, name: str, id: int) -> rubrics_edit.EarlierVersion:
    """An earlier text and what has changed since."""
    return rubrics_edit.version(scope_of(request), project, name, id)


@router.post("/api/rubrics/put")
def put(request: Request, body: JSON) -> rubrics_edit.PutInForce:
    """Put a text in force: {project, source, name, before}; `before` is the hash of the text that
    was in force, "" for none."""
    return rubrics_edit.put(
        scope_of(request),
        _text(body, "project"),
        _text(body, "source"),
        _text(body, "name"),
        _text(body, "before"),
    )


@router.get("/api/rubrics/again")
def again(request: Request, project: str, name: str) -> rubrics_edit.RegradePlan:
    """What it costs to ask the judges again about what became stale."""
    return rubrics_edit.regrade_plan(scope_of(request), project, name)


@router.post("/api/rubrics/again")
def start_again(request: Request, body: JSON) -> Started:
    """Start that run: {project, name}; returns {run, plan}."""
    scope = scope_of(request)
    found = rubrics_edit.regrade(scope, _text(body, "project"), _text(body, "name"))
    supervisor(request.app).start(scope.ws, found.run, {})
    return found


@router.post("/api/rubrics/try")
def tried(request: Request, body: JSON) -> JSON:
    """Try a text on one answer: {project, source, subject, judge}."""
    subject = body.get("subject")
    if not isinstance(subject, int) or isinstance(subject, bool):
        raise InputError(**error_parts("rubrics.page.answer", answer=repr(subject)[:40]))
    scope, project = scope_of(request), _text(body, "project")
    judge = _text(body, "judge")
    shown = as_dict(try_rubric.try_rubric(scope, project, _text(body, "source"), subject, judge))
    return {**shown, "html": render(shown.pop("text"))}


def _text(body: JSON, name: str) -> str:
    value = body.get(name) or ""
    if not isinstance(value, str):
        raise InputError(**error_parts("rubrics.page.text", name=name, value=repr(value)[:60]))
    return value
