"""Bias, calibration and self-consistency of judges."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._only import AllOption, OnlyOption, PopulationOption, only_filters
from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.core.shapes import as_dict
from graders.core.words import carried
from graders.workflows.agreement.ground import View
from graders.workflows.diagnostics.diagnose import diagnostics, of_judge
from graders.workflows.diagnostics.judge_report import Diagnostics, JudgeFigure

say = carried(
    "command_diagnose",
    {
        "judge.help": "Show this judge only.",
        "judge.default": "all",
        "gated.help": (
            "Exit with 4 where a bias is significant, with 5 where there are too few labels to say."
        ),
        "help": (
            "Show the biases of judges. Per judge and criterion: leniency, length, place, family, "
            "use of the scale, calibration, self-consistency, quotes.\n\n"
            "Example: cograde diagnose --project support --judge strict"
        ),
        "population": "Compared with people: {words}.",
        "criterion": "  {title} ({verdicts:,} ratings compared with people's)",
    },
)
ABOUT = say("help")


NOT_TRUSTED, INCONCLUSIVE = 4, 5


def command(
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    judge: Annotated[
        str, typer.Option("--judge", help=say("judge.help"), show_default=say("judge.default"))
    ] = "",
    all_verdicts: AllOption = False,
    only: OnlyOption = None,
    population: PopulationOption = "",
    gated: Annotated[
        bool,
        typer.Option("--gate", help=say("gated.help")),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show per judge and criterion: leniency, length, place, family, use of the scale,
    calibration, self-consistency, quotes."""
    scope = scope_for(workspace)
    view = View(blind_only=not all_verdicts, population=population, filters=only_filters(only))
    report = diagnostics(scope, project_for(scope, project), view)
    if judge:
        report = of_judge(report, judge)
    shown = as_dict(report)
    del shown["choices"]
    show(shown, as_json, lambda: _text(report))
    if gated:
        real = any(row.findings for one in report.judges for row in one.criteria)
        raise typer.Exit(NOT_TRUSTED if real else 0 if report.tests else INCONCLUSIVE)


def _text(report: Diagnostics) -> str:
    lines = [
        report.title,
        report.subtitle,
        say("population", words=report.population.words),
    ]
    for judge in report.judges:
        lines.append(f"\n{judge.name}")
        for row in judge.criteria:
            lines.append(say("criterion", title=row.title, verdicts=row.verdicts))
            lines += [
                f"    {figure.title:<30} {_figure(figure)}" for figure in row.figures.values()
            ]
    return "\n".join(lines)


def _figure(found: JudgeFigure) -> str:
    if found.value is None or found.low is None:
        return found.words
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}] {found.words}"
