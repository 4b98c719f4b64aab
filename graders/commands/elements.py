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
from graders.core.words import carried, error_parts
from graders.workflows.rubrics import element_lists

say = carried(
    "command_elements",
    {
        "help": (
            "List what an answer must contain. A checklist per question, graded entry by "
            "entry.\n\n"
            "Example: cograde elements show --project support"
        ),
        "question.help": "The id of a question.",
        "show.help": (
            "Show the lists in force and the drafts that wait for a person.\n\n"
            "Example: cograde elements show --project support"
        ),
        "draft.judge.help": "PROVIDER:MODEL[@ADDRESS], such as openai:gpt-4o-mini.",
        "draft.question.help": "The id of a question; may be repeated.",
        "draft.question.default": "all without a list",
        "draft.timeout.help": "Seconds for one call.",
        "draft.help": (
            "Let a judge draft lists. A draft counts only when a person has accepted it.\n\n"
            "Example: cograde elements draft --judge openai:gpt-4o-mini --project support"
        ),
        "unknown_price": "an unknown price",
        "drafted": "Drafts: {drafted}, failed: {failed}, for {price}. Accept them one by one.",
        "error.no_draft.where": "judge {judge}",
        "error.no_draft.found": "no draft for {failed} of the questions",
        "error.no_draft.expected": "a draft for each",
        "error.no_draft.remedy": (
            "Correct the causes above and start again, or write these lists yourself."
        ),
        "accept.element.help": (
            "An entry; may be repeated. Give all entries of the list, in place of the draft."
        ),
        "accept.element.default": "the draft",
        "accept.help": (
            "Put a list in force. That is the draft as it is, or the entries given. Answers to the "
            "question are then graded entry by entry.\n\n"
            'Example: cograde elements accept q7 --element "a name" --element "a weakness"'
        ),
        "accepted": "{question}: {elements} elements, {cells} cells to grade.",
        "dismiss.help": (
            "Dismiss a draft. It stays in the record.\n\nExample: cograde elements dismiss q7"
        ),
        "dismissed": "{question}: the draft is dismissed.",
        "draft": "  draft by {by}, not accepted:",
        "listed": (
            "With a list: {with_list} of {questions} questions. Drafts to review: {drafts}."
        ),
    },
)


app = group(say("help"))

QuestionArgument = Annotated[str, typer.Argument(help=say("question.help"))]


@app.command("show", help=say("show.help"))
def show_lists(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Show the lists in force and the drafts that wait for a person."""
    scope = scope_for(workspace)
    found = element_lists.lists(scope, project_for(scope, project))
    show(found, as_json, lambda: _lists_text(found))


@app.command("draft", help=say("draft.help"))
def draft(
    judge: Annotated[str, typer.Option("--judge", help=say("draft.judge.help"))],
    question: Annotated[
        list[str] | None,
        typer.Option(
            "--question",
            help=say("draft.question.help"),
            show_default=say("draft.question.default"),
        ),
    ] = None,
    timeout: Annotated[float, typer.Option(min=1.0, help=say("draft.timeout.help"))] = 120.0,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Let a judge draft lists. A draft counts only once a person has accepted it."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    result = element_lists.draft(scope, name, judge, question or (), timeout=timeout)
    for key, why in result.failed.items():
        messages.print(f"{key}: {why}", markup=False)
    if result.error:
        messages.print(result.error, markup=False)
    price = say("unknown_price") if result.unpriced else dollars(result.money, each=True)
    show(
        result,
        as_json,
        lambda: say("drafted", drafted=len(result.drafted), failed=len(result.failed), price=price),
    )
    if result.failed:
        raise StoppedEarly(
            **error_parts(
                "command_elements.error.no_draft", judge=result.judge, failed=len(result.failed)
            )
        )


@app.command("accept", help=say("accept.help"))
def accept(
    question: QuestionArgument,
    element: Annotated[
        list[str] | None,
        typer.Option(
            "--element",
            help=say("accept.element.help"),
            show_default=say("accept.element.default"),
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Put a list in force: the draft as it stands, or the entries given. Answers to this
    question are then graded entry by entry."""
    scope = scope_for(workspace)
    made = element_lists.accept(scope, project_for(scope, project), question, element)
    show(
        made,
        as_json,
        lambda: say("accepted", question=question, elements=len(made.elements), cells=made.cells),
    )


@app.command("dismiss", help=say("dismiss.help"))
def dismiss(
    question: QuestionArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Lay a draft aside. It stays in the record."""
    scope = scope_for(workspace)
    made = element_lists.dismiss(scope, project_for(scope, project), question)
    show(made, as_json, lambda: say("dismissed", question=question))


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
                say("draft", by=draft.by),
                *(f"  ? {entry}" for entry in draft.elements),
            ]
    questions = len(found.questions)
    return "\n".join(
        [
            *lines,
            (say("listed", with_list=found.with_list, questions=questions, drafts=found.drafts)),
        ]
    )
