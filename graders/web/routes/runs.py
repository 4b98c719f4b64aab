"""JSON routes of runs."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.shapes import as_dict
from graders.web import run_requests
from graders.web.run_requests import typed_keys
from graders.web.session import scope_of
from graders.web.worker import supervisor
from graders.workflows.collecting import collect
from graders.workflows.measuring import text_scores
from graders.workflows.runs import run_plan
from graders.workflows.runs.run_page import RunPage, run_page

router = APIRouter()


@router.get("/api/run")
def status(request: Request, project: str, run: int | None = None) -> RunPage:
    """The latest run of a project, or the one of that number, with its heading and phase."""
    return run_page(scope_of(request), project, run)


@router.get("/api/run/scores")
def scores(request: Request, project: str) -> list[text_scores.ScoreChoice]:
    """The text scores that a run may compute, and which of them the project has."""
    return text_scores.choices(scope_of(request), project)


@router.post("/api/run/plan")
def plan(request: Request, body: dict[str, Any]) -> run_plan.RunPlan:
    """What a run would cost: {project, options, keyed}; nothing is sent anywhere."""
    return run_requests.plan(
        scope_of(request), _project(body), body.get("options"), body.get("keyed")
    )


@router.post("/api/run/start")
def start(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Start a run: {project, options, key} or, with judges of several providers, {project, options,
    keys}; returns {run, plan, headers}: of the options' headers those that are kept."""
    keys = typed_keys(body.get("keys"), body.get("key"))
    found, headers = run_requests.start(
        scope_of(request), supervisor(request.app), _project(body), body.get("options"), keys
    )
    return {**as_dict(found), "headers": headers}


@router.post("/api/collect/plan")
def collect_plan(request: Request, body: dict[str, Any]) -> collect.CollectPlan:
    """What asking models all questions would cost: {project, options, keyed}; nothing is sent
    anywhere."""
    return run_requests.collect_plan(
        scope_of(request), _project(body), body.get("options"), body.get("keyed")
    )


@router.post("/api/collect/start")
def collect_start(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Start to collect answers: {project, options, keys}; returns {run, plan, headers}."""
    keys = typed_keys(body.get("keys"), body.get("key"))
    found, headers = run_requests.collect_start(
        scope_of(request), supervisor(request.app), _project(body), body.get("options"), keys
    )
    return {**as_dict(found), "headers": headers}


@router.post("/api/run/wish")
def wish(request: Request, body: dict[str, Any]) -> RunPage:
    """Pause, stop or resume: {project, run, want, key or keys, renewed}; returns the page of the
    run."""
    scope, project = scope_of(request), _project(body)
    run_requests.wish(
        scope,
        supervisor(request.app),
        project,
        body.get("run"),
        str(body.get("want") or ""),
        typed_keys(body.get("keys"), body.get("key")),
        body.get("renewed"),
    )
    return run_page(scope, project)


def _project(body: dict[str, Any]) -> str:
    return str(body.get("project") or "")
