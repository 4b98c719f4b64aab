"""Runs: a plan before any money, then start, pause, stop, resume; the work itself is done by
`execute` in a worker process."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from graders.core.errors import CogradeError, InputError, NotAllowed, NotFound, UsageError
from graders.core.run_state import RunState
from graders.core.shapes import as_dict
from graders.core.text import BYTES_PER_TOKEN, bytes_of
from graders.store import projects
from graders.store.answers import content
from graders.store.calls import ledger
from graders.store.calls import runs as run_store
from graders.store.calls.batches import calls_in_batches
from graders.store.figures import reading
from graders.store.opinions import cells as cell_store
from graders.store.opinions import pairs
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling import judging, split_claims
from graders.workflows.calling.batch_carrier import batched, price_of
from graders.workflows.calling.call import call_key
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.known_replies import replies
from graders.workflows.calling.run_options import Keys, Options
from graders.workflows.calling.split_claims import ASSUMED_SECONDS
from graders.workflows.cells import derived_judges
from graders.workflows.cells.faults import judged_faults
from graders.workflows.cells.state import FAULTS
from graders.workflows.collecting import collect_run
from graders.workflows.measuring import measure, text_scores
from graders.workflows.opinions.participants import called, names_of
from graders.workflows.results import detail
from graders.workflows.runs import (
    _anchor_figures,
    _judge_notes,
    _once_more,
    _stages,
    limits,
    summary,
)
from graders.workflows.runs._keys import first_asked, need_keys
from graders.workflows.runs._work import work
from graders.workflows.runs.progress import Progress
from graders.workflows.scope.permissions import Scope, needs

#: Assumed before a model has answered: tokens of a reply per criterion.
ASSUMED_TOKENS = 90
__all__ = ["Options", "execute", "plan", "start", "status", "wish"]

#: Texts measured in a second, about, before this workspace has measured any.
ASSUMED_RATE = 40.0


@needs("run")
def plan(scope: Scope, project_name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Cells, calls, tokens, money and time of a run before anything is sent.

    Per judge `done` answers have all their verdicts and need no call; of the `calls`, `known` have
    a stored reply; `lacking` says what it cannot be asked without. A model that splits answers into
    claims stands before the judges. `anchors` says whether there are anchor questions, also where
    the run leaves them out.
    """
    project = scope.project(project_name)
    ws = scope.ws
    chosen = asked_by(scope, settled(ws, project, options))
    _need_own_headers(scope, chosen)
    chosen = _drawn(ws, project, chosen)
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    subjects = chosen.only or content.subject_ids(ws.db, project)
    rules, metrics, problems = measure.graders_of([] if chosen.tries else criteria)
    metrics |= {} if chosen.tries else text_scores.added(project, chosen.metrics)
    setups = chosen.setups(
        ws, chosen.stand_ins(), judging.judged_criteria(ws, project, chosen.faults)
    )
    splitter = chosen.splitter(ws, chosen.stand_ins())
    own_key = scope.actor.own_key_only and not chosen.all_keys_typed()
    judges = (
        [
            split_claims.plan(ws, project, splitter, chosen)
            | {"lacking": _judge_notes.lacking(splitter, own_key)}
        ]
        if splitter
        else []
    )
    bought: set[str] = set()
    for setup in setups:
        row = _judge_plan(ws, project, setup, chosen, setup is first_asked(setups), bought)
        judges.append(row | {"lacking": _judge_notes.lacking(setup, own_key)})
    measuring = (
        0.0 if chosen.tries else len(subjects) / ASSUMED_RATE if metrics else len(subjects) / 2_000
    )
    money = (
        None
        if any(j["money"] is None and j["calls"] > j["known"] for j in judges)
        else sum(j["money"] or 0.0 for j in judges)
    )
    return {
        "cells": cell_store.count_parts(ws.db, project, criteria, subjects),
        "subjects": len(subjects),
        "pairs": len(pairs.rows(ws.db, project).intersection(subjects)),
        "rules": sorted({name for pairs in rules.values() for name, _ in pairs}),
        "metrics": sorted(metrics),
        "judges": judges,
        "problems": [str(problem) for problem in problems],
        "measure_seconds": measuring,
        "seconds": measuring + sum(j["seconds"] for j in judges),
        "money": money,
        "tries": chosen.tries,
        "anchors": bool(project.settings.get(_anchor_figures.SETTING)),
        "faults": [fault.name for fault in judged_faults()]
        if chosen.faults and chosen.judges
        else [],
        "concurrency": chosen.concurrency,
        "panel": chosen.panel,
        "budget_money": chosen.budget_money,
        "budget_calls": chosen.budget_calls,
    }


def settled(ws: Workspace, project: Project, given: Mapping[str, Any]) -> Options:
    """The options with the project's own judges as they are set up now."""
    known: Mapping[str, Any] = project.settings.get("judges") or {}
    names = [str(name).strip() for name in (*(given.get("judges") or ()), given.get("split") or "")]
    known = {**known, **(given.get("cards") or {})} if given.get("workshop") else known
    for name in names:
        if name and ":" not in name and name not in known and not derived_judges.is_derived(name):
            others = (
                ", or one that is set up: " + ", ".join(known)
                if known
                else ", such as openai:gpt-4o-mini"
            )
            raise UsageError(
                f"judge {name[:60]!r}",
                found="no judge that is set up under that name",
                expected="PROVIDER:MODEL" + others,
            )
    return Options.of({**given, "cards": {name: known[name] for name in names if name in known}})


def asked_by(scope: Scope, options: Options) -> Options:
    """The options, knowing whether a page asks."""
    return replace(options, from_page=options.from_page or scope.actor.through_page)


def _drawn(ws: Workspace, project: Project, options: Options) -> Options:
    """With the answers that the judges are tried on: such as they can be asked about."""
    if not options.tries or options.only:
        return options
    setups = options.setups(ws, criteria=judging.judged_criteria(ws, project, options.faults))
    return replace(options, only=judging.draw(ws, project, options.tries, setups, options.faults))


def _judge_plan(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    options: Options,
    first: bool,
    bought: set[str],
) -> dict[str, Any]:
    """What a judge will cost. `bought` are the keys of calls that are bought before its turn; its
    own are added."""
    graded: set[int] = set()
    refused: list[judging.Refused] = []
    about = partial(judging.tasks, ws, project, setup, afresh=options.afresh, faults=options.faults)
    anchors = _anchor_figures.due(ws, project, setup, options)
    found = list(about(anchors.beside(options.only), graded=graded, refused=refused))
    if setup.judge.asks_together and (lost := replies(ws, setup, found).lost):
        found += about(lost=lost)
    details = (
        list(detail.requests(ws, project, setup).values()) if first and not options.tries else []
    )
    again = _anchor_figures.repeats(ws, project, setup, anchors)
    once_more = _once_more.tasks(ws, project, setup, options)
    bill = judging.bill(
        ws, setup, [*details, *(task.request for task in (*again, *found, *once_more))], bought
    )
    bought.update(bill.left)
    left, requests = len(bill.left), bill.left.values()
    further = _once_more.expected(ws, project, setup, options, list(requests))
    # those had other sizes
    past = (
        None if setup.judge.asks_together else ledger.past_calls(ws.db, project, setup.judge.model)
    )
    if past:
        input_tokens, output_tokens = past["input_tokens"] * left, past["output_tokens"] * left
    else:
        form = max((len(str(task.request.schema)) for task in found[:1]), default=0)
        input_tokens = (
            sum(form + bytes_of(text for _, text in r.messages) for r in requests) / BYTES_PER_TOKEN
        )
        output_tokens = (
            sum((len(r.criteria) or 1) * len(r.subjects) for r in requests) * ASSUMED_TOKENS
        )
    input_tokens, output_tokens = (
        tokens * (1 + further.share) for tokens in (input_tokens, output_tokens)
    )
    seconds = math.ceil((left + further.calls) / options.concurrency) * (
        past["seconds"] if past else ASSUMED_SECONDS
    )
    price = price_of(setup, batched(setup)) if options.batch else setup.provider.price
    money = price(setup.judge.model, round(input_tokens), 0, round(output_tokens))
    models, uncut = reading.models(ws.db, project), _judge_notes.kept_whole(setup, found)
    return {
        "name": setup.name,
        "author": setup.author,
        "key": setup.key_words,
        "calls": bill.calls,
        "done": len(graded - {row for task in (*found, *once_more) for row in task.rows}),
        "known": bill.known,
        "input_tokens": round(input_tokens),
        "output_tokens": round(output_tokens),
        "money": money,
        "seconds": seconds,
        "measured": past is not None,
        "once_more": further.calls,
        "batch": options.batch,
        "notes": _anchor_figures.note(
            anchors,
            found,
            again,
            lambda task: call_key(task.request, setup.provider.address) in bill.left,
        )
        + _judge_notes.notes(
            setup, models, [task.request for task in found], len(details), uncut, refused
        )
        + further.note,
    }


@needs("run")
def start(
    scope: Scope, project_name: str, options: Mapping[str, Any], started_by: str = ""
) -> dict[str, Any]:
    """Queue a run with the plan that was agreed to. Whoever starts it also starts a worker."""
    project = scope.project(project_name)
    chosen = asked_by(scope, settled(scope.ws, project, options))
    if scope.actor.own_key_only and not chosen.all_keys_typed():
        raise NotAllowed(
            "run with a judge",
            found="a judge without a key",
            expected="a key of your own for every judge",
            remedy="Type your key; it is used for this run and kept nowhere.",
        )
    _need_own_headers(scope, chosen)
    need_keys(scope.ws, chosen)
    run_store.need_none_at_work(scope.ws, project)
    if not chosen.batch:
        need_no_batches(scope.ws, project, chosen.setups(scope.ws))
    chosen = _drawn(scope.ws, project, chosen)
    agreed = plan(scope, project_name, chosen.to_json())
    if chosen.budget_money is not None and agreed["money"] is None:
        unknown = ", ".join(j["name"] for j in agreed["judges"] if j["money"] is None)
        raise InputError(
            "budget in money",
            found=f"no known price of {unknown}",
            expected="a price, to keep to the budget",
            remedy="Limit the number of calls instead (command line: --max-calls).",
        )
    if not chosen.tries:
        text_scores.keep(scope.ws, project, chosen.metrics)
    return {
        "run": run_store.add_only_run(
            scope.ws, project, chosen.to_json(), agreed, started_by or scope.actor.person_id
        ),
        "plan": agreed,
    }


def _need_own_headers(scope: Scope, options: Options) -> None:
    """Raise where headers would take from the environment what is no business of whoever asks."""
    if scope.actor.own_key_only and options.takes_from_environment():
        raise NotAllowed(
            "headers",
            found="a variable of this installation",
            expected="values that you write",
            remedy="Leave it out.",
        )


@needs("look")
def status(scope: Scope, project_name: str, run_id: int | None = None) -> dict[str, Any]:
    """The latest run of a project, or the one of that number, as its page shows it."""
    project = scope.project(project_name)
    run = (
        run_store.latest_run(scope.ws, project)
        if run_id is None
        else run_store.get_run(scope.ws, run_id)
    )
    if run is not None and run["project_id"] != project.id:
        raise NotFound(
            f"run {run_id}", found="a run of another project", expected=f"a run of {project.name}"
        )
    if run is None:
        return {"run": None}
    name = called(names_of(scope.ws), run["started_by"])
    shown = ("id", "state", "want", "alive", "message", "plan", "created_at", "ended_at")
    return {
        "run": {
            **{k: run[k] for k in shown},
            "progress": {
                **run["progress"],
                "stages": [as_dict(stage) for stage in _stages.shown(run)],
            }
            if run["progress"]
            else {},
            "started_by_name": name,
            "judges": run["settings"].get("judges", []),
            "tries": None if run["settings"].get("workshop") else run["settings"].get("tries"),
            "workshop": bool(run["settings"].get("workshop")),
            "base_url": run["settings"].get("base_url") or "",
            "faults": bool(run["settings"].get("faults")),
            "batch": bool(run["settings"].get("batch")),
            "needs_key": bool(run["settings"].get("needs_key")),
            "collects": bool(run["settings"].get("collect")),
            "keyed": run["settings"].get("keyed") or [],
            "waits": sorted(
                {judge.partition(":")[0] for judge in run["progress"].get("waits") or {}}
            ),
            "base_urls": run["settings"].get("base_urls") or {},
            "headers": run["settings"].get("headers") or {},
            "panel": run["settings"].get("panel") or "",
            **{
                name: run["settings"].get(name)
                for name in ("concurrency", "budget_money", "budget_calls")
            },
            "anchors": bool(run["settings"].get("anchors", True)),
            "split": run["settings"].get("split") or "",
            "reached": limits.reached(run),
        }
    }


@needs("run")
def wish(scope: Scope, project_name: str, run_id: int, want: str) -> dict[str, Any]:
    """Pause, stop or resume a run; the worker obeys within a second and keeps everything."""
    project = scope.project(project_name)
    if want not in ("run", "pause", "stop"):
        raise InputError("wish", found=repr(want), expected="run, pause or stop")
    if (
        want == "run"
        and (
            beside := batches_beside(
                scope.ws, project, run_store.get_run(scope.ws, run_id)["settings"]
            )
        )
        is not None
    ):
        raise beside
    run_store.wish(scope.ws, run_id, want)
    return run_store.get_run(scope.ws, run_id)


def execute(
    ws: Workspace,
    run_id: int,
    *,
    key: Keys | str = "",
    models: Mapping[str, str] | None = None,
    listen: Callable[[Progress], None] = lambda p: None,
) -> str:
    """Work on a run until it is done, paused, stopped or fails; returns its state. Can be killed at
    any moment and called again.

    `key` is a typed key, or several by what they are for (`run_options.Keys`).
    """
    keys: Keys = {"": key} if isinstance(key, str) else key
    row = run_store.get_run(ws, run_id)
    if row["settings"].get("collect"):
        return collect_run.execute(ws, run_id, keys)
    # whoever asked models for answers was killed: nothing here is to be graded
    if row["settings"].get("asks") and not row["alive"]:
        run_store.end(
            ws,
            run_id,
            "stopped",
            "It asked models for answers; the same command goes on where it stopped.",
            row["progress"],
        )
        return "stopped"
    options = Options.of(row["settings"])
    killed = row["state"] == "running" or bool(row["progress"].get("killed"))
    untyped = options.untyped(keys)
    if untyped and (
        options.tries or options.split in untyped or untyped.issuperset(options.judges)
    ):
        message = "The key of this run is kept nowhere: please type it again."
        run_store.end(ws, run_id, "waiting_for_key", message, {**row["progress"], "killed": killed})
        return "waiting_for_key"
    if not run_store.claim(ws, run_id):
        return str(run_store.get_run(ws, run_id)["state"])
    project = projects.get_project(ws, row["project"])
    if (beside := batches_beside(ws, project, row["settings"], keys)) is not None:
        run_store.end(ws, run_id, "paused", str(beside), {**row["progress"], "killed": killed})
        return "paused"
    planned = {judge["name"]: judge["calls"] for judge in row["plan"].get("judges", [])}
    progress = Progress(
        ws,
        run_id,
        options.judges,
        row["progress"],
        listen,
        planned,
        killed,
        options.split and options.split_name,
    )
    try:
        state, message = work(
            ws, project, options, keys, models or options.models, progress, untyped
        )
    except CogradeError as error:
        state, message = RunState.FAILED, str(error)
        progress.problems.append(error)
    if state != RunState.DONE:
        progress.leave(state)
    if state != RunState.PAUSED and not options.tries:
        progress.summary = summary.summary(ws, projects.get_project(ws, row["project"]))
    progress.end()
    run_store.end(ws, run_id, state, message, progress.to_json())
    return state


# -- runs that ask call by call beside batches that are under way: what is in a batch must not be
# sent, and paid, once more


def need_no_batches(ws: Workspace, project: Project, setups: Sequence[JudgeSetup]) -> None:
    """InputError where judges that are to be asked call by call have calls in batches: those would
    be sent and paid again."""
    for setup in setups:
        address = setup.provider.address
        # one that hands in batches has the same name
        if count := calls_in_batches(ws, project, setup.provider.name, address):
            raise InputError(
                f"judge {setup.name}",
                found=(
                    f"{count:,} {'call is' if count == 1 else 'calls are'} in a batch at {address}"
                ),
                expected="no batch under way",
                remedy=(
                    "Resume the run that handed it in (--resume), or start one with batches "
                    "(--batch): both take in its replies."
                ),
            )


def batches_beside(
    ws: Workspace, project: Project, settings: Mapping[str, Any], keys: Keys | None = None
) -> InputError | None:
    """Why a run with these settings may not go on: it asks call by call, and calls of its judges
    are in batches of another run."""
    if settings.get("batch") or settings.get("collect") or settings.get("asks"):
        return None
    try:
        need_no_batches(ws, project, Options.of(settings).setups(ws, keys or {}))
    except InputError as error:
        return error
    return None
