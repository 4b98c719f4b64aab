"""What the machine may decide alone."""

from __future__ import annotations

import typer

from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.workflows.promise.kind_rows import DrawKind, OrderKind, UnsortedShown
from graders.workflows.promise.risk import Risk, gate, risk


def command(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Show per criterion and task type whether the machine's cells are proven, and what is missing.

    The drawn answers must have been labelled blind; alpha and delta are those that were logged
    before. Exits with 0 where every kind of cells is proven, 4 where no number of labels will prove
    one, 5 where labels are missing.

    Example: cograde risk --project support --json
    """
    scope = scope_for(workspace)
    report = risk(scope, project_for(scope, project))
    show(report, as_json, lambda: _text(report))
    code = gate(report.rows)
    if code:
        raise typer.Exit(code)


def _text(report: Risk) -> str:
    lines = [f"{report.title}."]
    for task, terms in (report.terms.tasks if report.terms else {}).items():
        if not terms.drawn:
            continue
        lines.append(
            f"Terms for {task} questions: at most {100 * terms.alpha:g} % may differ, "
            f"sure to {100 * (1 - terms.delta):g} %; "
            f"draw {terms.draw}, {terms.drawn} {report.unit.many}"
            + (", labels are open" if terms.opened else "")
        )
    for row in report.rows:
        lines.append(
            f"{row.title}, {row.task_type} ({row.cells} cells, {row.labels} labelled): {row.state}"
        )
        fresh = "fresh" if row.tested else "more"
        answers = f": {row.answers} {row.unit.many}" if row.answers else ""
        more = f" About {row.missing} {fresh} labels would do{answers}." if row.missing else ""
        lines.append(f"  {row.words}{more}")
        if row.draw.kind is DrawKind.PLACED:
            lines.append(f"  {row.draw.words}")
        if row.order.kind is OrderKind.FIXED and row.order.words not in row.words:
            lines.append(f"  {row.order.words}")
        if isinstance(row.order, UnsortedShown):
            lines.append(f"  {row.order.note}")
    return "\n".join(lines)
