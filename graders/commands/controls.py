"""Controls: copies of answers with one known fault, and who notices it."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    group,
    hint,
    project_for,
    scope_for,
    show,
)
from graders.commands._values import above_zero
from graders.workflows.diagnostics import seeded_faults
from graders.workflows.diagnostics.seeded_faults import Detection, Noticed

app = group(
    "Copies of answers with one fault put in by code: who notices it, without a label.",
    "controls seed --project support",
)


@app.command("seed")
def seed(
    share: Annotated[
        float,
        typer.Option(
            callback=above_zero(1),
            help="Of the answers that can have a fault, how many get a copy with it.",
        ),
    ] = seeded_faults.SHARE,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make the copies and run the rules on them. Judges are asked in a run of the copies, which
    shows its price first.

    Example: cograde controls seed --share 0.2 --project support
    """
    scope = scope_for(workspace)
    found = seeded_faults.seed(scope, project_for(scope, project), share)
    show(
        found,
        as_json,
        lambda: f"{_text(found)}\nNew copies: {found.made}. Ask a judge: {_next(found)}",
    )


@app.command("detection")
def detection(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Show who notices the seeded faults: judges, the rules together, each rule, each person.

    Example: cograde controls detection --project support
    """
    scope = scope_for(workspace)
    found = seeded_faults.detection(scope, project_for(scope, project))
    show(found, as_json, lambda: _text(found))


def _next(found: Detection) -> str:
    return hint("grade --plan --judge PROVIDER:MODEL", found.project)


def _text(found: Detection) -> str:
    lines = [found.words]
    titles = {fault.name: fault.title for fault in found.faults}
    for grader in found.graders:
        lines.append(f"\n{grader.name}: {_figure(grader.all)}")
        lines += [
            f"  {titles[name]:<24} {_figure(figure)}" for name, figure in grader.faults.items()
        ]
    if found.stale:
        lines.append(f"\n{found.stale} copies are of answers that have changed since.")
    return "\n".join(lines)


def _figure(figure: Noticed) -> str:
    if figure.noticed is None:
        return f"{figure.copies} graded INCONCLUSIVE: {figure.reason}"
    bounds = (
        ""
        if figure.low is None or figure.high is None
        else f" [{figure.low:.2f}, {figure.high:.2f}]"
    )
    raised = f", {figure.raised} raised" if figure.raised else ""
    doubt = "" if figure.status == "OK" else f" INCONCLUSIVE: {figure.reason}"
    return f"{figure.noticed} of {figure.copies} noticed{raised}{bounds}{doubt}"
