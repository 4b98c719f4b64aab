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
from graders.core.words import carried
from graders.workflows.diagnostics import seeded_faults
from graders.workflows.diagnostics.seeded_faults import Detection, Noticed

say = carried(
    "command_controls",
    {
        "help": (
            "Measure who notices seeded faults. Copies of answers get one fault each by code, so "
            "no label is needed.\n\n"
            "Example: cograde controls seed --project support"
        ),
        "seed.share.help": "Share of the answers that can have a fault which get a copy with it.",
        "seed.help": (
            "Make the copies and run the rules on them. Judges are asked in a run of the copies, "
            "which shows its price first.\n\n"
            "Example: cograde controls seed --share 0.2 --project support"
        ),
        "seeded": "{text}\nNew copies: {made}. Ask a judge: {next}",
        "detection.help": (
            "Show who notices the seeded faults: judges, the rules together, each rule, each "
            "person.\n\n"
            "Example: cograde controls detection --project support"
        ),
        "stale": "\n{stale} copies are of answers that have changed since.",
        "too_few": "{copies} graded INCONCLUSIVE: {reason}",
        "raised": ", {raised} raised",
        "doubt": " INCONCLUSIVE: {reason}",
        "noticed": "{noticed} of {copies} noticed{raised}{bounds}{doubt}",
    },
)


app = group(say("help"))


@app.command("seed", help=say("seed.help"))
def seed(
    share: Annotated[
        float,
        typer.Option(
            callback=above_zero(1),
            help=say("seed.share.help"),
        ),
    ] = seeded_faults.SHARE,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make the copies and run the rules on them. Judges are asked in a run of the copies, which
    shows its price first."""
    scope = scope_for(workspace)
    found = seeded_faults.seed(scope, project_for(scope, project), share)
    show(
        found,
        as_json,
        lambda: say("seeded", text=_text(found), made=found.made, next=_next(found)),
    )


@app.command("detection", help=say("detection.help"))
def detection(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Show who notices the seeded faults: judges, the rules together, each rule, each person."""
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
        lines.append(say("stale", stale=found.stale))
    return "\n".join(lines)


def _figure(figure: Noticed) -> str:
    if figure.noticed is None:
        return say("too_few", copies=figure.copies, reason=figure.reason)
    bounds = "" if figure.low is None else f" [{figure.low:.2f}, {figure.high:.2f}]"
    raised = say("raised", raised=figure.raised) if figure.raised else ""
    doubt = "" if figure.status == "OK" else say("doubt", reason=figure.reason)
    return say(
        "noticed",
        noticed=figure.noticed,
        copies=figure.copies,
        raised=raised,
        bounds=bounds,
        doubt=doubt,
    )
