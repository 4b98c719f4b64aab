"""How far a run is."""

from __future__ import annotations

from graders.web.caller import Caller
from graders.web.calls._run import Run, run_of


def call(caller: Caller, project: str, run: int = 0) -> Run:
    """How far a run is. Ask again in a second or more while it is `at_work`.

    Args:
        project: the project's name
        run: its number, as `grade` gave it; 0 is the latest
    """
    return run_of(caller.scope, project, run)
