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
from graders.core.words import carried
from graders.workflows.projects.settings import change_settings
from graders.workflows.routing.review_order import ORDERS, SETTING, order_in_force

say = carried(
    "command_order",
    {
        "choose.help": "{names}.",
        "choose.default": "unchanged",
        "help": (
            "Show or set the order of review. That is the order in which people get screens.\n\n"
            "adaptive: first those that are most likely graded wrongly by the machine; came: in "
            "the order of import; question: question after question. Screens drawn for calibration "
            "and audit keep their places.\n\n"
            "Example: cograde order --set question"
        ),
    },
)
ABOUT = say("help")


def command(
    choose: Annotated[
        str,
        typer.Option(
            "--set",
            callback=one_of(ORDERS),
            help=say("choose.help", names=", ".join(ORDERS)),
            show_default=say("choose.default"),
        ),
    ] = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show in which order people get screens, or choose another one."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    if choose:
        change_settings(scope, name, {SETTING: choose})
    found = order_in_force(scope, name)
    show(found, as_json, lambda: f"{found.setting}: {found.words}")
