"""Gold questions: which there are, what people said of them, and marks on settled cells."""

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
from graders.commands._values import one_of
from graders.core.words import carried
from graders.workflows.review import gold

say = carried(
    "command_gold",
    {
        "help": (
            "Check people by settled cells, or let them practise on these.\n\n"
            "Example: cograde gold list --project support"
        ),
        "list.help": (
            "List the gold questions and how people did on them.\n\n"
            "Example: cograde gold list --project support"
        ),
        "mark.cell.help": "The number of a settled cell, as adjudicate list --settled shows it.",
        "mark.use.help": "{uses}.",
        "mark.help": (
            "Mark a settled cell as a check, for practice, or for neither.\n\n"
            "Example: cograde gold mark 17 --for practice"
        ),
        "marked": "Cell {cell} {use}.",
        "none": "No settled cell is marked. List settled cells: {hint}; mark one: {mark}",
        "right": ", {right} of {answered} right",
        "person": "{name}: {value:.2f}{between} right of {n_cells} gold cells{why}",
        "use.check": "is used to check people from now on",
        "use.practice": "is used for practice from now on",
        "use.none": "is no gold question any more",
    },
)


app = group(say("help"))


@app.command("list", help=say("list.help"))
def list_gold(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """List the gold questions and how people did on them."""
    scope = scope_for(workspace)
    found = gold.listed(scope, project_for(scope, project))
    show(found, as_json, lambda: _text(found))


@app.command("mark", help=say("mark.help"))
def mark_gold(
    cell: Annotated[
        int,
        typer.Argument(help=say("mark.cell.help")),
    ],
    use: Annotated[
        str,
        typer.Option(
            "--for",
            callback=one_of(gold.Use),
            help=say("mark.use.help", uses=", ".join(gold.Use)),
        ),
    ],
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Mark a settled cell as a check, for practice, or for neither."""
    scope = scope_for(workspace)
    found = gold.mark(scope, project_for(scope, project), cell, use)
    show(found, as_json, lambda: say("marked", cell=cell, use=say(f"use.{use}")))


def _text(found: gold.GoldList) -> str:
    if not found.cells:
        return say(
            "none", hint=hint("adjudicate list --settled"), mark=hint("gold mark CELL --for check")
        )
    lines = []
    for row in found.cells:
        right = say("right", right=row.right, answered=row.answered) if row.use == "check" else ""
        lines.append(
            f"{row.cell:>6}  {row.use:<8} {row.criterion}: {row.value} "
            f"({row.why}){right}  {row.question[:60]}"
        )
    for person in found.people:
        figure = person.gold
        between = f" [{figure.low:.2f}, {figure.high:.2f}]" if figure.low is not None else ""
        why = "" if figure.status == "OK" else f" {figure.status}: {figure.reason}"
        lines.append(
            say(
                "person",
                name=person.name,
                value=figure.value,
                between=between,
                n_cells=figure.n_cells,
                why=why,
            )
        )
    return "\n".join(lines)
