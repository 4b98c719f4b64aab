"""JSON routes of the Judges page."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.web.run_requests import typed_keys
from graders.web.session import scope_of
from graders.web.worker import supervisor
from graders.workflows.runs import corrections as corrected
from graders.workflows.runs import judges, runs, try_judge

router = APIRouter()


@router.get("/api/judges")
def judge_list(request: Request, project: str) -> judges.JudgeList:
    """The judges of a project, set up or heard, and what the learned judge learned."""
    return judges.judge_list(scope_of(request), project)


@router.get("/api/judges/figures")
def figures(request: Request, project: str) -> list[judges.JudgeFigures]:
    """Cost and unreadable replies by judge and criterion."""
    return judges.figures(scope_of(request), project)


@router.get("/api/judges/answers")
def answers(request: Request, project: str) -> list[try_judge.OfferedAnswer]:
    """Answers to try a judge on."""
    return try_judge.offered(scope_of(request), project)


@router.post("/api/judges/set")
def set_up(request: Request, body: dict[str, Any]) -> judges.KeptJudge:
    """Set a judge up: {project, name, judge, fields}."""
    fields = body.get("fields") or {}
    if not isinstance(fields, dict):
        raise InputError(**error_parts("web.judge_fields"))
    return judges.set_up(
        scope_of(request), _text(body, "project"), _text(body, "name"), _text(body, "judge"), fields
    )


@router.post("/api/judges/remove")
def remove(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Forget how a judge was set up: {project, name}."""
    judges.take_down(scope_of(request), _text(body, "project"), _text(body, "name"))
    return {"ok": True}


@router.get("/api/judges/tried")
def tried(
    request: Request, project: str, judge: str, subject: int, base_url: str = "", panel: str = ""
) -> try_judge.TriedAnswer:
    """The prompts of a judge, or of several, for one answer, with raw replies and verdicts where
    they were asked. Nothing is sent."""
    return try_judge.tried(
        scope_of(request), project, judge, subject, {"base_url": base_url}, panel
    )


@router.post("/api/judges/try")
def start_try(request: Request, body: dict[str, Any]) -> runs.Started:
    """Ask a judge about one answer: {project, judge, subject, base_url, key}; returns {run,
    plan}."""
    scope, keys = scope_of(request), typed_keys(body.get("keys"), body.get("key"))
    more = {
        "base_url": _text(body, "base_url"),
        "needs_key": bool(keys),
        "keyed": [name for name in keys if name],
    }
    subject = body.get("subject")
    if not isinstance(subject, int):
        raise InputError(**error_parts("web.answer", value=repr(subject)[:40]))
    found = try_judge.start_try(scope, _text(body, "project"), _text(body, "judge"), subject, more)
    supervisor(request.app).start(scope.ws, found.run, keys)
    return found


@router.get("/api/judges/corrections")
def corrections(request: Request, project: str, judge: str) -> corrected.Corrections:
    """Where people decided otherwise than a judge."""
    return corrected.corrections(scope_of(request), project, judge)


@router.post("/api/judges/examples")
def examples(request: Request, body: dict[str, Any]) -> corrected.Picked:
    """Give a judge corrections as its examples: {project, judge, cells}."""
    cells = body.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, int) for cell in cells):
        raise InputError(**error_parts("web.examples", value=repr(cells)[:60]))
    return corrected.pick(scope_of(request), _text(body, "project"), _text(body, "judge"), cells)


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


@router.post("/api/judges/learn")
def learn(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Let the learned judge learn now, in a process of its own: {project}."""
    scope, project = scope_of(request), _text(body, "project")
    judges.may_learn(scope, project)
    supervisor(request.app).learn(scope.ws, project, now=True)
    return {"ok": True}


@router.post("/api/judges/forget")
def forget(request: Request, body: dict[str, Any]) -> judges.Forgotten:
    """Delete recorded requests and replies: {project, model}."""
    return judges.forget(scope_of(request), _text(body, "project"), _text(body, "model"))


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name) or ""
    if not isinstance(value, str):
        raise InputError(**error_parts("web.text", name=name, value=repr(value)[:60]))
    return value
