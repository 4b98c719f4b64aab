"""Stop the run of a project."""

from __future__ import annotations

from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.core.run_state import Wish
from graders.workflows.runs import run_control


def command(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Stop the run that another process or the page works on, or end one that is paused: everything
    is kept.

    Example: cograde stop --project support
    """
    scope = scope_for(workspace)
    found = run_control.rest(scope, project_for(scope, project), Wish.STOP)
    show(
        found,
        as_json,
        lambda: f"Run {found.run}: {found.words}. Everything that was bought is kept.",
    )
