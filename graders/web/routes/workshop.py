"""JSON routes of the Workshop page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.web.run_requests import typed_keys
from graders.web.session import scope_of
from graders.web.worker import supervisor
from graders.workflows.rubrics import wording
from graders.workflows.workshop import workshop

router = APIRouter()


@router.get("/api/workshop")
def tries(request: Request, project: str, judge: str = "") -> workshop.Workshop:
    """The tries of a judge with figures before and after."""
    return workshop.workshop(scope_of(request), project, judge)


@router.post("/api/workshop/plan")
def plan(request: Request, body: dict[str, Any]) -> workshop.TryPlan:
    """What a try costs: {project, judge, change, options, number}; nothing is sent anywhere."""
    return workshop.plan(scope_of(request), *_asked(body))


@router.post("/api/workshop/start")
def start(request: Request, body: dict[str, Any]) -> workshop.StartedTry:
    """Begin a try, or ask again what is missing: {project, judge, change, options, number, key};
    returns {run, plan, number}."""
    scope, keys = scope_of(request), typed_keys(body.get("keys"), body.get("key"))
    project, judge, change, options, number = _asked(body)
    options |= {"needs_key": bool(keys), "keyed": [name for name in keys if name]}
    found = workshop.start(scope, project, judge, change, options, number)
    supervisor(request.app).start(scope.ws, found.run, keys)
    return found


@router.post("/api/workshop/end")
def end(request: Request, body: dict[str, Any]) -> workshop.Ended:
    """Keep or drop a try: {project, judge, number, state}, the state being kept or dropped."""
    project, judge, _, _, number = _asked(body)
    if body.get("state") not in ("kept", "dropped"):
        raise InputError(**error_parts("web.try.state", value=repr(body.get("state"))[:40]))
    done = workshop.keep if body["state"] == "kept" else workshop.drop
    return done(scope_of(request), project, judge, number)


@router.get("/api/workshop/wording")
def unclear(request: Request, project: str) -> list[wording.UnclearCriterion]:
    """Where people say that the rubric is unclear, and the sentences that were drafted for it."""
    return wording.unclear(scope_of(request), project)


@router.post("/api/workshop/wording")
def draft(request: Request, body: dict[str, Any]) -> wording.NewSentence:
    """Let a judge draft a sentence: {project, criterion, judge}; it changes nothing."""
    return wording.draft(
        scope_of(request),
        *(str(body.get(name) or "") for name in ("project", "criterion", "judge")),
    )


def _asked(body: Mapping[str, Any]) -> tuple[str, str, dict[str, Any], dict[str, Any], int]:
    change, options, number = (
        body.get("change") or {},
        body.get("options") or {},
        body.get("number") or 0,
    )
    fields = change.get("fields") if isinstance(change, dict) else ""
    plain = (
        isinstance(change, dict)
        and isinstance(options, dict)
        and isinstance(number, int)
        and not isinstance(number, bool)
    )
    if not plain or not (fields is None or isinstance(fields, dict)):
        raise InputError(**error_parts("web.try.fields"))
    known = {
        name: options[name]
        for name in ("budget_money", "budget_calls", "base_url")
        if options.get(name) not in (None, "")
    }
    return str(body.get("project") or ""), str(body.get("judge") or ""), change, known, number
