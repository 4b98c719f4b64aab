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
from graders.core.words import carried
from graders.workflows.diagnostics.anchoring import PULLED, AnchoringRow, anchoring, share_words

say = carried(
    "command_anchoring",
    {
        "help": (
            "Show the anchoring effect of suggestions. Per criterion: how much they influence "
            "people, how often people accept wrong ones, and the time they save.\n\n"
            "Exits with 0 where no effect can be told, with 4 where one is significant, with 5 "
            "where there are too few blind ratings to say.\n\n"
            "Example: cograde anchoring --project support --json"
        ),
        "criterion": "{title} ({blind} blind, {assisted} assisted cells): {words}",
        "pull": " Anchoring effect {value:+.3f} [{low:+.3f}, {high:+.3f}].",
        "time": " Time {value:.2f} times [{low:.2f}, {high:.2f}].",
        "equal": " Says the same: blind {blind}, assisted {assisted}.",
        "wrong": " Wrong suggestions accepted: blind {blind}, assisted {assisted}.",
        "right": " Right by adjudication: blind {blind}, assisted {assisted}.",
    },
)
ABOUT = say("help")


NOT_TRUSTED, INCONCLUSIVE = 4, 5


def command(
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    only: OnlyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show per criterion how far suggestions pull people, how often wrong ones are accepted,
    and the time they save."""
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
    words = say(
        "criterion",
        title=row.title,
        blind=row.arms.blind,
        assisted=row.arms.assisted,
        words=row.words,
    )
    if pull.low is not None:
        words += say("pull", value=pull.value, low=pull.low, high=pull.high)
    if time.low is not None:
        words += say("time", value=time.value, low=time.low, high=time.high)
    for name, shares in (("equal", row.equal), ("wrong", row.wrong), ("right", row.accuracy)):
        if shares.blind is not None or shares.assisted is not None:
            words += say(
                name,
                blind=share_words(shares.blind, shares.blind_between),
                assisted=share_words(shares.assisted, shares.assisted_between),
            )
    return words
