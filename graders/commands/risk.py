"""What the machine may decide alone."""

from __future__ import annotations

from typing import Any

from graders.commands._shell import JsonOption, ProjectOption, WorkspaceOption, project_for, scope_for, show
from graders.workflows.risk import risk


def command(workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False) -> None:
    """Show per criterion and task type whether the machine's cells are proven, and what is missing.

    The drawn answers must have been labelled blind; alpha and delta are those that were logged with the draw.

    Example: cograde risk --project support --json
    """
    scope = scope_for(workspace)
    report = risk(scope, project_for(scope, project))
    show(report, as_json, lambda: _text(report))


def _text(report: dict[str, Any]) -> str:
    lines = [f"{report['title']}."]
    for row in report["rows"]:
        lines.append(f"{row['title']}, {row['task_type']} ({row['cells']} cells, {row['labels']} labelled): {row['state']}")
        more = f" About {row['missing']} more labels would do." if row["missing"] else ""
        lines.append(f"  {row['words']}{more}")
    return "\n".join(lines)
