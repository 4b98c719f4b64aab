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
from graders.core.words import carried
from graders.workflows.importing.labels_chosen import label_imports
from graders.workflows.promise.kind_rows import DrawKind, OrderKind, UnsortedShown
from graders.workflows.promise.risk import Risk, gate, risk
from graders.workflows.scope.permissions import Scope

say = carried(
    "command_risk",
    {
        "help": (
            "Test the error limit of automatic cells. Shows per criterion and task type whether it "
            "is proven, and what is missing.\n\n"
            "The drawn answers must have been labelled blind; alpha and delta are those that were "
            "logged before. Exits with 0 where every kind of cells is proven, with 4 where no "
            "number of labels will prove one, with 5 where labels are missing.\n\n"
            "Example: cograde risk --project support --json"
        ),
        "terms": (
            "Terms for {task} questions: at most {alpha:g} % may differ, with {sure:g} % "
            "confidence; draw {draw}, {drawn} {many}"
        ),
        "open": ", labels are open",
        "criterion": "{title}, {task_type} ({cells} cells, {labels} labelled): {state}",
        "waiting": (
            "{n:,} imported labels of {source} wait for their test: cograde promise open --import "
            "{number}"
        ),
        "missing": " About {missing} {fresh} labels would suffice{answers}.",
    },
)
ABOUT = say("help")


def command(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Show per criterion and task type whether the machine's cells are proven, and what is
    missing."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    report = risk(scope, name)
    show(report, as_json, lambda: "\n".join([_text(report), *_waiting(scope, name)]))
    code = gate(report.rows)
    if code:
        raise typer.Exit(code)


def _waiting(scope: Scope, project: str) -> list[str]:
    """The imported labels that wait for their test."""
    return [
        say("waiting", n=one.kept, source=one.source, number=one.id)
        for one in label_imports(scope, project)
        if one.kept
    ]


def _text(report: Risk) -> str:
    lines = [f"{report.title}."]
    for task, terms in (report.terms.tasks if report.terms else {}).items():
        if not terms.drawn:
            continue
        lines.append(
            say(
                "terms",
                task=task,
                alpha=100 * terms.alpha,
                sure=100 * (1 - terms.delta),
                draw=terms.draw,
                drawn=terms.drawn,
                many=report.unit.many,
            )
            + (say("open") if terms.opened else "")
        )
    lines += [saving.words for saving in report.savings]
    for row in report.rows:
        lines.append(
            say(
                "criterion",
                title=row.title,
                task_type=row.task_type,
                cells=row.cells,
                labels=row.labels,
                state=row.state,
            )
        )
        fresh = "fresh" if row.tested else "more"
        answers = f": {row.answers} {row.unit.many}" if row.answers else ""
        more = (
            say("missing", missing=row.missing, fresh=fresh, answers=answers) if row.missing else ""
        )
        lines.append(f"  {row.words}{more}")
        if row.draw.kind is DrawKind.PLACED:
            lines.append(f"  {row.draw.words}")
        if row.order.kind is OrderKind.FIXED and row.order.words not in row.words:
            lines.append(f"  {row.order.words}")
        if isinstance(row.order, UnsortedShown):
            lines.append(f"  {row.order.note}")
    return "\n".join(lines)
