"""A report to hand on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graders.commands._only import AllOption, OnlyOption, PopulationOption, only_filters
from graders.commands._ranking import (
    BoardJudgeOption,
    BoardWayOption,
    BoardWeightOption,
    weights_of,
)
from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.commands._values import one_of
from graders.core.shapes import as_dict
from graders.core.words import carried
from graders.workflows.report import report as use
from graders.workflows.report.export import format_of
from graders.workflows.report.scope import Wanted

say = carried(
    "command_report",
    {
        "output.help": "The file to write.",
        "format.help": "html, md or xlsx.",
        "format.default": "by the file's suffix, else html",
        "force.help": "Overwrite an existing file.",
        "gated.help": "Exit with 4 or 5 where agree --gate, risk or leaderboard would.",
        "help": (
            "Write a report. Who graded what, agreement, what is graded automatically and on what "
            "evidence, leaderboard, costs, method.\n\n"
            "With --json the same figures are printed too. --only filters Agreement, and the "
            "leaderboard where it has the filter.\n\n"
            "Example: cograde report --project support --output report.html"
        ),
        "written": "{findings}\n\nWritten: {output}",
    },
)
ABOUT = say("help")


def command(
    output: Annotated[Path, typer.Option(help=say("output.help"))],
    format: Annotated[
        str,
        typer.Option(
            callback=one_of(use.FORMATS),
            help=say("format.help"),
            show_default=say("format.default"),
        ),
    ] = "",
    force: Annotated[bool, typer.Option("--force", help=say("force.help"))] = False,
    all_verdicts: AllOption = False,
    only: OnlyOption = None,
    population: PopulationOption = "",
    way: BoardWayOption = "",
    judge: BoardJudgeOption = "",
    weight: BoardWeightOption = None,
    gated: Annotated[
        bool,
        typer.Option("--gate", help=say("gated.help")),
    ] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Write a report: who graded what, agreement, what the machine decides and by which right,
    leaderboard, costs, method."""
    scope = scope_for(workspace)
    chosen = format or format_of(output, use.ENDINGS, use.FORMATS[0])
    name = project_for(scope, project)
    weights = weights_of(weight)
    wanted = Wanted(not all_verdicts, population, only_filters(only), way, judge, weights)
    found = use.write_report(scope, name, output, chosen, force=force, wanted=wanted)
    findings = "\n\n".join(
        "\n".join([f"{title}:", *(words for _, words in sentences)])
        for title, sentences in use.summary(found)
    )
    show(
        {**as_dict(found), "output": str(output), "format": chosen},
        as_json,
        lambda: say("written", findings=findings, output=output),
    )
    if gated and found.exit:
        raise typer.Exit(found.exit)
