"""Route a project's cells."""

from __future__ import annotations

from graders.commands._progress import sorting
from graders.commands._shell import (
    Context,
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.routing.route import route


def command(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Decide for each cell whether people or the machine decide, draw the samples, and form the
    screens.

    Example: cograde route --project support
    """
    scope = scope_for(workspace)
    with sorting() as doing:
        result = route(
            scope,
            project_for(scope, project),
            encoder_for(Context.settings.models(), scope.ws),
            doing,
        )
    lines = [
        (
            f"{name}: {sum(reasons.values())} cells "
            f"({', '.join(f'{reason} {n}' for reason, n in reasons.items())})"
        )
        for name, reasons in result.routes.items()
    ]
    show(
        result,
        as_json,
        lambda: "\n".join([*lines, f"{result.screens} screens wait for people."]),
    )
