"""Adjudication: list the cells on which people differ, look at one, settle it."""

from __future__ import annotations

import secrets
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
from graders.core.shapes import as_dict
from graders.core.words import carried
from graders.workflows.adjudication import adjudicate, advice, cell_list
from graders.workflows.adjudication.adjudicate import CellQuery
from graders.workflows.adjudication.card import Card
from graders.workflows.scope.permissions import Actor, Scope
from graders.workflows.scope.typed_names import person_named

say = carried(
    "command_adjudicate",
    {
        "help": (
            "Settle cells on which people differ. What each of them said stays.\n\n"
            "Example: cograde adjudicate list --project support"
        ),
        "cell.help": "The number of a cell, as the list shows it.",
        "code.help": "The code of that person, where there is one.",
        "person.help": "The adjudicator: a name or an id.",
        "list.settled.help": "Only settled cells, latest first.",
        "list.criterion.help": "Only cells of this criterion.",
        "list.criterion.default": "all",
        "list.page.help": "The page; a page has 50 cells.",
        "list.help": (
            "List cells on which people differ. The largest difference first.\n\n"
            "Example: cograde adjudicate list --project support"
        ),
        "show.help": (
            "Show one cell with what people said of it. Judges' ratings are left out: they could "
            "influence the adjudicator.\n\n"
            "Example: cograde adjudicate show 17"
        ),
        "advice.help": (
            "Advise on the value of a cell. People's answers point to it, weighted by the errors "
            "of each person. Nothing is settled.\n\n"
            "Example: cograde adjudicate advice 17"
        ),
        "decide.value.help": "A value of the criterion's scale, or n/a.",
        "decide.reason.help": "Why this value is right; people who rated otherwise read it.",
        "decide.help": (
            "Settle a cell. The verdict is final, names its adjudicator and keeps the reason; the "
            "others stay as they are.\n\n"
            'Example: cograde adjudicate decide 17 2 --reason "Two of three verses." --person '
            "Mira"
        ),
        "settled": "Cell {cell}: {word}, settled by {by}.",
        "undo.help": (
            "Take back the verdict of an adjudicator. It stays in the record.\n\n"
            "Example: cograde adjudicate undo 17 --person Mira"
        ),
        "undone": "Cell {cell}: taken back; people's verdicts decide again.",
        "case": "{said} by {by}: {reason}",
        "tie": " (a tie)",
        "page": "page {page} of {pages}",
        "look_at_one": "Look at one: {hint}",
        "earlier_version": "earlier wording",
        "settled_by": "Settled by {by}: {word}. {reason}",
        "by_file": "a file",
    },
)


app = group(say("help"))

CellArgument = Annotated[int, typer.Argument(help=say("cell.help"))]
PersonOption = Annotated[str, typer.Option("--person", help=say("person.help"))]
CodeOption = Annotated[str, typer.Option("--code", help=say("code.help"))]


@app.command("list", help=say("list.help"))
def list_cells(
    settled: Annotated[bool, typer.Option("--settled", help=say("list.settled.help"))] = False,
    criterion: Annotated[
        str,
        typer.Option(
            "--criterion",
            help=say("list.criterion.help"),
            show_default=say("list.criterion.default"),
        ),
    ] = "",
    page: Annotated[int, typer.Option("--page", min=1, help=say("list.page.help"))] = 1,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """List the cells on which people differ, widest apart first."""
    scope = scope_for(workspace)
    found = cell_list.cells_to_settle(
        scope, project_for(scope, project), "settled" if settled else "left", criterion, page
    )
    show(found, as_json, lambda: _list_text(found))


@app.command("show", help=say("show.help"))
def show_cell(
    cell: CellArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show one cell with what people said of it. Judges' marks are left out, so that they do not
    influence the person who settles it."""
    scope = scope_for(workspace)
    found = adjudicate.cell_card(scope, project_for(scope, project), CellQuery(cell))
    show(found, as_json, lambda: _card_text(found))


@app.command("advice", help=say("advice.help"))
def show_advice(
    cell: CellArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Say which value people's answers point to, each person weighed by how he or she errs. It
    settles nothing."""
    scope = scope_for(workspace)
    found = advice.advice(scope, project_for(scope, project), cell)
    show(found, as_json, lambda: found.words)


@app.command("decide", help=say("decide.help"))
def decide(
    cell: CellArgument,
    value: Annotated[str, typer.Argument(help=say("decide.value.help"))],
    reason: Annotated[
        str,
        typer.Option("--reason", help=say("decide.reason.help")),
    ],
    person: PersonOption,
    code: CodeOption = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Settle a cell. The verdict is final, names its adjudicator and keeps the reason; the
    others stay as they are."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    scope = _as(scope, person, code)
    card = adjudicate.cell_card(scope, name, CellQuery(cell))
    body = {
        "value": None if value.strip().casefold() == "n/a" else value,
        "reason": reason,
        "save_id": secrets.token_hex(10),
        "before": card.settled.id if card.settled else "",
    }
    settled = adjudicate.settle(scope, name, cell, body)
    after = adjudicate.cell_card(scope, name, CellQuery(cell))
    assert after.settled is not None
    final = after.settled
    show(
        {**as_dict(settled), "cell": cell, "value": final.value, "final": after.final},
        as_json,
        lambda: say("settled", cell=cell, word=final.word, by=final.by),
    )


@app.command("undo", help=say("undo.help"))
def undo(
    cell: CellArgument,
    person: PersonOption,
    code: CodeOption = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Take the adjudicated verdict on a cell back. It stays in the record."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    scope = _as(scope, person, code)
    card = adjudicate.cell_card(scope, name, CellQuery(cell))
    taken_back = adjudicate.take_back(scope, name, cell, card.settled.id if card.settled else "")
    show(
        {**as_dict(taken_back), "cell": cell},
        as_json,
        lambda: say("undone", cell=cell),
    )


def _as(scope: Scope, person: str, code: str) -> Scope:
    """The scope of a person of that name, who is made if need be."""
    found, _ = person_named(scope, person, make=True, code=code)
    return Scope(Actor(found.id), scope.ws)


def _list_text(found: cell_list.CellList) -> str:
    lines = [found.title]
    for row in found.rows:
        part = f", {row.part}" if row.part else ""
        done = row.settled
        said = (
            say("case", said=done.said, by=done.by or say("by_file"), reason=done.reason)
            if done
            else " ".join(row.values) + (say("tie") if row.tied else "")
        )
        lines.append(f"{row.cell:>6}  {row.title}{part}  {said}  {row.question[:60]}")
    if found.pages > 1:
        lines.append(say("page", page=found.page, pages=found.pages))
    if found.rows and found.show == "left":
        lines.append(say("look_at_one", hint=hint("adjudicate show CELL")))
    return "\n".join(lines)


def _card_text(card: Card) -> str:
    criterion = card.criterion
    part = f", {card.part_title}" if card.part else ""
    lines = [
        f"{criterion.title}{part}: {criterion.question}",
        "",
        card.question.text,
        "",
    ]
    lines += [*card.texts, ""]
    for one in card.people:
        how = ", ".join(
            part for part in (one.arm, say("earlier_version") if one.stale else "") if part
        )
        comment = f": {one.comment}" if one.comment else ""
        value = (
            one.word
            if one.value is None or str(one.value) == one.word
            else f"{one.value} {one.word}"
        )
        lines.append(f"{one.name}: {value} ({how}){comment}")
    if card.settled:
        lines.append(
            say(
                "settled_by",
                by=card.settled.by or say("by_file"),
                word=card.settled.word,
                reason=card.settled.reason,
            )
        )
    return "\n".join(lines)
