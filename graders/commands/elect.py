"""Elected references: who they are and by what numbers, and a person's word against them."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._shell import (
    Context,
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
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.results import references

app = group(
    "References that are elected among the answers to a question.", "elect show --project support"
)

QuestionArgument = Annotated[str, typer.Argument(help="The question's id.")]


@app.command("show")
def show_(
    question: Annotated[
        str, typer.Argument(help="The question's id; without one, all questions that elect.")
    ] = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Who is the reference of each question, and by what numbers; of one question, every candidate.

    Example: cograde elect show q06
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    if question:
        found = references.one(scope, name, question)
        show(found, as_json, lambda: _one(found))
        return
    rows = [
        row
        for row in references.shown(scope, name)
        if row.kind not in (references.GIVEN, references.NONE)
    ]
    empty = (
        "No question elects: elections need factual questions without references, "
        "and a criterion with `reference: elected`."
    )
    show(
        {"project": name, "questions": rows},
        as_json,
        lambda: "\n".join(f"{row.question}: {told(row)}" for row in rows) or empty,
    )


@app.command("appoint")
def appoint(
    question: QuestionArgument,
    model: Annotated[str, typer.Argument(help="Whose answer is the reference.")] = "",
    back: Annotated[
        bool, typer.Option("--back", help="Give the question back to the numbers.")
    ] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make a model's answer the reference of a question. Only what depends on it is computed again.

    Example: cograde elect appoint q06 Birch, and to take it back: cograde elect appoint q06 --back
    """
    if bool(model) == back:
        raise typer.BadParameter("Name a model, or say --back.")
    scope = scope_for(workspace)
    name = project_for(scope, project)
    made = references.appoint(
        scope, name, question, model, encoder_for(Context.settings.models(), scope.ws)
    )
    show(
        made,
        as_json,
        lambda: "\n".join([told(references.one(scope, name, question)), *_followed(made)]),
    )
    if made.judged:
        messages.print(
            f"Judges are asked again about these cells alone: {hint('grade', project)}",
            markup=False,
        )


@app.command("again")
def again(
    question: Annotated[
        str, typer.Argument(help="The question's id; without one, all questions.")
    ] = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Count the votes as they stand now, as every run does: people may have decided cells
    meanwhile.

    Example: cograde elect again
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    made = references.renew(
        scope,
        name,
        [question] if question else None,
        encoder_for(Context.settings.models(), scope.ws),
    )
    line = f"Questions that came out otherwise: {len(made.changed)}."
    show(made, as_json, lambda: "\n".join([line, *_followed(made)]))


def told(row: references.Reference) -> str:
    """``Cedar, elected: relevance + clarity 2 of 2; 4 of 5 answers as good``, or why there is
    nobody."""
    if row.kind == references.GIVEN:
        return f"brings references of its own: {row.references}"
    if row.kind == references.NONE:
        return "asks for no elected reference"
    out = f"; without all their values: {row.out} of {row.candidates}" if row.out else ""
    if row.kind == references.NOBODY:
        return f"nobody yet{out}" if row.candidates else "nobody yet; the votes were never counted"
    if row.kind == references.APPOINTED:
        return f"{row.model}, appointed by {row.by}"
    best = len(row.best)
    return (
        f"{row.model}, elected with {row.score:g} of "
        f"{row.of}{f', among {best} as good' if best > 1 else ''}{out}"
    )


def _one(found: references.OneReference) -> str:
    lines = [f"{found.question}: {told(found)}"]
    for row in found.rows:
        parts = [
            f"{title} {value:.2f}"
            for title, value in zip(found.electors, row.values or (), strict=False)
        ]
        parts += (
            [f"{found.measure.replace('_', ' ')} to the others {row.mean:.3f}"]
            if row.mean is not None
            else []
        )
        parts += [row.why] if row.why else []
        parts += [f"{row.characters:,} characters"]
        lines.append(f"{'★' if row.reference else ' '} {row.model}: {', '.join(parts)}")
    if found.stale:
        lines.append(f"Values changed since the count: {hint('elect again ' + found.question)}")
    lines += [
        f"{title}: {n} cells whose judge saw another reference"
        for title, n in found.depends.items()
    ]
    return "\n".join(lines)


def _followed(made: references.Followed) -> list[str]:
    """What was computed again, and what waits for judges."""
    measured = ", ".join(
        f"{name.replace('_', ' ')} of {n} answers" for name, n in made.measured.items()
    )
    judged = ", ".join(f"{title} {n}" for title, n in made.judged.items())
    lines = [
        f"Computed again, with another value: {measured}."
        if measured
        else "No measure came out otherwise."
    ]
    return [*lines, f"Cells whose judge saw another reference: {judged}."] if judged else lines
