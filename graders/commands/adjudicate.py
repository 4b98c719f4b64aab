"""Adjudication: list the cells on which people differ, look at one, settle it."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

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
from graders.workflows.adjudication import adjudicate, advice
from graders.workflows.scope.permissions import Actor, Scope
from graders.workflows.scope.typed_names import person_named

app = group(
    "Settle cells on which people differ; what each of them said stays.",
    "adjudicate list --project support",
)

CellArgument = Annotated[int, typer.Argument(help="The number of a cell, as the list shows it.")]
PersonOption = Annotated[str, typer.Option("--person", help="Who settles it: a name or an id.")]


@app.command("list")
def list_cells(
    settled: Annotated[
        bool, typer.Option("--settled", help="Those that are settled, latest first.")
    ] = False,
    criterion: Annotated[
        str, typer.Option("--criterion", help="Only of this criterion.", show_default="all")
    ] = "",
    page: Annotated[int, typer.Option("--page", min=1, help="Fifty cells a page.")] = 1,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """List the cells on which people differ, widest apart first.

    Example: cograde adjudicate list --project support
    """
    scope = scope_for(workspace)
    found = adjudicate.cells_to_settle(
        scope, project_for(scope, project), "settled" if settled else "left", criterion, page
    )
    show(found, as_json, lambda: _list_text(found))


@app.command("show")
def show_cell(
    cell: CellArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show one cell with what people said of it. Judges' marks are left out, so that they do not
    pull whoever settles it.

    Example: cograde adjudicate show 17
    """
    scope = scope_for(workspace)
    found = adjudicate.cell_card(scope, project_for(scope, project), cell)
    show(found, as_json, lambda: _card_text(found))


@app.command("advice")
def show_advice(
    cell: CellArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Say which value people's answers point to, each person weighed by how he or she errs. It
    settles nothing.

    Example: cograde adjudicate advice 17
    """
    scope = scope_for(workspace)
    found = advice.advice(scope, project_for(scope, project), cell)
    show(found, as_json, lambda: found["words"])


@app.command("decide")
def decide(
    cell: CellArgument,
    value: Annotated[str, typer.Argument(help="A value of the criterion's scale, or n/a.")],
    reason: Annotated[
        str,
        typer.Option("--reason", help="Why this value is right; those who said otherwise read it."),
    ],
    person: PersonOption,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Settle a cell. The verdict is final, names its adjudicator and keeps the reason; the others
    stay as they are.

    Example: cograde adjudicate decide 17 2 --reason "Two of three verses." --person Mira
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    scope = _as(scope, person)
    card = adjudicate.cell_card(scope, name, cell)
    body = {
        "value": None if value.strip().casefold() == "n/a" else value,
        "reason": reason,
        "save_id": secrets.token_hex(10),
        "before": (card["settled"] or {}).get("id", ""),
    }
    made = adjudicate.settle(scope, name, cell, body)
    after = adjudicate.cell_card(scope, name, cell)
    result = {**made, "cell": cell, "value": after["settled"]["value"], "final": after["final"]}
    show(
        result,
        as_json,
        lambda: f"Cell {cell}: {after['settled']['word']}, settled by {after['settled']['by']}.",
    )


@app.command("undo")
def undo(
    cell: CellArgument,
    person: PersonOption,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Take the adjudicated verdict on a cell back. It stays in the record.

    Example: cograde adjudicate undo 17 --person Mira
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    scope = _as(scope, person)
    card = adjudicate.cell_card(scope, name, cell)
    made = adjudicate.take_back(scope, name, cell, (card["settled"] or {}).get("id", ""))
    show(
        {**made, "cell": cell},
        as_json,
        lambda: f"Cell {cell}: taken back; people's verdicts decide again.",
    )


def _as(scope: Scope, person: str) -> Scope:
    """The scope of a person of that name, who is made if need be."""
    found, _ = person_named(scope, person, make=True)
    return Scope(Actor(found.id), scope.ws)


def _list_text(found: dict[str, Any]) -> str:
    lines = [found["title"]]
    for row in found["rows"]:
        part = f", {row['part']}" if row["part"] else ""
        done = row["settled"]
        said = (
            f"{done['said']} by {done['by'] or 'a file'}: {done['reason']}"
            if done
            else " ".join(row["values"]) + (" (a tie)" if row["tied"] else "")
        )
        lines.append(f"{row['cell']:>6}  {row['title']}{part}  {said}  {row['question'][:60]}")
    if found["pages"] > 1:
        lines.append(f"page {found['page']} of {found['pages']}")
    if found["rows"] and found["show"] == "left":
        lines.append(f"Look at one: {hint('adjudicate show CELL')}")
    return "\n".join(lines)


def _card_text(card: dict[str, Any]) -> str:
    criterion = card["criterion"]
    lines = [
        (
            f"{criterion['title']}{', ' + card['part_title'] if card['part'] else ''}: "
            f"{criterion['question']}"
        ),
        "",
        card["question"]["text"],
        "",
    ]
    lines += [*card["texts"], ""]
    for one in card["people"]:
        how = ", ".join(
            part for part in (one["arm"], "earlier wording" if one["stale"] else "") if part
        )
        comment = f": {one['comment']}" if one["comment"] else ""
        value = (
            one["word"]
            if one["value"] is None or str(one["value"]) == one["word"]
            else f"{one['value']} {one['word']}"
        )
        lines.append(f"{one['name']}: {value} ({how}){comment}")
    if card["settled"]:
        lines.append(
            f"Settled by {card['settled']['by'] or 'a file'}: {card['settled']['word']}. "
            f"{card['settled']['reason']}"
        )
    return "\n".join(lines)
