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
from graders.workflows.report import export


def command(
    output: Annotated[Path, typer.Option(help="The file, or for jsonl a new folder or a .zip.")],
    format: Annotated[
        str,
        typer.Option(
            callback=one_of(partial(discovery.names, "exporters")),
            help=(
                "jsonl (everything, can be imported again), csv, xlsx, or sheet (a block of rows "
                "per question)."
            ),
            show_default="the file's ending, else jsonl",
        ),
    ] = "",
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there.")
    ] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Export a project's results.

    Example: cograde export --project support --format xlsx --output results.xlsx
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    chosen = format or export.format_of(output, export.endings(), export.EXCHANGE)
    export.export(scope, name, chosen, output, force=force)
    show(
        {"project": name, "format": chosen, "output": str(output)},
        as_json,
        lambda: f"Written: {output}",
    )
