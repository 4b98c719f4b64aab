"""Export a project."""

from __future__ import annotations

import codecs
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from graders.commands._looked import harmless
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
from graders.core.errors import InputError, UsageError
from graders.core.words import carried, error_parts
from graders.workflows.report import export
from graders.workflows.scope.permissions import Scope

say = carried(
    "command_export",
    {
        "output.help": (
            "The file, or for jsonl a new folder or a .zip; - for the standard output."
        ),
        "format.help": (
            "jsonl (everything, can be imported again), csv, xlsx, or sheet (a block of rows per "
            "question)."
        ),
        "format.default": "by the suffix of the file, csv for -, else jsonl",
        "force.help": "Overwrite an existing file.",
        "help": (
            "Export a project's results.\n\n"
            "Example: cograde export --project support --format xlsx --output results.xlsx\n\n"
            "Example: cograde export --project support --output - | head"
        ),
        "error.terminal.where": "output -",
        "error.terminal.found": "a terminal",
        "error.terminal.expected": "a file or another command, as {format} is no text",
        "error.terminal.remedy": (
            "Name a file, or add > {name}{ending}; --format csv prints a table."
        ),
        "error.two.where": "option --json",
        "error.two.found": "--output -, which prints the export itself",
        "error.two.expected": "one of the two",
        "error.two.remedy": "Leave --json out, or name a file.",
        "written": "Written: {output}",
    },
)
ABOUT = say("help")
#: Endings of files that are no text.
BINARY = (".xlsx", export.ZIP)


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
    if as_json and output == export.STDOUT:
        raise UsageError(**error_parts("command_export.error.two"))
    scope = scope_for(workspace)
    name = project_for(scope, project)
    if output == export.STDOUT:
        _printed(scope, name, format or "csv")
        return
    chosen = format or export.format_of(output, export.endings(), export.EXCHANGE)
    export.export(scope, name, chosen, output, force=force)
    show(
        {"project": name, "format": chosen, "output": str(output)},
        as_json,
        lambda: say("written", output=output),
    )


def _printed(scope: Scope, name: str, format: str) -> None:
    """Print an export. InputError for what is no text on a terminal."""
    ending, terminal = export.suffix_of(format), sys.stdout.isatty()
    text = ending not in BINARY
    if terminal and not text:
        parts = {"format": format, "name": export.file_stem(name), "ending": ending}
        raise InputError(**error_parts("command_export.error.terminal", **parts))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"export{ending}"
        export.export(scope, name, format, path)
        with path.open("rb") as stream:
            # what reads a pipe takes the mark of UTF-8 for a part of the first header
            if stream.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8 or not text:
                stream.seek(0)
            if terminal:
                for line in codecs.getreader("utf-8")(stream, "replace"):
                    print(harmless(line))
            else:
                sys.stdout.flush()
                shutil.copyfileobj(stream, sys.stdout.buffer)
