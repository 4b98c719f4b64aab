"""Imported labels: how their answers were chosen."""

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
from graders.core.contracts import Chosen
from graders.core.words import carried
from graders.store.transfer.labels import LabelImport
from graders.workflows.importing.labels_chosen import label_imports, state_chosen

say = carried(
    "command_labels",
    {
        "help": (
            "Show which imports brought people's labels, and state how their answers were "
            "chosen.\n\n"
            "Labels of all answers, or of answers chosen at random, speak for all answers. Where "
            "it is unknown, figures are of the labelled answers alone.\n\n"
            "Labels of random answers that were stated to be blind at import are kept for a test "
            "by half (cograde promise open). Taken back, that statement lets go of them: they "
            "count with the others, and test nothing.\n\n"
            "Example: cograde labels --project support --chosen random --import 3"
        ),
        "chosen.help": "all, random or unknown; without it the imports are listed.",
        "blind.help": "Take back that labels were given blind; that they were is said at import.",
        "import.help": "The number of the import.",
        "import.default": "all",
        "none": "No import brought labels of people.",
        "line": (
            "{id:>4}  {chosen:<8} {labels:>8,} labels of {cells:,} cells{stated}{kept}  {source}"
        ),
        "stated": ", stated to be blind",
        "kept": ", {n:,} kept for a test",
        "tested": ", {n:,} of them tested",
        "no_test": ", {n:,} of them opened, and no test any more",
    },
)
ABOUT = say("help")


def command(
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    chosen: Annotated[
        str, typer.Option("--chosen", callback=one_of(Chosen), help=say("chosen.help"))
    ] = "",
    number: Annotated[
        int,
        typer.Option("--import", help=say("import.help"), show_default=say("import.default")),
    ] = 0,
    blind: Annotated[
        bool | None,
        typer.Option("--blind/--not-blind", help=say("blind.help"), show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show which imports brought people's labels, and state how their answers were chosen."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    found = (
        state_chosen(scope, name, chosen, number, blind=blind)
        if chosen or blind is not None
        else label_imports(scope, name)
    )
    show(
        list(found),
        as_json,
        lambda: (
            "\n".join(
                say(
                    "line",
                    id=one.id,
                    chosen=one.chosen,
                    labels=one.labels,
                    cells=one.cells,
                    stated=say("stated") if one.stated_blind else "",
                    kept=(say("kept", n=one.kept) if one.kept else "") + _opened(one),
                    source=one.source,
                )
                for one in found
            )
            or say("none")
        ),
    )


def _opened(one: LabelImport) -> str:
    """What became of the labels that were kept for a test and opened."""
    if not one.tested:
        return ""
    return say("tested", n=one.tested) if one.stated_blind else say("no_test", n=one.tested)
