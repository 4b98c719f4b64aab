"""Work on one run, learn from people's verdicts, order screens, or sort cells for a test.

Started by the web app, with the typed keys on standard input.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from graders.core.words import carried
from graders.store.projects import get_project
from graders.store.workspace import open_workspace
from graders.workflows.learning import learn
from graders.workflows.measuring import measure
from graders.workflows.routing import review_order, sorting
from graders.workflows.runs import runs
from graders.workflows.scope.permissions import Actor, Scope

say = carried(
    "command_worker",
    {
        "help": (
            "Work on a run of a workspace until it is done, paused or stopped; or learn for a "
            "project, order its screens, sort its cells."
        ),
    },
)
ABOUT = say("help")


HIDDEN = True


def command(
    workspace: Annotated[Path, typer.Option()],
    run: Annotated[int, typer.Option()] = 0,
    learning: Annotated[str, typer.Option("--learn")] = "",
    every: Annotated[bool, typer.Option("--every")] = False,
    ordered: Annotated[str, typer.Option("--order")] = "",
    sort: Annotated[str, typer.Option("--sort")] = "",
) -> None:
    """Work on a run of a workspace until it is done, paused or stopped; or learn for a project,
    order its screens, sort its cells."""
    given = json.loads(sys.stdin.read() or "{}")
    ws, models = open_workspace(workspace), given.get("models") or {}
    if ordered:
        review_order.follow(ws, get_project(ws, ordered))
    elif sort:
        sorting.fix_orders(
            Scope(Actor(), ws), get_project(ws, sort), measure.encoder_for(models, ws)
        )
    elif learning:
        project, encoder = get_project(ws, learning), measure.encoder_for(models, ws)
        if every:
            learn.refit(ws, project, encoder, every=True)
        else:
            learn.learn(ws, project, lambda: encoder)
        # A draw without an opened label is sorted by what is known now.
        sorting.fix_orders(Scope(Actor(), ws), project, encoder)
    else:
        runs.execute(ws, run, key=given.get("keys") or {}, models=models)
