"""In which order people get their screens."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.commands._values import one_of
from graders.workflows.projects.settings import change_settings
from graders.workflows.routing.review_order import ORDERS, SETTING, order_in_force


def command(
    choose: Annotated[
        str,
        typer.Option(
            "--set", callback=one_of(ORDERS), help=f"{', '.join(ORDERS)}.", show_default="as it is"
        ),
    ] = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show in which order people get screens, or choose another one.

    adaptive: those first on which the machine is likeliest to err; came: as answers came in;
    question: question after question. Screens drawn for calibration and audit keep their places.

    Example: cograde order --set question
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    if choose:
        change_settings(scope, name, {SETTING: choose})
    found = order_in_force(scope, name)
    show(found, as_json, lambda: f"{found.setting}: {found.words}")
