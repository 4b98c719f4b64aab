"""A run as its page and the commands show it, and the words for its present phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from graders.core.errors import NotFound
from graders.core.run_state import OVER, RunState, Wish
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts, say
from graders.store.calls import runs as run_store
from graders.workflows.runs import limits, stages
from graders.workflows.runs.limits import Limit
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run as its page and the commands show it.

    `plan` and `progress` are as its row keeps them (empty before there are any), the stages as
    they are now; `want` is what people asked of it, `alive` whether a process works on it. `tries`
    is None for all answers. `keyed` and `waits` name what keys were typed for, and the providers
    whose key it waits for; addresses and headers are by provider or judge; `reached` are the limits
    that stopped it. `judges` are as they were given, and `shares` says that judges were named for
    criteria, there or by a rubric. The rest are options that it was started with.
    """

    id: int
    state: RunState
    want: str
    alive: bool
    message: str
    plan: JSON
    created_at: str
    ended_at: str
    progress: JSON
    started_by_name: str
    judges: list[str]
    shares: bool
    tries: int | None
    workshop: bool
    base_url: str
    faults: bool
    batch: bool
    needs_key: bool
    collects: bool
    keyed: list[str]
    waits: list[str]
    base_urls: Mapping[str, str]
    headers: Mapping[str, str]
    panel: str
    concurrency: int | None
    budget_money: float | None
    budget_calls: int | None
    anchors: bool
    split: str
    reached: list[Limit]


@needs("look")
def status(scope: Scope, project_name: str, run_id: int | None = None) -> ShownRun | None:
    """The latest run of a project, or the one of that number, as its page shows it; None where
    there is none."""
    project = scope.project(project_name)
    run = (
        run_store.latest_run(scope.ws, project)
        if run_id is None
        else run_store.get_run(scope.ws, run_id)
    )
    if run is not None and run.project_id != project.id:
        raise NotFound(**error_parts("runs.error.other_project", run=run_id, project=project.name))
    if run is None:
        return None
    settings, progress = run.settings, run.progress
    return ShownRun(
        id=run.id,
        state=run.state,
        want=run.want,
        alive=run.alive,
        message=run.message,
        plan=run.plan,
        created_at=run.created_at,
        ended_at=run.ended_at,
        progress={**progress, "stages": [as_dict(stage) for stage in stages.shown(run)]}
        if progress
        else {},
        started_by_name=called(names_of(scope.ws), run.started_by),
        judges=given_judges(settings),
        shares=settings.get("asked_as") is not None,
        tries=None if settings.get("workshop") else settings.get("tries"),
        workshop=bool(settings.get("workshop")),
        base_url=settings.get("base_url") or "",
        faults=bool(settings.get("faults")),
        batch=bool(settings.get("batch")),
        needs_key=bool(settings.get("needs_key")),
        collects=bool(settings.get("collect")),
        keyed=settings.get("keyed") or [],
        waits=sorted({judge.partition(":")[0] for judge in progress.get("waits") or {}}),
        base_urls=settings.get("base_urls") or {},
        headers=settings.get("headers") or {},
        panel=settings.get("panel") or "",
        concurrency=settings.get("concurrency"),
        budget_money=settings.get("budget_money"),
        budget_calls=settings.get("budget_calls"),
        anchors=bool(settings.get("anchors", True)),
        split=settings.get("split") or "",
        reached=limits.reached(run),
    )


def given_judges(settings: JSON) -> list[str]:
    """The judges of a run's settings as they were given, so that the same can be asked again."""
    given = settings.get("asked_as")
    return list(settings.get("judges", []) if given is None else given)


class Phase(StrEnum):
    """What a run is at for whoever looks: there is none, it waits for a worker, it works, it is
    about to pause or stop, it is paused, it waits for its key, its process is gone, it is over."""

    NONE = "none"
    WAITING = "waiting"
    WORKING = "working"
    PAUSING = "pausing"
    PAUSED = "paused"
    KEY = "key"
    GONE = "gone"
    OVER = "over"


#: Phases in which nobody works on a run that is not over: it is stopped here, by who asks.
RESTS = (Phase.PAUSED, Phase.KEY, Phase.GONE)


def phase(run: ShownRun | None) -> Phase:
    """What a run is at."""
    if run is None:
        return Phase.NONE
    if run.state in OVER:
        return Phase.OVER
    if run.state == RunState.WAITING_FOR_KEY:
        return Phase.KEY
    if run.state == RunState.PAUSED:
        return Phase.PAUSED
    if run.state == RunState.QUEUED:
        return Phase.WAITING
    if not run.alive:
        return Phase.GONE
    return Phase.WORKING if run.want == Wish.RUN else Phase.PAUSING


def words(run: ShownRun) -> str:
    """What a run is at, for people: ``running``, ``pausing``, ``interrupted: no process works on
    it``, ..."""
    match phase(run):
        case Phase.WORKING:
            return say("runs.state.running")
        case Phase.PAUSING:
            return say(f"runs.state.{'stopping' if run.want == Wish.STOP else 'pausing'}")
        case Phase.GONE:
            return say("runs.state.gone")
        case _:
            return say(f"runs.state.{run.state}")
