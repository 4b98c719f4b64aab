"""Route a project's cells."""

from __future__ import annotations

from typing import Annotated

import typer

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
from graders.core.shapes import as_dict
from graders.core.words import carried
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.projects.settings import change_settings
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
        "calibration.help": (
            "First set the share of answers that are drawn for people to grade blind, from 0 to 1. "
            "Further answers are drawn at once, or answers that had not been begun are given back."
        ),
        "calibration.default": "unchanged",
        "yes.help": "Agree to drawing more than half of the answers: these get no suggestion.",
    },
)
ABOUT = say("help")


def command(
    calibration: Annotated[
        float | None,
        typer.Option(
            "--calibration",
            min=0.0,
            max=1.0,
            help=say("calibration.help"),
            show_default=say("calibration.default"),
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help=say("yes.help"))] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Decide for each cell whether people or the machine decide, draw the samples, and form the
    screens."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    sample = None
    if calibration is not None:
        sample = change_settings(scope, name, {"calibration": calibration}, consent=yes).sample
    with sorting() as doing:
        result = route(
            scope,
            name,
            encoder_for(Context.settings.models(), scope.ws),
            doing,
        )
    lines = [
        (
            say(
                "cells",
                name=name,
                values=sum(reasons.values()),
                names=", ".join((f"{reason} ({n:,})" for reason, n in reasons.items())),
            )
        )
        for name, reasons in result.routes.items()
    ]
    if sample is not None and sample.words:
        lines.insert(0, sample.words)
    document = result if sample is None else {**as_dict(result), "sample": sample}
    show(
        document,
        as_json,
        lambda: "\n".join([*lines, say("screens", screens=result.screens)]),
    )
