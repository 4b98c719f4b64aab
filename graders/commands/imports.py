"""The imports of a project: list them, and take one back."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    group,
    hint,
    messages,
    project_for,
    scope_for,
    show,
)
from graders.core.errors import UsageError
from graders.core.words import carried, error_parts
from graders.workflows.importing import take_back
from graders.workflows.importing.take_back import ImportLine, TakenBack
from graders.workflows.routing.route import route

say = carried(
    "command_imports",
    {
        "help": (
            "List the imports of a project, and take one back before it is graded.\n\n"
            "Example: cograde imports list --project support"
        ),
        "list.help": (
            "List the imports of a project: file, time, what each brought, and whether it can be "
            "taken back.\n\n"
            "Example: cograde imports list --project support"
        ),
        "number.help": "The number of the import, as imports list shows it.",
        "yes.help": "Take it back without asking.",
        "take.help": (
            "Take an import back as a whole: what it brought goes, what it replaced is put "
            "back.\n\n"
            "Refused once a person graded, a judge judged, or a later import changed it.\n\n"
            "Example: cograde imports take-back 3"
        ),
        "none": "No import is finished yet.",
        "line": "{id:>6}  {at}  {source}  by {by}: {brought}{state}",
        "terminal": "the terminal",
        "can": ". Take back: {hint}",
        "cannot": ". {why}",
        "ask": "Take back import {id}, {source}: {brought}? They leave the project.",
        "error.ask.where": "import {id}",
        "error.ask.found": "no terminal to ask on",
        "error.ask.expected": "--yes",
        "error.ask.remedy": "Nothing was changed. Give --yes to take it back without a question.",
        "kept": "Nothing was changed.",
        "taken": "Taken back from {project}: {source} ({brought}).{versions}{questions}{stay}",
        "versions.one": " 1 answer has its earlier text again.",
        "versions.other": " {n:,} answers have their earlier texts again.",
        "questions.one": " 1 question is as it was.",
        "questions.other": " {n:,} questions are as they were.",
        "stay": " Still in force, because changed or used since: rubric {names}.",
    },
)


app = group(say("help"))


@app.command("list", help=say("list.help"))
def list_imports(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """List the imports of a project."""
    scope = scope_for(workspace)
    found = take_back.listed_imports(scope, project_for(scope, project))
    show(found, as_json, lambda: "\n".join(map(_line, found)) or say("none"))


@app.command("take-back", help=say("take.help"))
def take_one_back(
    number: Annotated[int, typer.Argument(help=say("number.help"))],
    yes: Annotated[bool, typer.Option("--yes", help=say("yes.help"))] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take an import back as a whole."""
    scope = scope_for(workspace)
    found = take_back.one_import(scope, number)
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError(**error_parts("command_imports.error.ask", id=number))
        asked = say("ask", id=number, source=found.source, brought=found.brought)
        if not typer.confirm(asked, default=False, err=True):
            messages.print(say("kept"))
            return
    done = take_back.take_back(scope, number)
    if done.unplaced:
        route(scope, done.project)
    show(done, as_json, lambda: _taken(done))


def _line(one: ImportLine) -> str:
    if one.can_take_back:
        state = say("can", hint=hint(f"imports take-back {one.id}", whole_workspace=True))
    else:
        state = say("cannot", why=one.why_not)
    return say(
        "line",
        id=one.id,
        at=one.at[:16].replace("T", " "),
        source=one.source,
        by=one.by or say("terminal"),
        brought=one.brought,
        state=state,
    )


def _taken(done: TakenBack) -> str:
    return say(
        "taken",
        project=done.project,
        source=done.source,
        brought=done.brought,
        versions=say("versions", n=done.answers) if done.answers else "",
        questions=say("questions", n=done.questions) if done.questions else "",
        stay=say("stay", names=", ".join(done.stay)) if done.stay else "",
    )
