"""Lists of required elements: let a judge draft them, look at them, accept them."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    group,
    messages,
    project_for,
    scope_for,
    show,
)
from graders.core.errors import StoppedEarly
from graders.core.money import dollars
from graders.workflows.rubrics import element_lists

app = group(
    "What every complete answer to a question must have: a checklist, graded entry by entry.",
    "elements show --project support",
)

QuestionArgument = Annotated[str, typer.Argument(help="The id of a question.")]


@app.command("show")
def show_lists(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Show the lists in force and the drafts that wait for a person.

    Example: cograde elements show --project support
    """
    scope = scope_for(workspace)
    found = element_lists.lists(scope, project_for(scope, project))
    show(found, as_json, lambda: _lists_text(found))


@app.command("draft")
def draft(
    judge: Annotated[
        str, typer.Option("--judge", help="PROVIDER:MODEL[@ADDRESS], such as openai:gpt-4o-mini.")
    ],
    question: Annotated[
        list[str] | None,
        typer.Option(
            "--question",
            help="The id of a question; several times.",
            show_default="all without a list",
        ),
    ] = None,
    timeout: Annotated[float, typer.Option(min=1.0, help="Seconds for one call.")] = 120.0,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Let a judge draft lists. A draft counts only when somebody has accepted it.

    Example: cograde elements draft --judge openai:gpt-4o-mini --project support
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    result = element_lists.draft(scope, name, judge, question or (), timeout=timeout)
    for key, why in result.failed.items():
        messages.print(f"{key}: {why}", markup=False)
    if result.error:
        messages.print(result.error, markup=False)
    price = "an unknown price" if result.unpriced else dollars(result.money, each=True)
    show(
        result,
        as_json,
        lambda: (
            f"Drafts: {len(result.drafted)}, failed: {len(result.failed)}, "
            f"for {price}. Accept them one by one."
        ),
    )
    if result.failed:
        raise StoppedEarly(
            f"judge {result.judge}",
            found=f"no draft for {len(result.failed)} of the questions",
            expected="a draft for each",
            remedy="Mend what is said above and start again, or write these lists yourself.",
        )


@app.command("accept")
def accept(
    question: QuestionArgument,
    element: Annotated[
        list[str] | None,
        typer.Option(
            "--element",
            help="An entry; several times. All of the list, in place of the draft.",
            show_default="the draft",
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Put a list in force: the draft as it stands, or the entries given. Answers to this question
    are then graded entry by entry.

    Example: cograde elements accept q7 --element "a name" --element "a weakness"
    """
    scope = scope_for(workspace)
    made = element_lists.accept(scope, project_for(scope, project), question, element)
    show(
        made,
        as_json,
        lambda: f"{question}: {len(made.elements)} elements, {made.cells} cells to grade.",
    )


@app.command("dismiss")
def dismiss(
    question: QuestionArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Lay a draft aside. It stays in the record.

    Example: cograde elements dismiss q7
    """
    scope = scope_for(workspace)
    made = element_lists.dismiss(scope, project_for(scope, project), question)
    show(made, as_json, lambda: f"{question}: the draft is laid aside.")


def _lists_text(found: element_lists.ElementLists) -> str:
    lines = []
    for row in found.questions:
        draft = row.draft
        if not row.elements and draft is None:
            continue
        lines.append(f"{row.question_id}: {row.question[:80]}")
        lines += [f"  - {entry}" for entry in row.elements]
        if draft is not None:
            lines += [
                f"  draft by {draft.by}, not accepted:",
                *(f"  ? {entry}" for entry in draft.elements),
            ]
    questions = len(found.questions)
    return "\n".join(
        [
            *lines,
            (
                f"With a list: {found.with_list} of {questions} questions. Drafts that wait: "
                f"{found.drafts}."
            ),
        ]
    )
