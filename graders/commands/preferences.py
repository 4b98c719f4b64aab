"""The models ranked by which of two answers was preferred."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._only import OnlyOption
from graders.commands._ranking import (
    CategoryOption,
    LanguageOption,
    TaskTypeOption,
    board_filters,
    padded,
    width,
)
from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.core.words import carried
from graders.workflows.leaderboard.board import Preferences
from graders.workflows.leaderboard.preferences import gate, preferences

say = carried(
    "command_preferences",
    {
        "criterion.help": "The criterion that compares pairs.",
        "criterion.default": "the first",
        "by.help": "people, or a judge's name.",
        "by.default": "people if there are any",
        "help": (
            "Rank the models by pairwise preferences. That is by which of two answers people, or a "
            "judge, preferred: Bradley-Terry strengths with intervals, ranks and ties.\n\n"
            "Exits with 5 where no model has a figure that can carry a decision.\n\n"
            "Example: cograde preferences --project support --by people"
        ),
        "no_figure": "no figure ({reason})",
        "won_tied_lost": "won tied lost",
    },
)
ABOUT = say("help")


def command(
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    criterion: Annotated[
        str,
        typer.Option(
            "--criterion", help=say("criterion.help"), show_default=say("criterion.default")
        ),
    ] = "",
    by: Annotated[
        str,
        typer.Option("--by", help=say("by.help"), show_default=say("by.default")),
    ] = "",
    category: CategoryOption = "",
    task_type: TaskTypeOption = "",
    language: LanguageOption = "",
    only: OnlyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Rank the models by which of two answers people, or a judge, preferred: Bradley-Terry
    strengths with intervals, ranks and ties."""
    scope = scope_for(workspace)
    filters = board_filters(only, category, task_type, language)
    found = preferences(scope, project_for(scope, project), criterion, by=by, filters=filters)
    show(found, as_json, lambda: _text(found))
    code = gate(found)
    if code:
        raise typer.Exit(code)


def _text(found: Preferences) -> str:
    lines = [found.title, found.subtitle, found.rests_on, ""]
    wide = width(row.model for row in found.models)
    lines.append(f"{'rank':<8}{padded('model', wide)}{found.axis.words:<40}{say('won_tied_lost')}")
    for row in found.models:
        figure = row.figure
        if figure.value is None:
            lines.append(
                f"{'-':<8}{padded(row.model, wide)}{say('no_figure', reason=figure.reason)}"
            )
            continue
        low, high = row.ranks or ("-", "-")
        bounds = f" [{figure.low:.0f}, {figure.high:.0f}]" if figure.low is not None else ""
        note = f"  {figure.status}: {figure.reason}" if figure.status != "OK" else ""
        ranks = f"{low}" if low == high else f"{low}-{high}"
        shown = f"{figure.value:.0f}{bounds}"
        lines.append(
            f"{ranks:<8}{padded(row.model, wide)}{shown:<40}{row.won} {row.tied} {row.lost}{note}"
        )
    return "\n".join(lines)
