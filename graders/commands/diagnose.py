"""Which way judges lean, what their confidence is worth, how steady they are."""

from __future__ import annotations

from typing import Annotated, Any

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
from graders.workflows.diagnostics.diagnose import diagnostics, of_judge

NOT_TRUSTED, INCONCLUSIVE = 4, 5


def command(
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    judge: Annotated[
        str, typer.Option("--judge", help="Show this judge alone.", show_default="all")
    ] = "",
    all_verdicts: AllOption = False,
    only: OnlyOption = None,
    population: PopulationOption = "",
    gated: Annotated[
        bool,
        typer.Option(
            "--gate", help="Exit 4 where a lean is real, 5 where the labels do not suffice to say."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show per judge and criterion: leniency, length, place, family, use of the scale, calibration,
    self-consistency, quotes.

    Example: cograde diagnose --project support --judge strict
    """
    scope = scope_for(workspace)
    filters = only_filters(only)
    report = diagnostics(
        scope,
        project_for(scope, project),
        blind_only=not all_verdicts,
        population=population,
        filters=filters,
    )
    if judge:
        report = of_judge(report, judge)
    show(
        {name: value for name, value in report.items() if name != "choices"},
        as_json,
        lambda: _text(report),
    )
    if gated:
        real = any(row["findings"] for one in report["judges"] for row in one["criteria"])
        raise typer.Exit(NOT_TRUSTED if real else 0 if report["tests"] else INCONCLUSIVE)


def _text(report: dict[str, Any]) -> str:
    lines = [
        report["title"],
        report["subtitle"],
        f"Beside people: {report['population']['words']}.",
    ]
    for judge in report["judges"]:
        lines.append(f"\n{judge['name']}")
        for row in judge["criteria"]:
            lines.append(f"  {row['title']} ({row['verdicts']:,} verdicts of people beside it)")
            lines += [
                f"    {figure['title']:<30} {_figure(figure)}" for figure in row["figures"].values()
            ]
    return "\n".join(lines)


def _figure(found: dict[str, Any]) -> str:
    if found["value"] is None or found["low"] is None:
        return str(found["words"])
    return f"{found['value']:.3f} [{found['low']:.3f}, {found['high']:.3f}] {found['words']}"
