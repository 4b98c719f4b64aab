"""Write a study as a sheet that people work in, and take in what they changed."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from graders.commands._shell import JsonOption, ProjectOption, WorkspaceOption, hint, messages, project_for, scope_for, show
from graders.core.errors import InputError
from graders.workflows import sheet

#: Bad rows and kept values that are printed.
SHOWN = 20

app = typer.Typer(help="A sheet with a block of rows per question and a column per model.", no_args_is_help=True, rich_markup_mode=None)

TargetArgument = Annotated[str, typer.Argument(help="An .xlsx file, or the address of a Google sheet.")]
KeyOption = Annotated[
    Path | None,
    typer.Option("--credentials", envvar="GOOGLE_APPLICATION_CREDENTIALS", help="For Google: the JSON key of a service account."),
]
ApiOption = Annotated[str, typer.Option("--sheets-url", help="Where the Sheets API answers.")]


@app.command("write")
def write(
    target: TargetArgument,
    credentials: KeyOption = None,
    sheets_url: ApiOption = sheet.API,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Write a study into a sheet. One that is there is brought up to date: what people changed or put beside stays.

    Example: cograde sheet write study.xlsx --project support
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    made = sheet.write(scope, name, sheet.book_at(target, credentials, sheets_url))
    for line in made.kept[:SHOWN]:
        messages.print(line, markup=False)
    if made.kept:
        advice = f"Take them in: {hint(f'sheet read {shlex.quote(str(target))} --person NAME', project)}"
        messages.print(f"Values that people put there and that were kept: {len(made.kept)}. {advice}", markup=False)
    show(
        {"project": name, **made.to_json()},
        as_json,
        lambda: (
            f"{made.name}, sheet {made.page}. Cells written: {made.cells}, rows added: {made.rows_added}, "
            f"columns added: {made.columns_added}."
        ),
    )


@app.command("read")
def read(
    source: TargetArgument,
    person: Annotated[str, typer.Option("--person", help="Who changed the values: a name or an id.")],
    credentials: KeyOption = None,
    sheets_url: ApiOption = sheet.API,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Take in the values that somebody changed in a sheet, as verdicts of that person. Bad values are listed; the others come in.

    Example: cograde sheet read study.xlsx --person Ann
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    made = sheet.read(scope, name, sheet.book_at(source, credentials, sheets_url), person)
    for row in made.bad_rows[:SHOWN]:
        place = f"{row.file}, row {row.row}, column {row.column}"
        messages.print(f"{place}: found {row.found}, expected {row.expected}. {row.remedy}".strip(), markup=False)
    for note in made.notes:
        messages.print(note, markup=False)
    if made.bad_rows and not made.verdicts and not made.unchanged:
        found = f"bad values only ({len(made.bad_rows)})"
        raise InputError(made.name, found=found, expected="a good value", remedy="Mend the values listed above.")
    show(
        {"project": name, **made.to_json()},
        as_json,
        lambda: (
            f"{made.person}{' (new)' if made.new_person else ''}. Verdicts: {made.verdicts}, known already: {made.unchanged}, "
            f"bad: {len(made.bad_rows)}."
        ),
    )
