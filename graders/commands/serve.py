"""Serve the pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from graders.commands._shell import Context, JsonOption, NewWorkspaceOption, print_document


def command(
    workspace: NewWorkspaceOption = None,
    project: Annotated[
        str,
        typer.Option(
            "--project", help="The project that opens first.", show_default="the first one"
        ),
    ] = "",
    port: Annotated[
        int | None,
        typer.Option(help="The port; GRADIO_SERVER_PORT is honoured.", show_default="7860"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Serve the pages, with the demo project in an empty workspace. With --json the address is
    printed as a document once they answer.

    Example: cograde serve --workspace study.db --project study
    """
    settings = Context.settings

    def tell(where: dict[str, str]) -> None:
        if as_json:
            print_document(where)
        else:
            print(f"Cograde is at {where['address']}  (workspace {where['workspace']})", flush=True)

    chosen = replace(
        settings,
        workspace=workspace or settings.workspace,
        port=port or settings.port,
        project=project or settings.project,
    )
    Context.serve(chosen, tell)
