"""Pausing and stopping a run that another process works on, and the words for what a run is at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.errors import Conflict, InputError
from graders.store import runs as run_store
from graders.workflows import runs
from graders.workflows.permissions import Scope, needs


def phase(run: Mapping[str, Any] | None) -> str:
    """What a run is at: none, waiting, working, pausing (or stopping), paused, key, gone (its process ended), over."""
    if run is None:
        return "none"
    state, want = run["state"], run["want"]
    if state in ("done", "stopped", "failed"):
        return "over"
    if state == "waiting_for_key":
        return "key"
    if state == "paused":
        return "paused"
    if state == "queued":
        return "waiting"
    if not run["alive"]:
        return "gone"
    return "working" if want == "run" else "pausing"


def words(run: Mapping[str, Any]) -> str:
    """What a run is at, for people: ``running``, ``pausing``, ``interrupted: no process works on it``, ..."""
    match phase(run):
        case "working":
            return "running"
        case "pausing":
            return "stopping" if run["want"] == "stop" else "pausing"
        case "gone":
            return "interrupted: no process works on it"
        case "key":
            return "waiting for its key"
        case _:
            return str(run["state"])


@needs("run")
def rest(scope: Scope, project_name: str, want: str) -> dict[str, Any]:
    """Ask the project's run to ``pause`` or ``stop``; who works on it obeys within a second. Returns {run, state, phase, words}.

    InputError where there is nothing to pause or stop. A run whose process ended is stopped here.
    """
    run = runs.status(scope, project_name)["run"]
    at = phase(run)
    if run is None or at == "over" or (want == "pause" and at in ("paused", "key", "gone")):
        remedy = "Start one with: cograde grade."
        if run is not None and run["state"] != "done":
            remedy = "Go on with it: cograde grade --resume." + ("" if at == "over" else " Or end it: cograde stop.")
        raise InputError(
            f"project {project_name!r}",
            found="no run" if run is None else f"run {run['id']} ({words(run)})",
            expected=f"a run to {want}",
            remedy=remedy,
        )
    if at == "gone":
        run_store.end(scope.ws, run["id"], "stopped", "Its process ended; what it bought is kept.", run["progress"])
    else:
        runs.wish(scope, project_name, run["id"], want)
    now = runs.status(scope, project_name)["run"]
    return {"run": now["id"], "state": now["state"], "phase": phase(now), "words": words(now)}


def busy(run_id: int) -> Conflict:
    """The error of going on with a run that another process works on."""
    return Conflict(
        f"run {run_id} is being worked on by another process",
        remedy="Look at it with: cograde status. Pause it with: cograde pause.",
    )
