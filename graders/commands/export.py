"""Export a project."""

from __future__ import annotations

from functools import partial
from pathlib import Path
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
from graders.core import discovery
from graders.core.words import carried
from graders.workflows.report import export

say = carried(
    "command_export",
    {
        "output.help": "The file, or for jsonl a new folder or a .zip.",
        "format.help": (
            "jsonl (everything, can be imported again), csv, xlsx, or sheet (a block of rows per "
            "question)."
        ),
        "format.default": "by the suffix of the file, else jsonl",
        "force.help": "Overwrite an existing file.",
        "help": (
            "Export a project's results.\n\n"
            "Example: cograde export --project support --format xlsx --output results.xlsx"
        ),
        "written": "Written: {output}",
    },
)
ABOUT = say("help")


def command(
    output: Annotated[Path, typer.Option(help=say("output.help"))],
    format: Annotated[
        str,
        typer.Option(
            callback=one_of(partial(discovery.names, "exporters")),
            help=(say("format.help")),
            show_default=say("format.default"),
        ),
    ] = "",
    force: Annotated[bool, typer.Option("--force", help=say("force.help"))] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Export a project's results."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    chosen = format or export.format_of(output, export.endings(), export.EXCHANGE)
    export.export(scope, name, chosen, output, force=force)
    show(
        {"project": name, "format": chosen, "output": str(output)},
        as_json,
        lambda: say("written", output=output),
    )
