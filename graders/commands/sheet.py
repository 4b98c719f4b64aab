"""Write a study as a sheet that people work in, and take in what they changed."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

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
from graders.core.errors import InputError
from graders.exporters.sheet import Book
from graders.workflows.scope.permissions import Scope
from graders.workflows.sheet import sheet

#: Bad rows and kept values that are printed.
SHOWN = 20

app = group(
    "A sheet with a block of rows per question and a column per model.",
    "sheet write study.xlsx --project support",
)

TargetArgument = Annotated[
    str, typer.Argument(help="An .xlsx file, or the address of a Google sheet.")
]
KeyOption = Annotated[
    Path | None,
    typer.Option(
        "--credentials",
        envvar="GOOGLE_APPLICATION_CREDENTIALS",
        help="For Google: the JSON key of a service account.",
    ),
]
ApiOption = Annotated[str, typer.Option("--sheets-url", help="Where the Sheets API answers.")]


class Opened(NamedTuple):
    """What every command here works on: a sheet, and the project that it belongs to."""

    scope: Scope
    project: str
    book: Book
    target: str


def _opened(
    target: TargetArgument,
    credentials: KeyOption = None,
    sheets_url: ApiOption = sheet.API,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
) -> Opened:
    """What the words of a command line that all commands here share stand for."""
    scope = scope_for(workspace)
    return Opened(
        scope, project_for(scope, project), sheet.book_at(target, credentials, sheets_url), target
    )


def on_sheet(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the words of `_opened` beside its own; it is given what they stand for."""
    shared = inspect.signature(_opened, eval_str=True).parameters
    own = inspect.signature(command, eval_str=True).parameters

    def run(**given: Any) -> None:
        command(_opened(**{name: given.pop(name) for name in shared}), **given)

    words = [*shared.values(), *(p for p in own.values() if p.name != "opened")]
    run.__doc__, run.__name__ = command.__doc__, command.__name__
    keywords = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in words]
    run.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in words}
    return run


@app.command("write")
@on_sheet
def write(opened: Opened, as_json: JsonOption = False) -> None:
    """Write a study into a sheet. One that is there is brought up to date: what people changed or
    put beside stays.

    Example: cograde sheet write study.xlsx --project support
    """
    made = sheet.write(opened.scope, opened.project, opened.book)
    for line in made.kept[:SHOWN]:
        messages.print(line, markup=False)
    if made.kept:
        advice = f"Take them in: {hint(f'sheet read {shlex.quote(opened.target)} --person NAME')}"
        messages.print(
            f"Values that people put there and that were kept: {len(made.kept)}. {advice}",
            markup=False,
        )
    show(
        {"project": opened.project, **made.to_json()},
        as_json,
        lambda: (
            f"{made.name}, sheet {made.page}. Cells written: {made.cells}, rows added: "
            f"{made.rows_added}, "
            f"columns added: {made.columns_added}."
        ),
    )


@app.command("read")
@on_sheet
def read(
    opened: Opened,
    person: Annotated[
        str, typer.Option("--person", help="Who changed the values: a name or an id.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Take in the values that somebody changed in a sheet, as verdicts of that person. Bad values
    are listed; the others come in.

    Example: cograde sheet read study.xlsx --person Ann
    """
    made = sheet.read(opened.scope, opened.project, opened.book, person)
    for row in made.bad_rows[:SHOWN]:
        place = f"{row.file}, row {row.row}, column {row.column}"
        messages.print(
            f"{place}: found {row.found}, expected {row.expected}. {row.remedy}".strip(),
            markup=False,
        )
    for note in made.notes:
        messages.print(note, markup=False)
    if made.bad_rows and not made.verdicts and not made.unchanged:
        found = f"bad values only ({len(made.bad_rows)})"
        raise InputError(
            made.name, found=found, expected="a good value", remedy="Mend the values listed above."
        )
    show(
        {"project": opened.project, **made.to_json()},
        as_json,
        lambda: (
            f"{made.person}{' (new)' if made.new_person else ''}. Verdicts: {made.verdicts}, "
            f"known already: {made.unchanged}, "
            f"bad: {len(made.bad_rows)}."
        ),
    )
