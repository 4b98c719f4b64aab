"""Route a project's cells."""

from __future__ import annotations

from graders.commands._progress import sorting
from graders.commands._shell import (
    Context,
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.core.words import carried
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.routing.route import route

say = carried(
    "command_route",
    {
        "help": (
            "Decide for each cell: people or automatic. Then draw the samples, and form the "
            "screens.\n\n"
            "Example: cograde route --project support"
        ),
        "cells": "{name}: {values} cells ({names})",
        "screens": "{screens} screens wait for people.",
    },
)
ABOUT = say("help")


def command(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Decide for each cell whether people or the machine decide, draw the samples, and form the
    screens."""
    scope = scope_for(workspace)
    with sorting() as doing:
        result = route(
            scope,
            project_for(scope, project),
            encoder_for(Context.settings.models(), scope.ws),
            doing,
        )
    lines = [
        (
            say(
                "cells",
                name=name,
                values=sum(reasons.values()),
                names=", ".join((f"{reason} {n}" for reason, n in reasons.items())),
            )
        )
        for name, reasons in result.routes.items()
    ]
    show(
        result,
        as_json,
        lambda: "\n".join([*lines, say("screens", screens=result.screens)]),
    )
