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
from graders.core.words import carried
from graders.workflows.runs import run_control

say = carried(
    "command_pause",
    {
        "help": (
            "Pause a run that another process works on. Replies to calls under way are taken in, "
            "and everything is kept.\n\n"
            "Example: cograde pause --project support, and later: cograde grade --project support "
            "--resume"
        ),
        "paused": "Run {run}: {words}. Go on with: {hint}",
    },
)
ABOUT = say("help")


def command(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Pause the run that another process or the page works on: calls under way are finished, and
    everything is kept."""
    scope = scope_for(workspace)
    found = run_control.rest(scope, project_for(scope, project), Wish.PAUSE)
    show(
        found,
        as_json,
        lambda: say("paused", run=found.run, words=found.words, hint=hint("grade --resume")),
    )
