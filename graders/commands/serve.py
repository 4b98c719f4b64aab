"""Serve the pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from graders.commands._shell import Context, JsonOption, NewWorkspaceOption, print_document
from graders.core.words import carried

say = carried(
    "command_serve",
    {
        "project.help": "The project that opens first.",
        "project.default": "the first one",
        "port.help": "The port; GRADIO_SERVER_PORT is honoured.",
        "port.default": "7860",
        "help": (
            "Open the pages. In an empty workspace with the demo project. With --json the address "
            "is printed as a document once they answer.\n\n"
            "Example: cograde serve --workspace study.db --project study"
        ),
        "at": "Cograde is at {address}  (workspace {workspace})",
    },
)
ABOUT = say("help")


def command(
    workspace: NewWorkspaceOption = None,
    project: Annotated[
        str,
        typer.Option("--project", help=say("project.help"), show_default=say("project.default")),
    ] = "",
    port: Annotated[
        int | None,
        typer.Option(help=say("port.help"), show_default=say("port.default")),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Serve the pages, with the demo project in an empty workspace. With --json the address is
    printed as a document once they answer."""
    settings = Context.settings

    def tell(where: dict[str, str]) -> None:
        if as_json:
            print_document(where)
        else:
            print(say("at", address=where["address"], workspace=where["workspace"]), flush=True)

    chosen = replace(
        settings,
        workspace=workspace or settings.workspace,
        port=port or settings.port,
        project=project or settings.project,
    )
    Context.serve(chosen, tell)
