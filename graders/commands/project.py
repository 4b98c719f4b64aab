"""Projects: list, rename, delete."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graders.commands._shell import (
    JsonOption,
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
from graders.store import projects
from graders.workflows.projects import delete, rename
from graders.workflows.report.export_whole import export_whole

say = carried(
    "command_project",
    {
        "help": (
            "List, rename and delete projects.\n\n"
            "Example: cograde project rename support --title 'Support bot'"
        ),
        "list.help": "List the projects of a workspace.\n\nExample: cograde project list",
        "name.help": "The project's name, as project list shows it.",
        "title.help": "The title on pages and in reports.",
        "new_name.help": "The name in commands and links; the earlier name keeps working.",
        "unchanged": "as it is",
        "rename.help": (
            "Give a project another title or name.\n\n"
            "Example: cograde project rename support --title 'Support bot' --name support-bot"
        ),
        "export.help": "The new .zip file that gets all of the project first.",
        "yes.help": "Delete without asking for the project's name.",
        "delete.help": (
            "Write all of a project into a file, then delete it. The file brings it back: "
            "cograde import FILE.\n\n"
            "Refused where the file cannot be written, a run is not over, or a person has a screen "
            "open.\n\n"
            "Example: cograde project delete support --export support.zip"
        ),
        "none": "No project yet.",
        "line": "{name}  {title}",
        "renamed": "{was} is now {name}, titled {title}.",
        "written": "Written: {output} ({human:,} ratings by people, {judge:,} by judges).",
        "ask": "Type “{name}” to delete it",
        "error.ask.where": "project {name!r}",
        "error.ask.found": "no terminal to ask on",
        "error.ask.expected": "--yes",
        "error.ask.remedy": "Nothing was deleted. Give --yes to delete it without a question.",
        "deleted": (
            "Deleted: {name}. To bring it back: {hint}\n"
            "The workspace keeps its size; {megabytes:.1f} MB in it are free for what comes next."
        ),
    },
)


app = group(say("help"))
Name = Annotated[str, typer.Argument(help=say("name.help"))]


@dataclass(frozen=True, slots=True)
class Listed:
    """A project in the list."""

    name: str
    title: str


@app.command("list", help=say("list.help"))
def list_projects(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """List the projects of a workspace."""
    found = [Listed(p.name, p.title) for p in projects.begun_projects(scope_for(workspace).ws)]
    lines = [say("line", name=one.name, title=one.title) for one in found]
    show(found, as_json, lambda: "\n".join(lines) or say("none"))


@app.command("rename", help=say("rename.help"))
def rename_project(
    name: Name,
    title: Annotated[str, typer.Option(help=say("title.help"), show_default=say("unchanged"))] = "",
    new_name: Annotated[
        str, typer.Option("--name", help=say("new_name.help"), show_default=say("unchanged"))
    ] = "",
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give a project another title or name."""
    scope = scope_for(workspace)
    found = rename.rename(scope, project_for(scope, name), title, new_name)
    text = say("renamed", was=found.was_name, name=found.name, title=found.title)
    show(found, as_json, lambda: text)


@app.command("delete", help=say("delete.help"))
def delete_project(
    name: Name,
    export: Annotated[Path, typer.Option("--export", help=say("export.help"))],
    yes: Annotated[bool, typer.Option("--yes", help=say("yes.help"))] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write all of a project into a file, then delete it."""
    scope = scope_for(workspace)
    name = project_for(scope, name)
    if not (yes or sys.stdin.isatty()):
        raise UsageError(**error_parts("command_project.error.ask", name=name))
    delete.need_idle(scope, name)
    written = export_whole(scope, name, export)
    held = written.content
    messages.print(say("written", output=export, human=held.human, judge=held.judge), markup=False)
    done = delete.delete(scope, name, _typed(name, yes), written.state)
    megabytes = done.free_bytes / 1e6
    again = hint(f"import {shlex.quote(str(export))}", name)
    text = say("deleted", name=name, hint=again, megabytes=megabytes)
    show({"output": str(export), "deleted": done}, as_json, lambda: text)


def _typed(name: str, yes: bool) -> str:
    return name if yes else str(typer.prompt(say("ask", name=name), err=True))
