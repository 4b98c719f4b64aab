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
from graders.workflows.leaderboard.draw_pairs import DESIGNS, draw


def command(
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    design: Annotated[
        str, typer.Option("--design", callback=one_of(DESIGNS), help=", ".join(DESIGNS) + ".")
    ] = "balanced",
    per_question: Annotated[
        int, typer.Option("--per-question", min=1, help="Pairs on each question (balanced).")
    ] = 1,
    baseline: Annotated[
        str,
        typer.Option("--baseline", help="The model that all others are compared with (baseline)."),
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Draw pairs of answers that people compare at the desk, for criteria with the scale [A, tie,
    B].

    Example: cograde pairs --design balanced --per-question 2 --project support
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    found = draw(scope, name, design, per_question=per_question, baseline=baseline)
    after = (
        "They wait at the desk."
        if found.routed
        else f"Send them to the desk: {hint('route', name)}."
    )
    count = f"{found.pairs:,} pair{'s' * (found.pairs != 1)} drawn, {found.there:,} were there."
    show(found, as_json, lambda: f"{count} {after}" if found.pairs else count)
