"""Anchor questions: list them, set them, draw them."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    group,
    hint,
    project_for,
    scope_for,
    show,
)
from graders.core.words import carried
from graders.workflows.runs import drift_anchors

say = carried(
    "command_anchors",
    {
        "help": (
            "Choose the questions that show drift. A judge that changed grades the answers to "
            "these anchor questions again first.\n\n"
            "Example: cograde anchors draw --count 20"
        ),
        "list.help": (
            "List the anchor questions.\n\nExample: cograde anchors list --project support"
        ),
        "set.question.help": "Ids of questions; without any, no question is an anchor.",
        "set.help": (
            "Make these questions the anchors in place of the present ones.\n\n"
            "Example: cograde anchors set q3 q8 q11"
        ),
        "draw.count.help": "How many questions.",
        "draw.help": (
            "Draw the anchor questions at random.\n\nExample: cograde anchors draw --count 20"
        ),
        "none": "No question is an anchor. Draw some: {hint}",
        "too_few": " A figure of drift needs {enough} anchor questions.",
        "anchors": "{anchors} of {questions} questions are anchors.{few}",
        "question": "  {id:<12} {answers:>3} answers  {text}",
    },
)


app = group(say("help"))


@app.command("list", help=say("list.help"))
def list_anchors(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """List the anchor questions."""
    scope = scope_for(workspace)
    found = drift_anchors.listed(scope, project_for(scope, project))
    show(found, as_json, lambda: _text(found))


@app.command("set", help=say("set.help"))
def set_anchors(
    question: Annotated[list[str] | None, typer.Argument(help=say("set.question.help"))] = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make these questions the anchors, instead of those that were."""
    scope = scope_for(workspace)
    found = drift_anchors.name(scope, project_for(scope, project), question or ())
    show(found, as_json, lambda: _text(found))


@app.command("draw", help=say("draw.help"))
def draw_anchors(
    count: Annotated[
        int, typer.Option(min=1, max=drift_anchors.MOST, help=say("draw.count.help"))
    ] = drift_anchors.ENOUGH,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Let chance choose the anchor questions."""
    scope = scope_for(workspace)
    found = drift_anchors.draw(scope, project_for(scope, project), count)
    show(found, as_json, lambda: _text(found))


def _text(found: drift_anchors.Anchors) -> str:
    if not found.questions:
        return say("none", hint=hint("anchors draw"))
    few = say("too_few", enough=found.enough) if len(found.questions) < found.enough else ""
    lines = [say("anchors", anchors=len(found.questions), questions=found.of, few=few)]
    lines += [
        say("question", id=row.id, answers=row.answers, text=row.text) for row in found.questions
    ]
    return "\n".join(lines)
