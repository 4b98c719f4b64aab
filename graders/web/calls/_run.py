"""A run as programs see it, and what it may be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from graders.workflows.runs import run_page
from graders.workflows.runs.shown_run import Phase
from graders.workflows.scope.permissions import Scope


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a run: so many of all its things are done."""

    name: str
    state: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a project, as it is now."""

    run: Annotated[int, "the run's number; 0 where the project has none yet"]
    state: Annotated[str, "queued, running, paused, waiting_for_key, done, stopped or failed"]
    message: Annotated[str, "why it ended or rests"]
    calls: Annotated[int, "calls that were answered"]
    money: Annotated[float | None, "what they cost; none where a price is not known (US dollars)"]
    at_work: Annotated[bool, "whether it goes on by itself: then ask again in a second or more"]
    title: Annotated[str, "what is to be said of it, as its page says it"]
    next: Annotated[str, "the sentence below that"]
    stages: Annotated[list[Stage], "its stages in their order"]
    judges: Annotated[list[str], "the judges, as they were given"]


#: Phases in which a run goes on without anybody.
_AT_WORK = (Phase.WAITING, Phase.WORKING, Phase.PAUSING)


def run_of(scope: Scope, project: str, number: int = 0) -> Run:
    """The run of that number, or with 0 the latest."""
    page = run_page.run_page(scope, project, number or None)
    run = page.run
    progress = run.progress if run is not None else {}
    stages = [
        Stage(one["name"], str(one["state"]), one["done"], one["total"])
        for one in progress.get("stages") or []
    ]
    return Run(
        run=run.id if run is not None else 0,
        state=str(run.state) if run is not None else "",
        message=run.message if run is not None else "",
        calls=progress.get("calls", 0),
        money=progress.get("money"),
        at_work=page.phase in _AT_WORK,
        title=page.title,
        next=page.subtitle,
        stages=stages,
        judges=run.judges if run is not None else [],
    )


def options_of(given: dict[str, Any], keys: dict[str, str]) -> dict[str, Any]:
    """A run's options, under the names that runs know; of `keys` only what they are for."""
    names = {"judge": "judges", "budget": "budget_money", "max_calls": "budget_calls"}
    return {
        **{
            names.get(name, name): value for name, value in given.items() if value not in (None, "")
        },
        "needs_key": bool(keys),
        "keyed": [name for name in keys if name],
    }
