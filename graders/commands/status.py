"""Show what is there and what to do next."""

from __future__ import annotations

from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    hint,
    load_outside_commands,
    messages,
    scope_for,
    show,
)
from graders.core.shapes import as_dict
from graders.core.words import carried
from graders.workflows.home.status import Status, status
from graders.workflows.runs import shown_run
from graders.workflows.scope.broken_parts import broken_parts
from graders.workflows.scope.phrases import several

say = carried(
    "command_status",
    {
        "help": (
            "Show what projects hold and what waits. That is each project's content, who decided "
            "its cells, its run, its open screens, and parts that could not be loaded.\n\n"
            "Example: cograde status --json"
        ),
        "no_project": "No project yet: {hint}",
        "project": (
            "{project}: {questions}, {answers} of {models}; cells: {people} by people, {automatic} "
            "automatic, {closed} closed (not applicable or not measured), {pending} pending; "
            "{screens}"
        ),
        "run": "; run {id} {words}",
        "screens.one": "{n} screen waits",
        "screens.other": "{n:,} screens wait",
    },
)
ABOUT = say("help")


def command(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Show each project's content, who decided its cells, its run, how many screens wait, and
    parts that could not be loaded."""
    load_outside_commands()  # so that those that cannot be loaded are among the broken parts
    broken = broken_parts(outside=True)
    found = status(scope_for(workspace), project)
    for part in broken:
        messages.print(part.reason, markup=False)
    show(
        [{**as_dict(row), "broken_parts": broken} for row in found],
        as_json,
        lambda: "\n".join(map(_line, found)) or say("no_project", hint=hint("import FILE")),
    )


def _line(row: Status) -> str:
    cells, run = row.cells, row.run
    first = row.labels_missing
    labels = f"\n  {first.words}. {first.note}".rstrip() if first.words else ""
    questions, answers, models = (
        several(getattr(row, name + "s"), name) for name in ("question", "answer", "model")
    )
    return (
        say(
            "project",
            project=row.project,
            questions=questions,
            answers=answers,
            models=models,
            people=cells["people"] + cells["audit"],
            automatic=cells["automatic"],
            closed=cells["closed"],
            pending=cells["pending"],
            screens=say("screens", n=row.screens),
        )
        + (say("run", id=run.id, words=shown_run.words(run)) if run else "")
        + labels
        + "".join(f"\n  {sentence}." for sentence in row.fast)
    )
