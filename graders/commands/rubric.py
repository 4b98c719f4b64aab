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
from graders.workflows.rubrics import edit as rubrics_edit
from graders.workflows.rubrics import rubric_list as listing

app = group(
    (
        "What is graded, and how: show a rubric, compare it with a file or an earlier version, "
        "put a file in force."
    ),
    "rubric show answer-quality --project support",
)

FileArgument = Annotated[Path, typer.Argument(help="A rubric file (YAML).")]


@app.command("show")
def show_rubric(
    name: Annotated[
        str, typer.Argument(help="The name of a rubric.", show_default="all, without their texts")
    ] = "",
    version: Annotated[
        int | None, typer.Option("--version", help="The number of an earlier version.")
    ] = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show the rubrics in force with their versions, or the text of one.

    Example: cograde rubric show answer-quality --project support
    """
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
        known = ", ".join(row.name for row in found.rubrics) or "none yet"
        raise NotFound(
            f"rubric {name!r}", found="no such rubric in this project", expected=f"one of {known}"
        )
    show(one, as_json, lambda: one.source.rstrip())


@app.command("diff")
def diff(
    file: Annotated[Path | None, typer.Argument(help="A rubric file (YAML).")] = None,
    name: Annotated[
        str, typer.Option("--name", help="With --version: the name of the rubric.")
    ] = "",
    version: Annotated[
        int | None,
        typer.Option("--version", help="Compare an earlier version with the present text."),
    ] = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Say what a file would change, or what has changed since an earlier version, and how many
    verdicts become stale. Nothing is kept.

    Example: cograde rubric diff answer-quality.yaml --project support
    """
    scope = scope_for(workspace)
    project_name = project_for(scope, project)
    if file is None and not (name and version is not None):
        raise InputError(
            "rubric diff",
            found="nothing to compare",
            expected="a file, or --name with --version",
            remedy="Name one of the two.",
        )
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


@app.command("put")
def put(
    file: FileArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Put a file in force, in place of the rubric of that name or beside the others. Earlier texts
    and all verdicts are kept.

    Example: cograde rubric put answer-quality.yaml --project support
    """
    scope = scope_for(workspace)
    project_name = project_for(scope, project)
    made = rubrics_edit.put(scope, project_name, _read(file))
    again = rubrics_edit.regrade_plan(scope, project_name, made.name)
    number = (
        f" as version {made.version}, for another text had the version that it names"
        if made.raised
        else ""
    )
    result = {**as_dict(made), "again": again}
    more = (
        f"\nJudges are asked again about {again.answers} answers: {hint('grade')}"
        if again.answers
        else ""
    )
    show(
        result,
        as_json,
        lambda: f"{made.name} is in force{number}.\n{_changes_text(made.said, made.stale)}{more}",
    )


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            str(file),
            found=str(getattr(error, "strerror", "") or "no UTF-8"),
            expected="a rubric file",
            remedy="Correct the path.",
        ) from error


def _list_text(found: listing.RubricList) -> str:
    lines = [found.title]
    for row in found.rubrics:
        lines.append(f"{row.name}, version {row.version}")
        for one in row.criteria:
            stale = {"people": one.people, "judges": one.judges, "rules": one.rules}
            old = ", ".join(f"{n} by {kind}" for kind, n in stale.items() if n)
            lines.append(
                f"  {one.name}: {one.now} verdicts"
                + (f"; under an earlier wording {old}" if old else "")
            )
        lines += [
            f"  text {v.id}: version {v.version}, {v.at[:10]}{', in force' if v.active else ''}"
            for v in row.versions
        ]
    return "\n".join(lines)


def _changes_text(said: Sequence[str], stale: Mapping[str, listing.VerdictCounts]) -> str:
    lines = list(said) or ["Nothing that decides a verdict changes."]
    for name, counts in stale.items():
        told = ", ".join(f"{n} by {kind}" for kind, n in as_dict(counts).items() if n) or "none"
        lines = [*lines, f"Verdicts on {name} that no longer count, and are kept: {told}."]
    return "\n".join(lines)
