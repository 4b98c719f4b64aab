"""Stop a run."""

from __future__ import annotations

from graders.core.errors import InputError
from graders.core.run_state import Wish
from graders.core.words import error_parts
from graders.web.caller import Caller
from graders.web.calls._run import Run, run_of
from graders.workflows.runs import run_control, runs, shown_run
from graders.workflows.runs.shown_run import RESTS, Phase


def call(caller: Caller, project: str, run: int) -> Run:
    """Stop a run. What it has is kept, and another run goes on from there.

    Args:
        project: the project's name
        run: its number, as `grade` gave it
    """
    scope = caller.writing()
    latest = shown_run.status(scope, project)
    if latest is None or latest.id != run:
        raise InputError(**error_parts("web.call.not_latest", value=run))
    phase = shown_run.phase(latest)
    if phase in RESTS:
        run_control.rest(scope, project, Wish.STOP)
    elif phase != Phase.OVER:
        runs.wish(scope, project, run, Wish.STOP)
    return run_of(scope, project, run)
