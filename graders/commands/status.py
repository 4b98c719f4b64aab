"""Show what is there and what to do next."""

from __future__ import annotations

from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    hint,
    load_outside_commands,
    messages,
    scope_for,
    show,
)
from graders.core.shapes import as_dict
from graders.workflows.home import overview
from graders.workflows.home.cards import Status
from graders.workflows.runs import run_control
from graders.workflows.scope.broken_parts import broken_parts
from graders.workflows.scope.phrases import several


def command(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Show each project's content, who decided its cells, its run, how many screens wait, and parts
    that could not be loaded.

    Example: cograde status --json
    """
    load_outside_commands()  # so that those that cannot be loaded are among the broken parts
    broken = broken_parts(outside=True)
    found = overview.status(scope_for(workspace), project)
    for part in broken:
        messages.print(part.reason, markup=False)
    show(
        [{**as_dict(row), "broken_parts": broken} for row in found],
        as_json,
        lambda: "\n".join(map(_line, found)) or f"No project yet: {hint('import FILE')}",
    )


def _line(row: Status) -> str:
    cells, run = row.cells, row.run
    questions, answers, models = (
        several(getattr(row, name + "s"), name) for name in ("question", "answer", "model")
    )
    return (
        f"{row.project}: {questions}, {answers} of {models}; "
        f"cells: {cells['people'] + cells['audit']} by people, {cells['automatic']} automatic, "
        f"{cells['closed']} closed (not applicable or not measured), {cells['pending']} pending; "
        f"{several(row.screens, 'screen')} wait{'s' * (row.screens == 1)}"
        + (f"; run {run.id} {run_control.words(run)}" if run else "")
    )
