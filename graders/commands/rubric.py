"""Rubrics of a project: show one, compare, put a file in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
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
from graders.core.errors import InputError, NotFound
from graders.core.shapes import as_dict
from graders.core.words import carried, error_parts
from graders.workflows.rubrics import edit as rubrics_edit
from graders.workflows.rubrics import rubric_list as listing

say = carried(
    "command_rubric",
    {
        "help": (
            "Show, compare and replace rubrics. Compare one with a file or an earlier version, and "
            "put a file in force.\n\n"
            "Example: cograde rubric show answer-quality --project support"
        ),
        "file.help": "A rubric file (YAML).",
        "show.name.help": "The name of a rubric.",
        "show.name.default": "all, without their texts",
        "show.version.help": "The number of an earlier version.",
        "show.help": (
            "Show the rubrics in force with their versions, or the text of one.\n\n"
            "Example: cograde rubric show answer-quality --project support"
        ),
        "none_yet": "none yet",
        "error.no_rubric.where": "rubric {name!r}",
        "error.no_rubric.found": "no such rubric in this project",
        "error.no_rubric.expected": "one of {known}",
        "diff.file.help": "A rubric file (YAML).",
        "diff.name.help": "With --version: the name of the rubric.",
        "diff.version.help": "Compare an earlier version with the present text.",
        "diff.help": (
            "Say what a file would change. Or what has changed since an earlier version, and how "
            "many verdicts become stale. Nothing is kept.\n\n"
            "Example: cograde rubric diff answer-quality.yaml --project support"
        ),
        "error.nothing_to_compare.where": "rubric diff",
        "error.nothing_to_compare.found": "nothing to compare",
        "error.nothing_to_compare.expected": "a file, or --name with --version",
        "error.nothing_to_compare.remedy": "Name one of the two.",
        "put.help": (
            "Put a file in force. It replaces the rubric of that name or stands beside the others. "
            "Earlier texts and all verdicts are kept.\n\n"
            "Example: cograde rubric put answer-quality.yaml --project support"
        ),
        "other_version": (
            " as version {version}, because another text has the version that it names"
        ),
        "judges_again": "\nAsk the judges again about {answers} answers: {hint}",
        "in_force": "{name} is in force{number}.\n{changes}{more}",
        "error.file.where": "{file}",
        "error.file.found": "{why}",
        "error.file.expected": "a rubric file",
        "error.file.remedy": "Correct the path.",
        "version": "{name}, version {version}",
        "graders": "{n} by {kind}",
        "verdicts": "  {name}: {now} verdicts",
        "under_earlier": "; under an earlier wording {old}",
        "text": "  text {id}: version {version}, {date}{active}",
        "no_change": "Nothing that decides a verdict changes.",
        "by": "{n} by {kind}",
        "stale": "Verdicts on {name} that no longer count, and are kept: {told}.",
        "active": ", in force",
    },
)


app = group(say("help"))

FileArgument = Annotated[Path, typer.Argument(help=say("file.help"))]


@app.command("show", help=say("show.help"))
def show_rubric(
    name: Annotated[
        str, typer.Argument(help=say("show.name.help"), show_default=say("show.name.default"))
    ] = "",
    version: Annotated[int | None, typer.Option("--version", help=say("show.version.help"))] = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show the rubrics in force with their versions, or the text of one."""
    scope = scope_for(workspace)
    project_name = project_for(scope, project)
    if name and version is not None:
        old = rubrics_edit.version(scope, project_name, name, version)
        return show(old, as_json, lambda: old.source.rstrip())
    found = listing.rubric_list(scope, project_name)
    if not name:
        return show(found, as_json, lambda: _list_text(found))
    one = next((row for row in found.rubrics if row.name == name), None)
    if one is None:
        known = ", ".join(row.name for row in found.rubrics) or say("none_yet")
        raise NotFound(**error_parts("command_rubric.error.no_rubric", name=name, known=known))
    show(one, as_json, lambda: one.source.rstrip())


@app.command("diff", help=say("diff.help"))
def diff(
    file: Annotated[Path | None, typer.Argument(help=say("diff.file.help"))] = None,
    name: Annotated[str, typer.Option("--name", help=say("diff.name.help"))] = "",
    version: Annotated[
        int | None,
        typer.Option("--version", help=say("diff.version.help")),
    ] = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Say what a file would change, or what has changed since an earlier version, and how many
    verdicts become stale. Nothing is kept."""
    scope = scope_for(workspace)
    project_name = project_for(scope, project)
    if file is None and not (name and version is not None):
        raise InputError(**error_parts("command_rubric.error.nothing_to_compare"))
    if file is None:
        old = rubrics_edit.version(scope, project_name, name, version or 0)
        return show(old, as_json, lambda: _changes_text(old.said, {}))
    found = rubrics_edit.look(scope, project_name, _read(file))
    if found.errors:
        error = found.errors[0]
        raise InputError(
            error.where, found=error.found, expected=error.expected, remedy=error.remedy
        )
    show(found, as_json, lambda: _changes_text(found.said, found.stale))


@app.command("put", help=say("put.help"))
def put(
    file: FileArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Put a file in force, in place of the rubric of that name or beside the others. Earlier
    texts and all verdicts are kept."""
    scope = scope_for(workspace)
    project_name = project_for(scope, project)
    made = rubrics_edit.put(scope, project_name, _read(file))
    again = rubrics_edit.regrade_plan(scope, project_name, made.name)
    number = say("other_version", version=made.version) if made.raised else ""
    result = {**as_dict(made), "again": again}
    more = say("judges_again", answers=again.answers, hint=hint("grade")) if again.answers else ""
    show(
        result,
        as_json,
        lambda: say(
            "in_force",
            name=made.name,
            number=number,
            changes=_changes_text(made.said, made.stale),
            more=more,
        ),
    )


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            **error_parts(
                "command_rubric.error.file",
                file=str(file),
                why=str(getattr(error, "strerror", "") or "no UTF-8"),
            )
        ) from error


def _list_text(found: listing.RubricList) -> str:
    lines = [found.title]
    for row in found.rubrics:
        lines.append(say("version", name=row.name, version=row.version))
        for one in row.criteria:
            stale = {"people": one.people, "judges": one.judges, "rules": one.rules}
            old = ", ".join(say("graders", n=n, kind=kind) for kind, n in stale.items() if n)
            lines.append(
                say("verdicts", name=one.name, now=one.now)
                + (say("under_earlier", old=old) if old else "")
            )
        lines += [
            say(
                "text",
                id=v.id,
                version=v.version,
                date=v.at[:10],
                active=say("active") if v.active else "",
            )
            for v in row.versions
        ]
    return "\n".join(lines)


def _changes_text(said: Sequence[str], stale: Mapping[str, listing.VerdictCounts]) -> str:
    lines = list(said) or [say("no_change")]
    for name, counts in stale.items():
        told = (
            ", ".join(say("by", n=n, kind=kind) for kind, n in as_dict(counts).items() if n)
            or "none"
        )
        lines = [*lines, say("stale", name=name, told=told)]
    return "\n".join(lines)
