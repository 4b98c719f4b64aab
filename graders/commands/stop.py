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
from graders.core.words import carried
from graders.workflows.runs import run_control

say = carried(
    "command_stop",
    {
        "help": (
            "Stop a run. It may be at work in another process, or paused; everything is kept.\n\n"
            "Example: cograde stop --project support"
        ),
        "stopped": "Run {run}: {words}. Everything that was bought is kept.",
    },
)
ABOUT = say("help")


def command(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Stop the run that another process or the page works on, or end one that is paused:
    everything is kept."""
    scope = scope_for(workspace)
    found = run_control.rest(scope, project_for(scope, project), Wish.STOP)
    show(
        found,
        as_json,
        lambda: say("stopped", run=found.run, words=found.words),
    )
