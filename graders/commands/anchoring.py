"""What a suggestion in view does to people's verdicts."""

from __future__ import annotations

import typer

from graders.commands._only import OnlyOption, only_filters
from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.workflows.diagnostics.anchoring import PULLED, AnchoringRow, anchoring

NOT_TRUSTED, INCONCLUSIVE = 4, 5


def command(
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    only: OnlyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show per criterion how far suggestions pull people, how often wrong ones are accepted, and
    the time they save.

    Exits with 0 where no pull can be told, 4 where one is real, 5 where the blind arm is too small
    to say.

    Example: cograde anchoring --project support --json
    """
    scope = scope_for(workspace)
    report = anchoring(scope, project_for(scope, project), only_filters(only, PULLED))
    show(
        report,
        as_json,
        lambda: "\n".join([report.title, report.subtitle, *map(_line, report.rows)]),
    )
    if any(row.real for row in report.rows):
        raise typer.Exit(NOT_TRUSTED)
    if not any(row.pull.status == "OK" for row in report.rows):
        raise typer.Exit(INCONCLUSIVE)


def _line(row: AnchoringRow) -> str:
    pull, time = row.pull, row.time
    words = f"{row.title} ({row.arms.blind} blind, {row.arms.assisted} assisted cells): {row.words}"
    if pull.low is not None:
        words += f" Pull {pull.value:+.3f} [{pull.low:+.3f}, {pull.high:+.3f}]."
    if time.low is not None:
        words += f" Time {time.value:.2f} times [{time.low:.2f}, {time.high:.2f}]."
    return words
