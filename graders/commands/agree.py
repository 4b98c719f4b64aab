"""Agreement between judges and people."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graders.commands._shell import JsonOption, ProjectOption, WorkspaceOption, project_for, scope_for, show
from graders.workflows.agree import agreement


def command(
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    all_verdicts: Annotated[bool, typer.Option("--all", help="Count verdicts given with suggestions in sight too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show per criterion how far each judge agrees with people, and people with each other, from blind verdicts.

    Example: cograde agree --project support --json
    """
    scope = scope_for(workspace)
    report = agreement(scope, project_for(scope, project), blind_only=not all_verdicts)
    show(report, as_json, lambda: _text(report))


def _text(report: dict[str, Any]) -> str:
    lines = [report["title"], f"Population: {report['population']['words']}."]
    for criterion in report["criteria"]:
        lines.append(f"\n{criterion['title']} ({criterion['figure']}; {criterion['cells']} cells, {criterion['questions']} questions)")
        lines.append(f"  {'people among themselves':<28} {_figure(criterion['people']['mean'])}")
        if criterion["control"]:
            lines.append("  on the author's own text: " + ", ".join(f"{one['by']} {one['shown']}" for one in criterion["control"]))
        for judge in criterion["judges"]:
            lines.append(f"  {judge['name']:<28} {_figure(judge['shown'])}  {judge['verdict']['sign']} {judge['verdict']['word']}")
            if judge["adjudicated"]:
                lines.append(f"  {'  against adjudicated':<28} {_figure(judge['adjudicated']['lead'])}")
    return "\n".join(lines)


def _figure(found: dict[str, Any] | None) -> str:
    if found is None or found["value"] is None:
        return f"no figure ({found['reason'] if found else 'no pair'})"
    bounds = f" [{found['low']:.3f}, {found['high']:.3f}]" if found["low"] is not None else ""
    return f"{found['value']:.4f}{bounds}" + (f" {found['status']}: {found['reason']}" if found["status"] != "OK" else "")
