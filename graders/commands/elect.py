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
from graders.core.words import carried
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.results import references

say = carried(
    "command_elect",
    {
        "help": (
            "Show or change elected references. A reference is elected among the answers to a "
            "question.\n\n"
            "Example: cograde elect show --project support"
        ),
        "question.help": "The question's id.",
        "show.question.help": "The question's id; without one, all questions with an election.",
        "show.help": (
            "Show the reference of each question, and the numbers behind it; of one question, "
            "every candidate.\n\n"
            "Example: cograde elect show q06"
        ),
        "none": (
            "No question has an election: it needs a factual question without a reference, and a "
            "criterion with `reference: elected`."
        ),
        "appoint.model.help": "The model whose answer is the reference.",
        "appoint.back.help": "Let the numbers decide again.",
        "appoint.help": (
            "Make a model's answer the reference of a question. Only what depends on it is "
            "computed again.\n\n"
            "Example: cograde elect appoint q06 Birch, and to take it back: cograde elect appoint "
            "q06 --back"
        ),
        "name_a_model": "Name a model, or use --back.",
        "judges_again": "Ask the judges again about these cells only: {hint}",
        "again.question.help": "The question's id; without one, all questions.",
        "again.help": (
            "Count the votes as they are now. Every run does so too: people may have decided cells "
            "meanwhile.\n\n"
            "Example: cograde elect again"
        ),
        "changed": "Questions with another result: {changed}.",
        "tied": ", among {best} as good",
        "own": "has references of its own: {references}",
        "not_asked": "asks for no elected reference",
        "out": "; without all their values: {out} of {candidates}",
        "nobody": "none yet{out}",
        "not_counted": "none yet; the votes were never counted",
        "appointed": "{model}, appointed by {by}",
        "elected": "{model}, elected with {score:g} of {of_}{tied}{out}",
        "others": "{measure} to the others {mean:.3f}",
        "characters": "{characters:,} characters",
        "values_changed": "Values changed since the count: {hint}",
        "saw_other": "{title}: {n} cells whose judge saw another reference",
        "remeasured": "{measure} of {n} answers",
        "other_value": "Computed again, with another value: {measured}.",
        "same_values": "No measure changed.",
        "judged": "Cells whose judge saw another reference: {judged}.",
    },
)


app = group(say("help"))

QuestionArgument = Annotated[str, typer.Argument(help=say("question.help"))]


@app.command("show", help=say("show.help"))
def show_(
    question: Annotated[str, typer.Argument(help=say("show.question.help"))] = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Who is the reference of each question, and by what numbers; of one question, every
    candidate."""
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
    empty = say("none")
    show(
        {"project": name, "questions": rows},
        as_json,
        lambda: "\n".join(f"{row.question}: {told(row)}" for row in rows) or empty,
    )


@app.command("appoint", help=say("appoint.help"))
def appoint(
    question: QuestionArgument,
    model: Annotated[str, typer.Argument(help=say("appoint.model.help"))] = "",
    back: Annotated[bool, typer.Option("--back", help=say("appoint.back.help"))] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make a model's answer the reference of a question. Only what depends on it is computed
    again."""
    if bool(model) == back:
        raise typer.BadParameter(say("name_a_model"))
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
            say("judges_again", hint=hint("grade", project)),
            markup=False,
        )


@app.command("again", help=say("again.help"))
def again(
    question: Annotated[str, typer.Argument(help=say("again.question.help"))] = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Count the votes as they stand now, as every run does: people may have decided cells
    meanwhile."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    made = references.renew(
        scope,
        name,
        [question] if question else None,
        encoder_for(Context.settings.models(), scope.ws),
    )
    line = say("changed", changed=len(made.changed))
    show(made, as_json, lambda: "\n".join([line, *_followed(made)]))


def told(row: references.Reference) -> str:
    """``Cedar, elected: relevance + clarity 2 of 2; 4 of 5 answers as good``, or why there is
    nobody."""
    if row.kind == references.GIVEN:
        return say("own", references=row.references)
    if row.kind == references.NONE:
        return say("not_asked")
    out = say("out", out=row.out, candidates=row.candidates) if row.out else ""
    if row.kind == references.NOBODY:
        return say("nobody", out=out) if row.candidates else say("not_counted")
    if row.kind == references.APPOINTED:
        return say("appointed", model=row.model, by=row.by)
    best = len(row.best)
    return say(
        "elected",
        model=row.model,
        score=row.score,
        of_=row.of,
        tied=say("tied", best=best) if best > 1 else "",
        out=out,
    )


def _one(found: references.OneReference) -> str:
    lines = [f"{found.question}: {told(found)}"]
    for row in found.rows:
        parts = [
            f"{title} {value:.2f}"
            for title, value in zip(found.electors, row.values or (), strict=False)
        ]
        parts += (
            [say("others", measure=found.measure.replace("_", " "), mean=row.mean)]
            if row.mean is not None
            else []
        )
        parts += [row.why] if row.why else []
        parts += [say("characters", characters=row.characters)]
        lines.append(f"{'★' if row.reference else ' '} {row.model}: {', '.join(parts)}")
    if found.stale:
        lines.append(say("values_changed", hint=hint("elect again " + found.question)))
    lines += [say("saw_other", title=title, n=n) for title, n in found.depends.items()]
    return "\n".join(lines)


def _followed(made: references.Followed) -> list[str]:
    """What was computed again, and what waits for judges."""
    measured = ", ".join(
        say("remeasured", measure=name.replace("_", " "), n=n) for name, n in made.measured.items()
    )
    judged = ", ".join(f"{title} {n}" for title, n in made.judged.items())
    lines = [say("other_value", measured=measured) if measured else say("same_values")]
    return [*lines, say("judged", judged=judged)] if judged else lines
