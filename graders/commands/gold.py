"""Gold questions: which there are, what people said of them, and marks on settled cells."""

from __future__ import annotations

from typing import Annotated, Any

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
from graders.commands._values import one_of
from graders.workflows.review import gold

app = group(
    "Check people by settled cells, or let them practise on these.", "gold list --project support"
)


@app.command("list")
def list_gold(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """List the gold questions and how people did on them.

    Example: cograde gold list --project support
    """
    scope = scope_for(workspace)
    found = gold.listed(scope, project_for(scope, project))
    show(found, as_json, lambda: _text(found))


@app.command("mark")
def mark_gold(
    cell: Annotated[
        int,
        typer.Argument(help="The number of a settled cell, as adjudicate list --settled shows it."),
    ],
    use: Annotated[
        str, typer.Option("--for", callback=one_of(gold.USES), help=f"{', '.join(gold.USES)}.")
    ],
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Mark a settled cell as a check, for practice, or for neither.

    Example: cograde gold mark 17 --for practice
    """
    scope = scope_for(workspace)
    found = gold.mark(scope, project_for(scope, project), cell, use)
    words = {
        "check": "checks people from now on",
        "practice": "is practice from now on",
        "none": "is no gold question any more",
    }
    show(found, as_json, lambda: f"Cell {cell} {words[use]}.")


def _text(found: dict[str, Any]) -> str:
    if not found["cells"]:
        return (
            f"No settled cell is marked. See them: {hint('adjudicate list --settled')}; "
            f"mark one: {hint('gold mark CELL --for check')}"
        )
    lines = []
    for row in found["cells"]:
        right = f", {row['right']} of {row['answered']} right" if row["use"] == "check" else ""
        lines.append(
            f"{row['cell']:>6}  {row['use']:<8} {row['criterion']}: {row['value']} "
            f"({row['why']}){right}  {row['question'][:60]}"
        )
    for one in found["people"]:
        figure = one["gold"]
        between = (
            f" [{figure['low']:.2f}, {figure['high']:.2f}]" if figure["low"] is not None else ""
        )
        why = "" if figure["status"] == "OK" else f" {figure['status']}: {figure['reason']}"
        lines.append(
            f"{one['name']}: {figure['value']:.2f}{between} right of {figure['n_cells']} "
            f"gold cells{why}"
        )
    return "\n".join(lines)
