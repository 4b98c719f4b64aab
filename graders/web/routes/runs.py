"""JSON routes of runs. A typed key, in a header too, goes to the worker over a pipe; it is part of
no option, row, log or address."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.run_state import Wish
from graders.core.shapes import as_dict
from graders.core.words import error_parts
from graders.web.session import scope_of
from graders.web.worker import supervisor
from graders.workflows.collecting import collect, collect_run
from graders.workflows.measuring import text_scores as measuring_text_scores
from graders.workflows.runs import run_control, run_plan, runs, shown_run, tryout
from graders.workflows.runs.run_page import RunPage, run_page
from graders.workflows.scope.header_lines import TYPED, without_secrets

router = APIRouter()

#: What a page may say about a run. Names of models and other inner options are the installation's
#: business.
OPTIONS = (
    "judges",
    "concurrency",
    "budget_money",
    "budget_calls",
    "timeout",
    "base_url",
    "input_price",
    "output_price",
    "tries",
    "panel",
    "metrics",
    "base_urls",
    "faults",
    "anchors",
    "batch",
    "split",
    "headers",
)
#: The same of a collection.
COLLECTED = (
    "models",
    "system",
    "temperature",
    "max_output_tokens",
    "concurrency",
    "budget_money",
    "budget_calls",
    "missing",
    "base_url",
    "base_urls",
    "headers",
)


@router.get("/api/run")
def status(request: Request, project: str, run: int | None = None) -> RunPage:
    """The latest run of a project, or the one of that number, with its heading and phase."""
    return run_page(scope_of(request), project, run)


@router.get("/api/run/scores")
def text_scores(request: Request, project: str) -> list[measuring_text_scores.ScoreChoice]:
    """The text scores that a run may compute, and which of them the project has."""
    return measuring_text_scores.choices(scope_of(request), project)


@router.get("/api/run/tried")
def tried(request: Request, project: str, run: int | None = None) -> tryout.Tryout:
    """What came back from the answers that judges were tried on."""
    return tryout.tried(scope_of(request), project, run)


@router.post("/api/run/plan")
def plan(request: Request, body: dict[str, Any]) -> run_plan.RunPlan:
    """What a run would cost: {project, options, keyed}; nothing is sent anywhere. `keyed` is as
    `collect_plan` has it."""
    return runs.plan(scope_of(request), str(body.get("project") or ""), _before(body))


@router.post("/api/run/check")
def checked(request: Request, body: dict[str, Any]) -> list[run_plan.Noted]:
    """What is odd about the judges that are named, or missing: {project, options, keyed}."""
    return run_plan.check(scope_of(request), str(body.get("project") or ""), _before(body))


@router.post("/api/run/start")
def start(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Start a run: {project, options, key} or, with judges of several providers, {project, options,
    keys}; returns {run, plan, headers}: of the options' headers those that are kept."""
    scope = scope_of(request)
    keys = typed_keys(body)
    options, secret = _apart(_options(body))
    keys |= secret
    options |= {
        "needs_key": any(not name.startswith(TYPED) for name in keys),
        "keyed": [name for name in keys if name],
    }
    found = runs.start(scope, str(body.get("project") or ""), options, scope.actor.person_id)
    supervisor(request.app).start(scope.ws, found.run, keys)
    return {**as_dict(found), "headers": options["headers"]}


@router.post("/api/collect/plan")
def collect_plan(request: Request, body: dict[str, Any]) -> collect.CollectPlan:
    """What asking models all questions would cost: {project, options, keyed}; nothing is sent
    anywhere.

    `keyed` names the providers whose keys are typed; the keys themselves stay on the page until the
    start.
    """
    return collect_run.plan(
        scope_of(request), str(body.get("project") or ""), _apart(_collected(body))[0], _keyed(body)
    )


@router.post("/api/collect/start")
def collect_start(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Start to collect answers: {project, options, keys}; returns {run, plan, headers}."""
    scope, keys = scope_of(request), typed_keys(body)
    wanted, secret = _apart(_collected(body))
    keys |= secret
    found = collect_run.start(scope, str(body.get("project") or ""), wanted, list(keys))
    supervisor(request.app).start(scope.ws, found.run, keys)
    return {**as_dict(found), "headers": wanted["headers"]}


@router.post("/api/run/wish")
def wish(request: Request, body: dict[str, Any]) -> RunPage:
    """Pause, stop or resume: {project, run, want, key or keys, renewed}; returns the page of the
    run.

    `renewed` are other limits for a run that goes on, such as {"budget_calls": 50}.
    """
    scope, project, want = (
        scope_of(request),
        str(body.get("project") or ""),
        str(body.get("want") or ""),
    )
    latest = shown_run.status(scope, project)
    if latest is None or str(latest.id) != str(body.get("run")):
        raise InputError(**error_parts("web.run.not_latest", value=str(body.get("run"))[:20]))
    if want == Wish.RUN:
        run_control.resume(scope, project, latest.id, _renewed(body))
        supervisor(request.app).start(scope.ws, latest.id, typed_keys(body))
    elif want == Wish.STOP and shown_run.phase(latest) in shown_run.RESTS:
        run_control.rest(scope, project, want)
    else:
        runs.wish(scope, project, latest.id, want)
    return run_page(scope, project)


def _options(body: dict[str, Any]) -> dict[str, Any]:
    given = body.get("options")
    if not isinstance(given, dict):
        raise InputError(**error_parts("web.run.options"))
    judges = given.get("judges") or []
    if not isinstance(judges, list) or not all(isinstance(judge, str) for judge in judges):
        raise InputError(**error_parts("web.run.judges", value=repr(judges)[:60]))
    metrics = given.get("metrics") or []
    if not isinstance(metrics, list) or not all(isinstance(metric, str) for metric in metrics):
        raise InputError(**error_parts("web.run.metrics", value=repr(metrics)[:60]))
    return {name: given[name] for name in OPTIONS if given.get(name) not in (None, "")}


def _keyed(body: dict[str, Any]) -> list[str]:
    """What keys were typed for; "" is the one for all."""
    keyed = body.get("keyed")
    return [str(name) for name in keyed] if isinstance(keyed, list) else []


def _before(body: dict[str, Any]) -> dict[str, Any]:
    """The options of a run that is not started: its keys are still on the page, and only what they
    are for is known."""
    options, secret = _apart(_options(body))
    names = [*_keyed(body), *secret]
    return {
        **options,
        "needs_key": any(not name.startswith(TYPED) for name in names),
        "keyed": [name for name in names if name],
    }


def _apart(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Options whose headers may be kept, and the others' values among the keys: see
    `header_lines.without_secrets`."""
    lines = options.get("headers") or {}
    if not isinstance(lines, dict) or not all(isinstance(text, str) for text in lines.values()):
        raise InputError(**error_parts("web.run.headers", value=repr(type(lines).__name__)))
    kept, secret = without_secrets(lines)
    return {**options, "headers": kept}, secret


def _renewed(body: dict[str, Any]) -> dict[str, Any]:
    given = body.get("renewed") or {}
    if not isinstance(given, dict):
        raise InputError(**error_parts("web.run.limits", value=repr(given)[:60]))
    return {str(name): given[name] for name in given if given[name] != ""}


def _collected(body: dict[str, Any]) -> dict[str, Any]:
    given = body.get("options")
    if not isinstance(given, dict) or not isinstance(given.get("models"), list):
        raise InputError(**error_parts("web.run.models"))
    return {name: given[name] for name in COLLECTED if given.get(name) not in (None, "")}


def typed_keys(body: dict[str, Any]) -> dict[str, str]:
    """The keys that were typed, by what they are for; `key` is the one for all."""
    given = body.get("keys") or {}
    keys = {"": body.get("key"), **given} if isinstance(given, dict) else {"": given}
    return {str(name): key for name, typed in keys.items() if (key := _key(typed))}


def _key(typed: Any) -> str:
    key = typed or ""
    if not isinstance(key, str) or len(key) > 1_000 or not key.isprintable():
        raise InputError(**error_parts("web.run.key"))
    return key.strip()
