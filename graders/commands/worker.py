"""Work on one run: started by the web app, with the typed keys on standard input."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from graders.store.workspace import open_workspace
from graders.workflows import runs

HIDDEN = True


def command(workspace: Annotated[Path, typer.Option()], run: Annotated[int, typer.Option()]) -> None:
    """Work on a run of a workspace until it is done, paused or stopped."""
    given = json.loads(sys.stdin.read() or "{}")
    runs.execute(open_workspace(workspace), run, key=given.get("keys") or {}, models=given.get("models") or {})
