"""Pausing and stopping a run that another process works on, going on with it, and the words for
what a run is at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graders.core.errors import Conflict, InputError
from graders.core.run_state import RunState, Wish
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.store.calls import runs as run_store
from graders.store.calls.runs import Run
from graders.store.workspace import Workspace
from graders.workflows.calling.batch_carrier import batched, price_of
from graders.workflows.calling.records import no_price
from graders.workflows.calling.run_options import Options
from graders.workflows.runs import runs
from graders.workflows.runs.limits import RENEWED, check_above
from graders.workflows.runs.shown_run import RESTS, Phase, phase, status, words
from graders.workflows.scope.permissions import Scope, needs


@needs("run")
def end_abandoned(scope: Scope, project_name: str) -> None:
    """Stop the project's latest run where no process works on it any more, so that another may
    start;
    what it bought is kept."""
    latest = status(scope, project_name)
    if latest is not None and latest.state in run_store.ACTIVE and not latest.alive:
        run_store.end(
            scope.ws,
            latest.id,
            RunState.STOPPED,
            say("runs.rest.abandoned"),
            latest.progress,
        )


@dataclass(frozen=True, slots=True)
class Rest:
    """What the run of that number is at, as a state, a phase and in words."""

    run: int
    state: RunState
    phase: Phase
    words: str


@needs("run")
def rest(scope: Scope, project_name: str, want: str) -> Rest:
    """Ask the project's run to ``pause`` or ``stop``; who works on it obeys within a second.

    InputError where there is nothing to pause or stop. A run that rests, or whose process ended, is
    stopped here.
    """
    run = status(scope, project_name)
    at = phase(run)
    if run is None or at == Phase.OVER or (want == Wish.PAUSE and at in RESTS):
        resumable = run is not None and run.state != RunState.DONE
        remedy = "start" if not resumable else "resume" if at == Phase.OVER else "resume_or_end"
        raise InputError(
            **error_parts(
                "runs.error.nothing_to",
                project=project_name,
                found=say("runs.no_run")
                if run is None
                else say("runs.run_at", run=run.id, state=words(run)),
                want=want,
                remedy=say(f"runs.remedy.{remedy}"),
            )
        )
    if at in RESTS:
        why = say("runs.rest.abandoned") if at == Phase.GONE else say("runs.rest.stopped")
        run_store.end(scope.ws, run.id, RunState.STOPPED, why, run.progress)
    else:
        runs.wish(scope, project_name, run.id, want)
    now = status(scope, project_name, run.id)
    assert now is not None  # a run is never deleted
    return Rest(now.id, now.state, phase(now), words(now))


@needs("run")
def resume(
    scope: Scope, project_name: str, run_id: int, renewed: Mapping[str, Any] | None = None
) -> None:
    """Queue a run that rests or was stopped to go on; the caller also starts a worker.

    `renewed` holds options that are other from now on (names of `RENEWED`); a limit is for the
    whole run, what it took before included, and None ends it. The run's settings keep who changed
    them, when, and what they were. InputError for an option that a run cannot be given anew, for a
    limit that is spent already, and for one in money where no price is known.
    """
    if renewed:
        run = run_store.get_run(scope.ws, run_id)
        settings, plan = _renewed(scope, run, renewed)
        with scope.ws.write():  # neither without the other
            runs.wish(scope, project_name, run_id, Wish.RUN)
            run_store.settle_anew(scope.ws, run_id, settings, plan)
    else:
        runs.wish(scope, project_name, run_id, Wish.RUN)


def _renewed(scope: Scope, run: Run, renewed: Mapping[str, Any]) -> tuple[JSON, JSON]:
    """The settings and the plan of a run with other options, as its row keeps them."""
    if run.alive:
        raise busy(run.id)
    settings, where = run.settings, f"run {run.id}"
    if other := [name for name in renewed if name not in RENEWED]:
        raise InputError(
            **error_parts(
                "runs.error.not_renewable", where=where, option=other[0], names=", ".join(RENEWED)
            )
        )
    if settings.get("collect") or settings.get("asks"):
        raise InputError(**error_parts("runs.error.collects", where=where))
    chosen = Options.of({**settings, **renewed})
    check_above(run, renewed)
    if renewed.get("budget_money") is not None:
        _need_prices(scope.ws, chosen)
    new = {name: getattr(chosen, name) for name in renewed}
    change = {
        "at": scope.ws.now(),
        "by": scope.actor.person_id,
        "from": {name: settings.get(name) for name in new},
        "to": new,
    }
    agreed = {**run.plan, **{name: value for name, value in new.items() if name in run.plan}}
    return {**settings, **new, "renewed": [*(settings.get("renewed") or []), change]}, agreed


def _need_prices(ws: Workspace, options: Options) -> None:
    """InputError where a limit in money cannot be kept: a judge's price is not known."""
    for setup in options.setups(ws, options.stand_ins()):
        price = price_of(setup, batched(setup)) if options.batch else setup.provider.price
        if price(setup.judge.model, 1, 0, 1) is None:
            raise no_price(setup.judge.model, setup.provider.address)


def busy(run_id: int) -> Conflict:
    """The error of going on with a run that another process works on."""
    return Conflict(**error_parts("runs.error.busy", run=run_id))
