"""Runs: a plan before any money, then start, pause, stop, resume; the work itself is done by
`execute` in a worker process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from graders.core.errors import CogradeError, InputError, NotAllowed
from graders.core.run_state import RunState, Wish
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.calls.batches import calls_in_batches
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.judge_shares import assigned
from graders.workflows.calling.run_options import Keys, Options
from graders.workflows.collecting import collect_run
from graders.workflows.measuring import text_scores
from graders.workflows.runs import (
    summary,
)
from graders.workflows.runs._judge_notes import need_keys
from graders.workflows.runs._work import work
from graders.workflows.runs.progress import Progress
from graders.workflows.runs.run_plan import (
    RunPlan,
    asked_by,
    drawn,
    need_own_headers,
    plan,
    settled,
)
from graders.workflows.runs.shown_run import status
from graders.workflows.scope.permissions import Scope, needs

__all__ = ["Options", "execute", "plan", "start", "status", "wish"]


@dataclass(frozen=True, slots=True)
class Started:
    """The number of a run that was queued, and the plan that was agreed to."""

    run: int
    plan: RunPlan


@needs("run")
def start(
    scope: Scope, project_name: str, options: Mapping[str, Any], started_by: str = ""
) -> Started:
    """Queue a run with the plan that was agreed to. Whoever starts it also starts a worker."""
    project = scope.project(project_name)
    chosen = asked_by(scope, settled(scope.ws, project, assigned(scope.ws, project, options)))
    if scope.actor.own_key_only and not chosen.all_keys_typed():
        raise NotAllowed(**error_parts("runs.error.own_key"))
    need_own_headers(scope, chosen)
    need_keys(scope.ws, chosen)
    run_store.need_none_at_work(scope.ws, project)
    if not chosen.batch:
        need_no_batches(scope.ws, project, chosen.setups(scope.ws))
    chosen = drawn(scope.ws, project, chosen)
    agreed = plan(scope, project_name, chosen.to_json())
    if chosen.budget_money is not None and agreed.money is None:
        unknown = ", ".join(j.name for j in agreed.judges if j.money is None)
        raise InputError(**error_parts("runs.error.no_price", judges=unknown))
    if not chosen.tries:
        text_scores.keep(scope.ws, project, chosen.metrics)
    run = run_store.add_only_run(
        scope.ws, project, chosen.to_json(), asdict(agreed), started_by or scope.actor.person_id
    )
    return Started(run, agreed)


@needs("run")
def wish(scope: Scope, project_name: str, run_id: int, want: str) -> None:
    """Pause, stop or resume a run; the worker obeys within a second and keeps everything."""
    project = scope.project(project_name)
    if want not in tuple(Wish):
        raise InputError(**error_parts("runs.error.wish", found=repr(want)))
    if (
        want == Wish.RUN
        and (
            beside := batches_beside(
                scope.ws, project, run_store.get_run(scope.ws, run_id).settings
            )
        )
        is not None
    ):
        raise beside
    run_store.wish(scope.ws, run_id, want)


def execute(
    ws: Workspace,
    run_id: int,
    *,
    key: Keys | str = "",
    models: Mapping[str, str] | None = None,
    listen: Callable[[Progress], None] = lambda p: None,
) -> RunState:
    """Work on a run until it is done, paused, stopped or fails; returns its state. Can be killed at
    any moment and called again.

    `key` is a typed key, or several by what they are for (`run_options.Keys`).
    """
    keys: Keys = {"": key} if isinstance(key, str) else key
    row = run_store.get_run(ws, run_id)
    if row.settings.get("collect"):
        return collect_run.execute(ws, run_id, keys)
    # whoever asked models for answers was killed: nothing here is to be graded
    if row.settings.get("asks") and not row.alive:
        run_store.end(
            ws,
            run_id,
            RunState.STOPPED,
            say("runs.end.asked"),
            row.progress,
        )
        return RunState.STOPPED
    options = Options.of(row.settings)
    killed = row.state == RunState.RUNNING or bool(row.progress.get("killed"))
    untyped = options.untyped(keys)
    if untyped and (
        options.tries or options.split in untyped or untyped.issuperset(options.judges)
    ):
        message = say("runs.end.key_gone")
        run_store.end(
            ws, run_id, RunState.WAITING_FOR_KEY, message, {**row.progress, "killed": killed}
        )
        return RunState.WAITING_FOR_KEY
    if not run_store.claim(ws, run_id):
        return run_store.get_run(ws, run_id).state
    project = projects.get_project(ws, row.project)
    if (beside := batches_beside(ws, project, row.settings, keys)) is not None:
        run_store.end(ws, run_id, RunState.PAUSED, str(beside), {**row.progress, "killed": killed})
        return RunState.PAUSED
    planned = {judge["name"]: judge["calls"] for judge in row.plan.get("judges", [])}
    progress = Progress(
        ws,
        run_id,
        options.judges,
        row.progress,
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
        progress.summary = summary.summary(ws, projects.get_project(ws, row.project))
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
                **error_parts("runs.error.in_batch", name=setup.name, n=count, address=address)
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
