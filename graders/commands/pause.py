"""Pause the run of a project."""

from __future__ import annotations

from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    hint,
    project_for,
    scope_for,
    show,
)
from graders.core.run_state import Wish
from graders.workflows.runs import run_control


def command(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Pause the run that another process or the page works on: what is on its way is taken in,
    everything is kept.

    Example: cograde pause --project support, and later: cograde grade --project support --resume
    """
    scope = scope_for(workspace)
    found = run_control.rest(scope, project_for(scope, project), Wish.PAUSE)
    show(
        found,
        as_json,
        lambda: f"Run {found.run}: {found.words}. Go on with: {hint('grade --resume')}",
    )
