"""What pages and programs ask of runs: options that may be told, and typed keys, which go to the
worker over a pipe and are part of no option, row, log or address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.errors import InputError
from graders.core.run_state import Wish
from graders.core.words import error_parts
from graders.web.worker import Supervisor
from graders.workflows.collecting import collect, collect_run
from graders.workflows.runs import run_control, run_plan, runs, shown_run, try_judge
from graders.workflows.scope.header_lines import TYPED, without_secrets
from graders.workflows.scope.permissions import Scope

#: What may be told of a run. Names of models and other inner options are the installation's
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


def plan(scope: Scope, project: str, given: Any, keyed: Any) -> run_plan.RunPlan:
    """What a run would cost; nothing is sent anywhere. `keyed` names the providers whose keys are
    typed, "" for one key for all: the keys themselves stay on the page until the start."""
    return runs.plan(scope, project, before(given, keyed))


def start(
    scope: Scope, supervisor: Supervisor, project: str, given: Any, keys: dict[str, str]
) -> tuple[runs.Started, Mapping[str, str]]:
    """Start a run; returns it with those of the options' headers that are kept."""
    options, keys = _with_keys(given, keys)
    found = runs.start(scope, project, options, scope.actor.person_id)
    supervisor.start(scope.ws, found.run, keys)
    return found, options["headers"]


def plan_try(
    scope: Scope, project: str, judge: str, subject: int, given: Any, keyed: Any
) -> run_plan.RunPlan:
    """What asking a judge about one answer would cost, as `plan`."""
    return try_judge.plan_try(scope, project, judge, subject, before(given, keyed))


def start_try(
    scope: Scope,
    supervisor: Supervisor,
    project: str,
    judge: str,
    subject: int,
    given: Any,
    keys: dict[str, str],
) -> runs.Started:
    """Ask a judge about one answer, as `start`."""
    options, keys = _with_keys(given, keys)
    found = try_judge.start_try(scope, project, judge, subject, options)
    supervisor.start(scope.ws, found.run, keys)
    return found


def collect_plan(scope: Scope, project: str, given: Any, keyed: Any) -> collect.CollectPlan:
    """What asking models all questions would cost; nothing is sent anywhere."""
    return collect_run.plan(scope, project, _apart(_collected(given))[0], _keyed(keyed))


def collect_start(
    scope: Scope, supervisor: Supervisor, project: str, given: Any, keys: dict[str, str]
) -> tuple[collect_run.Started, Mapping[str, str]]:
    """Start to collect answers; returns what began with those of the headers that are kept."""
    wanted, secret = _apart(_collected(given))
    keys = keys | secret
    found = collect_run.start(scope, project, wanted, list(keys))
    supervisor.start(scope.ws, found.run, keys)
    return found, wanted["headers"]


def wish(
    scope: Scope,
    supervisor: Supervisor,
    project: str,
    run: Any,
    want: str,
    keys: dict[str, str],
    renewed: Any = None,
) -> None:
    """Pause, stop or resume the latest run, which `run` names; `renewed` are other limits for one
    that goes on, such as {"budget_calls": 50}."""
    latest = shown_run.status(scope, project)
    if latest is None or str(latest.id) != str(run):
        raise InputError(**error_parts("web.run.not_latest", value=str(run)[:20]))
    if want == Wish.RUN:
        run_control.resume(scope, project, latest.id, _renewed(renewed))
        supervisor.start(scope.ws, latest.id, keys)
    elif want == Wish.STOP and shown_run.phase(latest) in shown_run.RESTS:
        run_control.rest(scope, project, want)
    else:
        runs.wish(scope, project, latest.id, want)


def _with_keys(given: Any, keys: dict[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The options of a run that starts, and all that is typed for it and kept nowhere."""
    options, secret = _apart(_options(given))
    keys = keys | secret
    options |= {
        "needs_key": any(not name.startswith(TYPED) for name in keys),
        "keyed": [name for name in keys if name],
    }
    return options, keys


def before(given: Any, keyed: Any) -> dict[str, Any]:
    """The options of a run that is not started: its keys are still on the page, and only what they
    are for is known."""
    options, secret = _apart(_options(given))
    names = [*_keyed(keyed), *secret]
    return {
        **options,
        "needs_key": any(not name.startswith(TYPED) for name in names),
        "keyed": [name for name in names if name],
    }


def typed_keys(given: Mapping[str, Any]) -> dict[str, str]:
    """The keys that were typed, by what they are for; "" is the one for all."""
    return {name: key for name, typed in given.items() if (key := _key(typed))}


def _key(typed: Any) -> str:
    key = typed or ""
    if not isinstance(key, str) or len(key) > 1_000 or not key.isprintable():
        raise InputError(**error_parts("web.run.key"))
    return key.strip()


def _options(given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise InputError(**error_parts("web.run.options"))
    for name in ("judges", "metrics"):
        values = given.get(name) or []
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise InputError(**error_parts(f"web.run.{name}", value=repr(values)[:60]))
    return {name: given[name] for name in OPTIONS if given.get(name) not in (None, "")}


def _collected(given: Any) -> dict[str, Any]:
    if not isinstance(given, dict) or not isinstance(given.get("models"), list):
        raise InputError(**error_parts("web.run.models"))
    return {name: given[name] for name in COLLECTED if given.get(name) not in (None, "")}


def _keyed(keyed: Any) -> Sequence[str]:
    """What keys were typed for; "" is the one for all."""
    return [str(name) for name in keyed] if isinstance(keyed, list) else []


def _apart(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Options whose headers may be kept, and the others' values among the keys: see
    `header_lines.without_secrets`."""
    lines = options.get("headers") or {}
    if not isinstance(lines, dict) or not all(isinstance(text, str) for text in lines.values()):
        raise InputError(**error_parts("web.run.headers", value=repr(type(lines).__name__)))
    kept, secret = without_secrets(lines)
    return {**options, "headers": kept}, secret


def _renewed(given: Any) -> dict[str, Any]:
    given = given or {}
    if not isinstance(given, dict):
        raise InputError(**error_parts("web.run.limits", value=repr(given)[:60]))
    return {str(name): given[name] for name in given if given[name] != ""}
