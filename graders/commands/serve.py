"""Serve the pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from graders.commands._shell import Context, WorkspaceOption


def command(
    workspace: WorkspaceOption = None,
    port: Annotated[int | None, typer.Option(help="The port; GRADIO_SERVER_PORT is honoured.", show_default="7860")] = None,
) -> None:
    """Serve the pages, with the demo project in an empty workspace.

    Example: cograde serve --workspace study.db
    """
    settings = Context.settings
    Context.serve(replace(settings, workspace=workspace or settings.workspace, port=port or settings.port))
