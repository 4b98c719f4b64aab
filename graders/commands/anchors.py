"""Anchor questions: which there are, and which shall be."""

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
from graders.workflows.runs import drift_anchors

app = group(
    "Questions whose answers a judge that changed grades again first, to see its drift.",
    "anchors draw --count 20",
)


@app.command("list")
def list_anchors(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """List the anchor questions.

    Example: cograde anchors list --project support
    """
    scope = scope_for(workspace)
    found = drift_anchors.listed(scope, project_for(scope, project))
    show(found, as_json, lambda: _text(found))


@app.command("set")
def set_anchors(
    question: Annotated[
        list[str] | None, typer.Argument(help="Ids of questions; without any there are no anchors.")
    ] = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make these questions the anchors, instead of those that were.

    Example: cograde anchors set q3 q8 q11
    """
    scope = scope_for(workspace)
    found = drift_anchors.name(scope, project_for(scope, project), question or ())
    show(found, as_json, lambda: _text(found))


@app.command("draw")
def draw_anchors(
    count: Annotated[
        int, typer.Option(min=1, max=drift_anchors.MOST, help="How many questions.")
    ] = drift_anchors.ENOUGH,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Let chance choose the anchor questions.

    Example: cograde anchors draw --count 20
    """
    scope = scope_for(workspace)
    found = drift_anchors.draw(scope, project_for(scope, project), count)
    show(found, as_json, lambda: _text(found))


def _text(found: drift_anchors.Anchors) -> str:
    if not found.questions:
        return f"No question is an anchor. Let some be drawn: {hint('anchors draw')}"
    few = f" A figure of drift needs {found.enough}." if len(found.questions) < found.enough else ""
    lines = [f"{len(found.questions)} of {found.of} questions are anchors.{few}"]
    lines += [f"  {row.id:<12} {row.answers:>3} answers  {row.text}" for row in found.questions]
    return "\n".join(lines)
