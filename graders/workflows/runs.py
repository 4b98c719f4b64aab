"""Runs: a plan before any money, then start, pause, stop, resume; the work itself is done by `execute` in a worker process."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graders.core.errors import CogradeError, InputError, NotAllowed
from graders.store import cells as cell_store
from graders.store import content, ledger, projects
from graders.store import runs as run_store
from graders.store.ledger import SqlLedger
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows import judging, measure
from graders.workflows.call import Budget, CallReport, Outcome, call_all
from graders.workflows.cells import FAULTS
from graders.workflows.judging import JudgeSetup
from graders.workflows.permissions import Actor, Scope, needs
from graders.workflows.progress import Progress
from graders.workflows.route import route

#: Assumed before a model has answered: seconds of a call, tokens of a reply per criterion.
ASSUMED_SECONDS, ASSUMED_TOKENS = 3.0, 90
#: Characters of a prompt per token, about.
CHARACTERS_PER_TOKEN = 4
#: Texts measured in a second, about, before this workspace has measured any.
ASSUMED_RATE = 40.0


@dataclass(frozen=True)
class Options:
    """What a run may be told. `key` is never part of it."""

    judges: tuple[str, ...] = ()
    concurrency: int = 64
    budget_money: float | None = None
    budget_calls: int | None = None
    timeout: float = 120.0
    base_url: str = ""
    input_price: float | None = None
    output_price: float | None = None
    judge_options: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    limit: int | None = None
    needs_key: bool = False

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Options:
        """From plain data; InputError names what is off."""
        known = {k: v for k, v in found.items() if k in cls.__dataclass_fields__ and v is not None and v != ""}
        known["judges"] = tuple(str(j).strip() for j in known.get("judges") or () if str(j).strip())
        for name, kind in (("concurrency", int), ("budget_money", float), ("budget_calls", int), ("timeout", float)):
            if name in known:
                try:
                    known[name] = kind(known[name])
                except (TypeError, ValueError):
                    raise InputError(f"option {name}", found=repr(known[name]), expected="a number") from None
                if known[name] < 0 or (known[name] == 0 and name in ("concurrency", "timeout")):
                    raise InputError(f"option {name}", found=repr(known[name]), expected="a number above zero")
        return cls(**known)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            **{k: getattr(self, k) for k in self.__dataclass_fields__},
            "judges": list(self.judges),
            "judge_options": dict(self.judge_options),
            "models": dict(self.models),
        }

    def setups(self, ws: Workspace, key: str = "") -> list[JudgeSetup]:
        """The judges, ready to be asked."""
        options = {
            "base_url": self.base_url,
            "connections": self.concurrency,
            "api_key": key,
            "input_price": self.input_price,
            "output_price": self.output_price,
        }
        return [
            judging.make_judge(name, secret=ws.secret(), options=dict(self.judge_options), provider_options=options) for name in self.judges
        ]


@needs("run")
def plan(scope: Scope, project_name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Cells, calls, tokens, money and time of a run before anything is sent; what is known already is counted apart."""
    project = scope.project(project_name)
    chosen = Options.of(options)
    ws = scope.ws
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    subjects = content.subject_ids(ws.db, project)
    rules, metrics, problems = measure.graders_of(criteria)
    judges = [_judge_plan(ws, project, setup, chosen) for setup in chosen.setups(ws)]
    measuring = len(subjects) / ASSUMED_RATE if metrics else len(subjects) / 2_000
    money = None if any(j["money"] is None and j["calls"] > j["known"] for j in judges) else sum(j["money"] or 0.0 for j in judges)
    return {
        "cells": len(subjects) * sum(len(c.criterion.parts) or 1 for c in criteria),
        "subjects": len(subjects),
        "rules": sorted({name for pairs in rules.values() for name, _ in pairs}),
        "metrics": sorted(metrics),
        "judges": judges,
        "problems": problems,
        "measure_seconds": measuring,
        "seconds": measuring + sum(j["seconds"] for j in judges),
        "money": money,
        "concurrency": chosen.concurrency,
        "budget_money": chosen.budget_money,
        "budget_calls": chosen.budget_calls,
    }


def _judge_plan(ws: Workspace, project: Project, setup: JudgeSetup, options: Options) -> dict[str, Any]:
    found = list(judging.tasks(ws, project, setup))
    known = judging.count_known(ws, setup, found)
    left = max(0, len(found) - known)
    past = ledger.past_calls(ws.db, project, setup.judge.model)
    characters = sum(len(text) for t in found for _, text in t.request.messages) + sum(len(str(t.request.schema)) for t in found[:1]) * len(
        found
    )
    input_tokens = past["input_tokens"] * left if past else characters / CHARACTERS_PER_TOKEN * left / max(1, len(found))
    output_tokens = (
        past["output_tokens"] * left if past else sum(len(t.request.criteria) for t in found) * ASSUMED_TOKENS * left / max(1, len(found))
    )
    seconds = math.ceil(left / options.concurrency) * (past["seconds"] if past else ASSUMED_SECONDS)
    money = setup.provider.price(setup.judge.model, round(input_tokens), 0, round(output_tokens))
    return {
        "name": setup.name,
        "author": setup.author,
        "calls": len(found),
        "known": known,
        "input_tokens": round(input_tokens),
        "output_tokens": round(output_tokens),
        "money": money,
        "seconds": seconds,
        "measured": past is not None,
    }


@needs("run")
def start(scope: Scope, project_name: str, options: Mapping[str, Any], started_by: str = "") -> dict[str, Any]:
    """Queue a run with the plan that was agreed to. Whoever starts it also starts a worker."""
    project = scope.project(project_name)
    chosen = Options.of(options)
    if scope.actor.own_key_only and chosen.judges and not chosen.needs_key:
        raise NotAllowed(
            "run with a judge",
            found="no key",
            expected="a key of your own",
            remedy="Type your key; it is used for this run and kept nowhere.",
        )
    running = run_store.latest_run(scope.ws, project)
    if running is not None and running["state"] in run_store.ACTIVE:
        raise InputError(
            f"project {project.name!r}",
            found=f"run {running['id']} ({running['state']})",
            expected="one run at a time",
            remedy="Stop or resume that one.",
        )
    agreed = plan(scope, project_name, options)
    if chosen.budget_money is not None and agreed["money"] is None:
        unknown = ", ".join(j["name"] for j in agreed["judges"] if j["money"] is None)
        raise InputError(
            "budget in money",
            found=f"no known price of {unknown}",
            expected="a price, to keep to the budget",
            remedy="Limit the number of calls instead.",
        )
    return {"run": run_store.add_run(scope.ws, project, chosen.to_json(), agreed, started_by or scope.actor.person_id), "plan": agreed}


@needs("look")
def status(scope: Scope, project_name: str) -> dict[str, Any]:
    """The latest run of a project as its page shows it."""
    project = scope.project(project_name)
    run = run_store.latest_run(scope.ws, project)
    if run is None:
        return {"run": None}
    people = projects.people(scope.ws)
    name = people[run["started_by"]].name if run["started_by"] in people else run["started_by"]
    shown = ("id", "state", "want", "alive", "message", "plan", "progress", "created_at", "ended_at")
    return {
        "run": {
            **{k: run[k] for k in shown},
            "started_by_name": name,
            "judges": run["settings"].get("judges", []),
            "needs_key": bool(run["settings"].get("needs_key")),
        }
    }


@needs("run")
def wish(scope: Scope, project_name: str, run_id: int, want: str) -> dict[str, Any]:
    """Pause, stop or resume a run; the worker obeys within a second and keeps everything."""
    scope.project(project_name)
    if want not in ("run", "pause", "stop"):
        raise InputError("wish", found=repr(want), expected="run, pause or stop")
    run_store.wish(scope.ws, run_id, want)
    return run_store.get_run(scope.ws, run_id)


def execute(
    ws: Workspace,
    run_id: int,
    *,
    key: str = "",
    models: Mapping[str, str] | None = None,
    listen: Callable[[Progress], None] = lambda p: None,
) -> str:
    """Work on a run until it is done, paused, stopped or fails; returns its state. Can be killed at any moment and called again."""
    row = run_store.get_run(ws, run_id)
    options = Options.of(row["settings"])
    if options.needs_key and not key:
        run_store.end(ws, run_id, "waiting_for_key", "The key of this run is kept nowhere: please type it again.", row["progress"])
        return "waiting_for_key"
    if not run_store.claim(ws, run_id):
        return str(run_store.get_run(ws, run_id)["state"])
    progress = Progress(ws, run_id, options.judges, row["progress"], listen)
    try:
        state, message = _stages(ws, projects.get_project(ws, row["project"]), options, key, models or options.models, progress)
    except CogradeError as error:
        state, message = "failed", str(error)
    progress.end()
    run_store.end(ws, run_id, state, message, progress.to_json())
    return state


def _stages(ws: Workspace, project: Project, options: Options, key: str, models: Mapping[str, str], progress: Progress) -> tuple[str, str]:
    scope = Scope(Actor(), ws)
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    cell_store.ensure_cells(ws, project, criteria, content.subject_ids(ws.db, project))
    encoder = measure.encoder_for(models, ws)
    problems = measure.measure(ws, project, encoder, progress=progress.measured, should_stop=progress.should_stop)
    if progress.wanted != "run":
        return progress.rest()
    message, failed = " ".join(problems), False
    for setup in options.setups(ws, key):
        report = asyncio.run(_judge(ws, project, setup, options, progress))
        if report.error is not None:
            failed = True
            message = f"{message} {report.error}".strip()
        if report.stopped == "budget":
            progress.skip_rest()
            route(scope, project.name)
            return "stopped", f"The budget is reached; everything that was bought is kept. {message}".strip()
        if progress.wanted != "run":
            return progress.rest()
    progress.routing()
    routed = route(scope, project.name)
    progress.routed(sum(n for reasons in routed["routes"].values() for n in reasons.values()))
    return ("failed" if failed else "done"), message


async def _judge(ws: Workspace, project: Project, setup: JudgeSetup, options: Options, progress: Progress) -> CallReport:
    """All calls of one judge."""
    source = list(judging.tasks(ws, project, setup))[: options.limit]
    progress.judging(setup.name, len(source))

    def done(outcomes: Sequence[Outcome]) -> None:
        progress.judged(setup.name, outcomes)

    recorder = judging.Recorder(ws, project, setup, done)
    limit = Budget(
        money=None if options.budget_money is None else max(0.0, options.budget_money - progress.money),
        calls=None if options.budget_calls is None else max(0, options.budget_calls - progress.calls),
    )
    try:
        report = await call_all(
            recorder.follow(iter(source)),
            provider=setup.provider,
            ledger=SqlLedger(ws, project, progress.run_id),
            read=recorder.read,
            on_outcomes=recorder.take,
            address=setup.provider.address,
            price=setup.provider.price,
            concurrency=options.concurrency,
            limit=limit,
            timeout=options.timeout,
            should_stop=progress.should_stop,
        )
    finally:
        await setup.provider.aclose()
    progress.called(setup.name, report)
    return report
