"""What a project holds and what waits in it."""

from __future__ import annotations

from graders.web.caller import Caller
from graders.workflows.home import status
from graders.workflows.home.status import Status


def call(caller: Caller, project: str = "") -> list[Status]:
    """What each project holds, who decided its cells, how many screens wait for people, and its
    latest run.

    Args:
        project: the project's name; empty for all
    """
    return status.status(caller.scope, project)
