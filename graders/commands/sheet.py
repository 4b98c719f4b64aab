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
from graders.core.shapes import as_dict
from graders.core.words import carried, error_parts
from graders.exporters.sheet import Book
from graders.workflows.scope.permissions import Scope
from graders.workflows.sheet import sheet

say = carried(
    "command_sheet",
    {
        "help": (
            "Grade in a spreadsheet. A sheet has a block of rows per question and a column per "
            "model.\n\n"
            "Example: cograde sheet write study.xlsx --project support"
        ),
        "target.help": "An .xlsx file, or the address of a Google sheet.",
        "key.help": "For Google: the JSON key of a service account.",
        "api.help": "The address of the Sheets API.",
        "write.help": (
            "Write a study into a sheet. An existing one is updated: what people changed or added "
            "stays.\n\n"
            "Example: cograde sheet write study.xlsx --project support"
        ),
        "advice": "Import them: {hint}",
        "kept": "Values that people entered and that were kept: {kept}. {advice}",
        "written": (
            "{name}, sheet {page}. Cells written: {cells}, rows added: {rows_added}, columns "
            "added: {columns_added}."
        ),
        "read.code.help": "The code of that person, where there is one.",
        "read.person.help": "The person who changed the values: a name or an id.",
        "read.help": (
            "Import the values that a person changed in a sheet. They become verdicts of that "
            "person. Bad values are listed; the others are imported.\n\n"
            "Example: cograde sheet read study.xlsx --person Ann"
        ),
        "place": "{file}, row {row}, column {column}",
        "bad_value": "{place}: found {found}, expected {expected}. {remedy}",
        "only_bad": "bad values only ({bad})",
        "error.only_bad.where": "{name}",
        "error.only_bad.found": "{found}",
        "error.only_bad.expected": "a good value",
        "error.only_bad.remedy": "Correct the values listed above.",
        "read": "{person}{new}. Verdicts: {verdicts}, unchanged: {unchanged}, bad: {bad}.",
        "read.new": " (new)",
    },
)


#: Bad rows and kept values that are printed.
SHOWN = 20

app = group(say("help"))

TargetArgument = Annotated[str, typer.Argument(help=say("target.help"))]
KeyOption = Annotated[
    Path | None,
    typer.Option(
        "--credentials",
        envvar="GOOGLE_APPLICATION_CREDENTIALS",
        help=say("key.help"),
    ),
]
ApiOption = Annotated[str, typer.Option("--sheets-url", help=say("api.help"))]


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


@app.command("write", help=say("write.help"))
@on_sheet
def write(opened: Opened, as_json: JsonOption = False) -> None:
    """Write a study into a sheet. One that is there is brought up to date: what people changed
    or put beside stays."""
    made = sheet.write(opened.scope, opened.project, opened.book)
    for line in made.kept[:SHOWN]:
        messages.print(line, markup=False)
    if made.kept:
        advice = say("advice", hint=hint(f"sheet read {shlex.quote(opened.target)} --person NAME"))
        messages.print(
            say("kept", kept=len(made.kept), advice=advice),
            markup=False,
        )
    show(
        {"project": opened.project, **as_dict(made)},
        as_json,
        lambda: say(
            "written",
            name=made.name,
            page=made.page,
            cells=made.cells,
            rows_added=made.rows_added,
            columns_added=made.columns_added,
        ),
    )


@app.command("read", help=say("read.help"))
@on_sheet
def read(
    opened: Opened,
    person: Annotated[str, typer.Option("--person", help=say("read.person.help"))],
    code: Annotated[str, typer.Option("--code", help=say("read.code.help"))] = "",
    as_json: JsonOption = False,
) -> None:
    """Take in the values that a person changed in a sheet, as verdicts of that person. Bad
    values are listed; the others come in."""
    made = sheet.read(opened.scope, opened.project, opened.book, person, code)
    for row in made.bad_rows[:SHOWN]:
        place = say("place", file=row.file, row=row.row, column=row.column)
        messages.print(
            say(
                "bad_value", place=place, found=row.found, expected=row.expected, remedy=row.remedy
            ).strip(),
            markup=False,
        )
    for note in made.notes:
        messages.print(note, markup=False)
    if made.bad_rows and not made.verdicts and not made.unchanged:
        found = say("only_bad", bad=len(made.bad_rows))
        raise InputError(**error_parts("command_sheet.error.only_bad", name=made.name, found=found))
    show(
        {"project": opened.project, **as_dict(made)},
        as_json,
        lambda: say(
            "read",
            person=made.person,
            new=say("read.new") if made.new_person else "",
            verdicts=made.verdicts,
            unchanged=made.unchanged,
            bad=len(made.bad_rows),
        ),
    )
