"""Collecting answers from a page: a run that a worker works on, to be paused, stopped and resumed
like one that grades."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graders.core.errors import CogradeError, InputError, NotAllowed
from graders.core.run_state import RunState, Wish
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts, say
from graders.providers.http.addresses import check_typed
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.workspace import Workspace
from graders.workflows.calling.asking import Source
from graders.workflows.calling.key_routes import is_owners, refuse_variables
from graders.workflows.calling.run_options import NO_KEY, Keys, Options
from graders.workflows.collecting import collect
from graders.workflows.collecting.collect import Budget, Collected, CollectPlan, Heard, Order
from graders.workflows.scope.header_lines import TYPED, headers_of, names_variable
from graders.workflows.scope.permissions import Actor, Scope, needs
from graders.workflows.scope.phrases import several

#: What a page may say, beside the models: name -> kind.
_NUMBERS: Mapping[str, type] = {
    "temperature": float,
    "max_output_tokens": int,
    "budget_money": float,
    "budget_calls": int,
    "concurrency": int,
}


@dataclass(frozen=True, slots=True)
class Started:
    """The number of a run that was queued, and the plan that was agreed to."""

    run: int
    plan: CollectPlan


@needs("run")
def plan(
    scope: Scope, project_name: str, wanted: Mapping[str, Any], keyed: Sequence[str] = ()
) -> CollectPlan:
    """Calls, tokens, money and time of asking models all questions of a project, before anything is
    sent.

    `keyed` says for which providers keys were typed, so that none is said to be lacking.
    """
    return collect.plan(scope, project_name, order_of(wanted, dict.fromkeys(keyed, "typed")))


@needs("run")
def start(
    scope: Scope, project_name: str, wanted: Mapping[str, Any], keyed: Sequence[str] = ()
) -> Started:
    """Queue a run that collects; `keyed` says for which providers keys were typed. The caller also
    starts a worker."""
    project = scope.project(project_name)
    typed = dict.fromkeys(keyed, "typed")
    if scope.actor.own_key_only and any(
        names_variable(str(text)) for text in dict(wanted.get("headers") or {}).values()
    ):
        raise NotAllowed(**error_parts("collecting.header_variable"))
    if scope.actor.own_key_only and not all(
        typed.get(kind) or typed.get("") for kind in _kinds(wanted)
    ):
        raise NotAllowed(**error_parts("collecting.need_key"))
    agreed = collect.plan(scope, project_name, order_of(wanted, typed))
    lacking = [f"model {model.name}: {model.lacking}" for model in agreed.models if model.lacking]
    if lacking:
        raise InputError(**error_parts("collecting.model_lacks", lacking=lacking[0]))
    run_store.need_none_at_work(scope.ws, project)
    settings = {**Options().to_json(), "asks": True, "collect": dict(wanted), "keyed": list(keyed)}
    settings["needs_key"] = any(not name.startswith(TYPED) for name in keyed)
    settings["judges"] = [model.name for model in agreed.models]
    run = run_store.add_only_run(
        scope.ws, project, settings, _as_run_plan(agreed), scope.actor.person_id
    )
    return Started(run, agreed)


def execute(ws: Workspace, run_id: int, keys: Keys) -> RunState:
    """Work on a run that collects until it is done, paused or stopped; returns its state. What is
    in the ledger is not asked again."""
    row = run_store.get_run(ws, run_id)
    wanted, names = row.settings["collect"], row.settings["judges"]
    if any(not keys.get(name) for name in row.settings.get("keyed") or ()):
        message = say("collecting.run.key_gone")
        run_store.end(ws, run_id, RunState.WAITING_FOR_KEY, message, row.progress)
        return RunState.WAITING_FOR_KEY
    if not run_store.claim(ws, run_id):
        return run_store.get_run(ws, run_id).state
    project = projects.get_project(ws, row.project)
    counted = _Counted(names, {model["name"]: model["calls"] for model in row.plan["judges"]})
    try:
        order = order_of(wanted, keys)
        collected = collect.collect(
            Scope(Actor(), ws),
            project.name,
            order,
            counted.heard,
            run_id=run_id,
            progress=counted.to_json,
        )
        state, message = _ended(collected)
    except CogradeError as error:
        state, message = RunState.FAILED, str(error)
    run_store.end(ws, run_id, state, message, counted.to_json(state))
    return state


def order_of(wanted: Mapping[str, Any], keys: Keys) -> Order:
    """What a page wants as an order. InputError or UsageError names what is off."""
    models = [str(model).strip() for model in wanted.get("models") or () if str(model).strip()]
    if not models:
        raise InputError(**error_parts("collecting.no_model"))
    numbers = {
        name: _number(name, kind, wanted[name])
        for name, kind in _NUMBERS.items()
        if wanted.get(name) not in (None, "")
    }
    limits = collect.concurrency_of(
        [str(numbers["concurrency"])] if "concurrency" in numbers else ()
    )
    sources = [
        _reached(collect.source_of(words, limits), _kind(words), wanted, keys) for words in models
    ]
    return Order(
        sources=collect.all_different(sources),
        system=str(wanted.get("system") or ""),
        settings={
            name: numbers[name] for name in ("temperature", "max_output_tokens") if name in numbers
        },
        limit=Budget(numbers.get("budget_money"), numbers.get("budget_calls")),
        missing=bool(wanted.get("missing")),
    )


def _kind(words: str) -> str:
    """``openai`` of ``[NAME=]openai:MODEL``."""
    return words.partition(":")[0].rpartition("=")[2].strip()


def _kinds(wanted: Mapping[str, Any]) -> set[str]:
    return {_kind(str(model)) for model in wanted.get("models") or ()}


def _reached(source: Source, kind: str, wanted: Mapping[str, Any], keys: Keys) -> Source:
    """The source at the address and with the key that were typed for its provider."""
    addresses = wanted.get("base_urls") or {}
    if not isinstance(addresses, Mapping):
        raise InputError(**error_parts("collecting.addresses", found=repr(addresses)[:60]))
    address = source.options.get("base_url") or addresses.get(kind) or wanted.get("base_url") or ""
    check_typed(address)
    strange = not is_owners(source.provider, address)
    typed = keys.get(kind) or keys.get("")
    lines: Mapping[str, str] = wanted.get("headers") or {}
    if strange and any(names_variable(str(lines.get(name, ""))) for name in ("", kind)):
        raise refuse_variables(f"model {source.name}, headers", address)
    headers = headers_of(f"model {source.name}", ["", kind], lines, keys)
    key = typed or (NO_KEY if strange else source.options.get("api_key", ""))
    options = {"base_url": address, "api_key": key, "headers": headers}
    return replace(
        source,
        options={**source.options, **{name: value for name, value in options.items() if value}},
        key_from="typed" if typed else "",
        strange=strange,
    )


def _number(name: str, kind: type, value: Any) -> Any:
    try:
        made = kind(value)
        if (
            isinstance(value, bool)
            or made < 0
            or (name in ("concurrency", "max_output_tokens") and made == 0)
        ):
            raise ValueError
    except (TypeError, ValueError):
        raise InputError(
            **error_parts("collecting.number", name=name, found=repr(value)[:60])
        ) from None
    return made


def _as_run_plan(agreed: CollectPlan) -> JSON:
    """The plan as the page of a run shows one: models in the place of judges."""
    models = [
        {
            **as_dict(model),
            "author": model.name,
            "done": 0,
            "calls": model.calls + model.known,
            "notes": [],
        }
        for model in agreed.models
    ]
    return {
        "money": agreed.money,
        "seconds": agreed.seconds,
        "budget_money": agreed.budget_money,
        "budget_calls": agreed.budget_calls,
        "judges": models,
        "subjects": 0,
        "measure_seconds": 0.0,
        "concurrency": max((model.concurrency for model in agreed.models), default=1),
    }


def _ended(collected: Collected) -> tuple[RunState, str]:
    """The state and the last words of a run from what `collect` returned."""
    came = collected.imported
    left = sum(sum(model.failed.values()) for model in collected.models)
    words = say("collecting.run.came", answers=several(came.answers if came else 0, "answer"))
    if left:
        words = say("collecting.run.left", came=words, questions=several(left, "question"))
    errors = [model.error for model in collected.models if model.error]
    if errors:
        return RunState.FAILED, " ".join([words, *errors])
    if collected.stopped == "wish":
        return (RunState.PAUSED if collected.wanted == Wish.PAUSE else RunState.STOPPED), words
    if collected.stopped == "budget":
        return RunState.STOPPED, say("collecting.run.at_budget", words=words)
    return RunState.DONE, words


@dataclass(slots=True)
class _ModelCounts:
    """The counts of a model, under the names that the page of a run reads of judges."""

    name: str
    total: int
    done: int = 0
    known: int = 0
    calls: int = 0
    waits: int = 0
    repaired: int = 0
    quotes_missing: int = 0
    without_verdict: int = 0
    unpriced: int = 0
    seconds: float | None = None
    money: float = 0.0
    resends: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)


class _Counted:
    """Counts of a run that collects, as the page of a run reads them."""

    def __init__(self, names: Sequence[str], totals: Mapping[str, int]) -> None:
        self.models = {name: _ModelCounts(name, totals.get(name, 0)) for name in names}
        self.begun = time.monotonic()

    def heard(self, heard: Heard) -> None:
        """One question is through with one model."""
        model = self.models[heard.model]
        model.done += 1
        model.known += heard.known
        model.without_verdict += bool(heard.cause)
        if heard.cause:
            model.reasons[heard.cause] = model.reasons.get(heard.cause, 0) + 1
        elif not heard.known:
            model.calls += 1
            model.unpriced += heard.money is None
            model.money += heard.money or 0.0

    def to_json(self, state: str = "working") -> JSON:
        """As the run's row keeps them."""
        models = list(self.models.values())
        done, total = sum(model.done for model in models), sum(model.total for model in models)
        took = time.monotonic() - self.begun
        rate = done / took if done and took > 0.5 else None
        asked = {
            "name": "collect",
            "title": say("collecting.stage"),
            "detail": several(len(models), "model"),
            "state": "waiting" if state == RunState.PAUSED else state,
            "done": done,
            "total": total,
            "rate": rate,
            "left_seconds": (total - done) / rate if rate and state == "working" else None,
            "took_seconds": took,
        }
        money, unpriced = sum(model.money for model in models), sum(m.unpriced for m in models)
        return {
            "stages": [asked],
            "judges": [as_dict(model) for model in models],
            "money": None if unpriced and not money else money,
            "unpriced": unpriced,
            "calls": sum(model.calls for model in models),
            "without_verdict": 0,
            "reasons": {},
            "problems": [],
        }
