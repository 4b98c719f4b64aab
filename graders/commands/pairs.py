"""Draw pairs of answers for people to compare."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    hint,
    project_for,
    scope_for,
    show,
)
from graders.commands._values import one_of
from graders.core.words import carried
from graders.workflows.leaderboard.draw_pairs import DESIGNS, draw

say = carried(
    "command_pairs",
    {
        "per_question.help": "Number of pairs on each question (balanced).",
        "baseline.help": "The model that all others are compared with (baseline).",
        "help": (
            "Draw pairs of answers to compare. People compare them at the desk, for criteria with "
            "the scale [A, tie, B].\n\n"
            "Example: cograde pairs --design balanced --per-question 2 --project support"
        ),
        "wait": "They wait at the desk.",
        "send": "Send them to the desk: {hint}.",
        "drawn.one": "{n:,} pair drawn, {there:,} were there.",
        "drawn.other": "{n:,} pairs drawn, {there:,} were there.",
    },
)
ABOUT = say("help")


def command(
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    design: Annotated[
        str, typer.Option("--design", callback=one_of(DESIGNS), help=", ".join(DESIGNS) + ".")
    ] = "balanced",
    per_question: Annotated[
        int, typer.Option("--per-question", min=1, help=say("per_question.help"))
    ] = 1,
    baseline: Annotated[
        str,
        typer.Option("--baseline", help=say("baseline.help")),
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Draw pairs of answers that people compare at the desk, for criteria with the scale [A,
    tie, B]."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    found = draw(scope, name, design, per_question=per_question, baseline=baseline)
    after = say("wait") if found.routed else say("send", hint=hint("route", name))
    count = say("drawn", n=found.pairs, there=found.there)
    show(found, as_json, lambda: f"{count} {after}" if found.pairs else count)
