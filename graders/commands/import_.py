"""Import a file or folder."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from graders.commands._advised import Imported, advised, told
from graders.commands._looked import described, harmless, table_of
from graders.commands._next import next_line
from graders.commands._progress import importing
from graders.commands._shell import (
    Context,
    JsonOption,
    NewWorkspaceOption,
    hint,
    messages,
    placed,
    scope_for,
    show,
)
from graders.commands._values import a_separator, an_encoding, one_of
from graders.core import discovery
from graders.core.contracts import Chosen, Look
from graders.core.errors import InputError
from graders.core.records import BadRow
from graders.core.words import carried, error_parts
from graders.workflows.importing import bad_rows, named_criteria
from graders.workflows.importing import look as importing_look
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.look_choices import LAYOUTS, separator_of, with_columns
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.scope import named_rubrics
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import several

say = carried(
    "command_import",
    {
        "path.help": (
            "CSV, TSV, XLSX, JSON, JSONL, Parquet, or a folder or zip (a study, an export)."
        ),
        "project.help": "The project's name.",
        "project.default": "the file's own name",
        "rubric.help": "The name of a bundled rubric, or a rubric file.",
        "assisted.help": "People's verdicts in the file were given with suggestions in sight.",
        "labels_chosen.help": (
            "How the answers were chosen that people labelled: all, random or unknown. Where it is "
            "unknown, figures are of the labelled answers alone."
        ),
        "labels_blind.help": (
            "People labelled without seeing a judge's value. With --labels-chosen random, a coin "
            "keeps the labels of half the questions for a test of the judge."
        ),
        "labels_chosen.default": "unknown, or as an export says",
        "column.help": "The role of a column; NAME is its header or number. May be repeated.",
        "column.default": "guessed",
        "layout.help": "wide (a column per model) or long (a row per answer).",
        "layout.default": "guessed",
        "header.help": "Whether the first row names the columns.",
        "header.default": "guessed",
        "header_rows.help": "How many rows the header has; 0 for none.",
        "header_rows.default": "guessed",
        "skip.help": "How many rows stand above the header, such as a title.",
        "skip.default": "guessed",
        "error.skip.where": "option {option}",
        "error.skip.found": "{name}, whose columns have names of their own",
        "error.skip.expected": "a CSV, TSV or XLSX file",
        "error.skip.remedy": "Leave the option out.",
        "sheet.help": "The sheet of a workbook.",
        "sheet.default": "guessed",
        "encoding.help": "The file's encoding.",
        "encoding.default": "guessed",
        "separator.help": "The table's separator: a character, comma, semicolon, tab, bar.",
        "separator.default": "guessed",
        "bad.help": (
            "Write the bad rows to this CSV file; correct a table's rows and import them from "
            "there."
        ),
        "bad.default": "none",
        "yes.help": (
            "Import without asking: the columns as guessed, and the good rows even if others are "
            "bad."
        ),
        "help": (
            "Import questions, answers and verdicts. Bad rows are listed; the good ones are "
            "imported.\n\n"
            "The first rows are printed under the roles of their columns; every guess can be "
            "changed:\n\n"
            "\b\n"
            "Example: cograde import answers.csv --project support --rubric correctness\n"
            "Example: cograde import answers.csv --column Frage=question --column "
            "3=answer:my-model\n"
            'Example: cograde import answers.csv --column notes=ignore --column "clarity '
            'A=verdict:A"\n'
            "Example: cograde import answers.csv --layout long --column bot=model --column "
            "reply=answer\n"
            "Example: cograde import answers.txt --no-header --separator tab --encoding cp1251\n"
            "Example: cograde import book.xlsx --sheet Answers --skip-rows 2 --header-rows 2\n"
            "Example: cograde import rated.csv --labels-chosen random --labels-blind\n"
            "Example: cograde import answers.csv --yes --bad-rows to-mend.csv"
        ),
        "imported": (
            "{project}: {questions}, {answers} ({new_versions}), {verdicts}; {records} unchanged, "
            "{bad:,} bad. "
        ),
        "mend_there": "Correct them there, and once the rest is imported: {again}",
        "mend_at_source": "This file is a list: correct the rows in the original files.",
        "misaligned": (
            "Possibly misaligned: the answers to {question!r} look like answers to {nearest!r}."
        ),
        "misaligned_answer": (
            "Possibly misaligned: the answer of {model} to {question!r} looks like an answer to "
            "{nearest!r}."
        ),
        "bad_row": "{file}, {place}{column}: found {found}, expected {expected}. {remedy}",
        "error.no_good_row.where": "{name}",
        "error.no_good_row.found": "{rows} and no good one",
        "error.no_good_row.expected": "a good row",
        "error.no_good_row.remedy": "Correct the rows listed above.",
        "guess.confirm": "Import the file like this?",
        "error.guess.where": "{name}",
        "error.guess.found": "a no to the columns shown above",
        "error.guess.expected": "a yes",
        "error.guess.remedy": (
            "Change them with --column NAME=ROLE, --layout, --sheet, --skip-rows, --header-rows or "
            "--separator."
        ),
        "confirm": "Import the rest and leave out {rows}?",
        "with_yes": "With a yes: ",
        "error.not_confirmed.where": "{name}",
        "error.not_confirmed.found": "{rows}",
        "error.not_confirmed.expected": "a yes to the rest",
        "error.not_confirmed.remedy": "Correct them, or add --yes.",
        "bad_rows.one": "{n} bad row",
        "bad_rows.other": "{n} bad rows",
        "shown_above": ", {shown} of them above",
        "option_bad_rows": "{more}; --bad-rows FILE writes them to a CSV file.",
        "error.bad_rows_file.where": "option --bad-rows {target}",
        "error.bad_rows_file.found": "{why}",
        "error.bad_rows_file.expected": "a file that can be written",
        "error.bad_rows_file.remedy": "Name a file in an existing folder with write access.",
        "kept.first": "the first {kept:,} are",
        "kept.one": "it is",
        "kept.all": "they are",
        "kept.where": "{more}; {which} in {target}.",
    },
)
ABOUT = say("help")


#: Bad rows that are printed.
SHOWN = 20


def command(
    path: Annotated[
        Path,
        typer.Argument(help=say("path.help")),
    ],
    workspace: NewWorkspaceOption = None,
    project: Annotated[
        str,
        typer.Option("--project", help=say("project.help"), show_default=say("project.default")),
    ] = "",
    rubric: Annotated[str, typer.Option(help=say("rubric.help"))] = "",
    assisted: Annotated[
        bool,
        typer.Option("--assisted", help=say("assisted.help")),
    ] = False,
    labels_chosen: Annotated[
        str,
        typer.Option(
            callback=one_of(Chosen),
            help=say("labels_chosen.help"),
            show_default=say("labels_chosen.default"),
        ),
    ] = "",
    labels_blind: Annotated[
        bool, typer.Option("--labels-blind", help=say("labels_blind.help"))
    ] = False,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="NAME=ROLE[:MODEL]",
            help=say("column.help"),
            show_default=say("column.default"),
        ),
    ] = None,
    layout: Annotated[
        str,
        typer.Option(
            callback=one_of(LAYOUTS),
            help=say("layout.help"),
            show_default=say("layout.default"),
        ),
    ] = "",
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help=say("header.help"),
            show_default=say("header.default"),
        ),
    ] = None,
    header_rows: Annotated[
        int | None,
        typer.Option(min=0, help=say("header_rows.help"), show_default=say("header_rows.default")),
    ] = None,
    skip_rows: Annotated[
        int | None,
        typer.Option(min=0, help=say("skip.help"), show_default=say("skip.default")),
    ] = None,
    sheet: Annotated[
        str, typer.Option(help=say("sheet.help"), show_default=say("sheet.default"))
    ] = "",
    encoding: Annotated[
        str,
        typer.Option(
            callback=an_encoding, help=say("encoding.help"), show_default=say("encoding.default")
        ),
    ] = "",
    separator: Annotated[
        str,
        typer.Option(
            callback=a_separator,
            help=say("separator.help"),
            show_default=say("separator.default"),
        ),
    ] = "",
    bad: Annotated[
        Path | None,
        typer.Option(
            "--bad-rows",
            help=say("bad.help"),
            show_default=say("bad.default"),
        ),
    ] = None,
    yes: Annotated[
        bool,
        typer.Option("--yes", help=say("yes.help")),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Import questions, answers and verdicts. Bad rows are listed; the good ones beside them
    come in."""
    chosen = named_rubrics.read_named_rubric(rubric) if rubric else None
    importer, look = _look(
        path,
        Look(
            encoding=encoding,
            separator=separator_of(separator),
            sheet=sheet,
            has_header=header if header_rows is None else header_rows > 0,
            skip=skip_rows,
            header_rows=header_rows,
        ),
        column,
        layout,
    )
    name = (
        project
        or (look.mended.project if look.mended is not None else _own_name(importer, path))
        or path.stem
    )
    scope = scope_for(workspace, make=True)
    suits, graded_by = advised(scope, name, path, look, chosen)
    look = named_criteria.with_criteria(scope, name, path, look, graded_by)
    messages.print(described(importer, look), markup=False)
    if (table := table_of(look, messages.width)) is not None:
        messages.print(table, soft_wrap=False)
    for line in told(suits, asked=bool(rubric)):
        messages.print(line, markup=False)
    if not yes:
        _ask_guess(path)

    def staged(scope: Scope) -> importing_stage.Report:
        with importing() as (progress, doing):
            listener = importing_stage.Listener(progress, doing)
            encoder = encoder_for(Context.settings.models(), scope.ws)
            try:
                report = importing_stage.stage(
                    scope,
                    name,
                    path,
                    look,
                    blind=not assisted,
                    rubric=graded_by,
                    staging=importing_stage.Staging(
                        encoder=encoder,
                        listener=listener,
                        chosen=Chosen(labels_chosen) if labels_chosen else None,
                        labels_blind=labels_blind,
                    ),
                )
            except InputError:
                if bad is not None:
                    count, rows = importing_look.bad_rows(path, look)
                    _tell_bad(count, rows, bad, bad_rows.listed(map(asdict, rows)))
                raise
        try:
            _tell(scope, report, bad)
        except InputError:
            importing_stage.drop(scope, report.import_id)
            raise
        _agree(scope, report, path, yes)
        return report

    report, there = staged(scope), placed(scope)
    if there is None:  # what was staged lies beside a workspace that was made meanwhile
        there = scope_for(workspace)
        report = staged(there)
    report = replace(report, project=importing_stage.finish(there, report.import_id).project)
    show(
        Imported.with_advice(report, suits),
        as_json,
        lambda: (
            say(
                "imported",
                project=report.project,
                questions=several(report.questions, "question"),
                answers=several(report.answers, "answer"),
                new_versions=several(report.new_versions, "new version"),
                verdicts=several(report.verdicts, "verdict"),
                records=several(report.unchanged, "record"),
                bad=report.bad,
            )
            + next_line(there, report.project)
        ),
    )


def _look(
    path: Path, choices: Look, columns: Sequence[str] | None, layout: str
) -> tuple[str, Look]:
    """What is seen with these choices. No workspace is made before this worked."""
    importer, look = importing_look.see(path, choices if choices != Look(has_header=None) else None)
    given = {"--skip-rows": choices.skip, "--header-rows": choices.header_rows}
    option = next((name for name, value in given.items() if value is not None), "")
    if option and not (look.separator or look.sheet):
        raise InputError(**error_parts("command_import.error.skip", option=option, name=path.name))
    if columns or layout:
        importer, look = importing_look.see(path, with_columns(look, columns or (), layout))
    return importer, look


def _ask_guess(path: Path) -> None:
    """Ask on a terminal whether the file reads as shown; InputError after a no. Nothing was written
    so far."""
    if sys.stdin.isatty() and not typer.confirm(say("guess.confirm"), default=True, err=True):
        raise InputError(**error_parts("command_import.error.guess", name=path.name))


def _tell(scope: Scope, report: importing_stage.Report, target: Path | None) -> None:
    """Print what the report holds: bad rows, slips, notes."""
    _tell_bad(
        report.bad,
        report.bad_rows,
        target,
        bad_rows.bad_rows_csv(scope, report.import_id) if target else "",
    )
    if report.bad and target:
        again = hint(f"import {shlex.quote(str(target))}", report.project)
        mended = bad_rows.can_be_mended(scope, report.import_id)
        told = say("mend_there", again=again) if mended else say("mend_at_source")
        messages.print(told, markup=False)
    for slip in report.slipped:
        places = {"question": slip.question[:60], "nearest": slip.nearest[:60]}
        line = (
            say("misaligned_answer", model=slip.model[:60], **places)
            if slip.model
            else say("misaligned", **places)
        )
        messages.print(line, markup=False)
    for sentence in (*report.notes, *filter(None, [report.labels_note])):
        messages.print(harmless(sentence), markup=False)


def _tell_bad(count: int, rows: Sequence[BadRow], target: Path | None, text: str) -> None:
    """Print the first bad rows of `count`, and where to find them; writes `text`, which holds those
    that were kept, to `target`."""
    for row in rows[:SHOWN]:
        column = f", {row.column}" if row.column else ""
        line = say(
            "bad_row",
            file=row.file,
            place=row.place,
            column=column,
            found=row.found,
            expected=row.expected,
            remedy=row.remedy,
        )
        messages.print(harmless(line.strip()), markup=False)
    if count:
        messages.print(_written(count, len(rows), target, text), markup=False)


def _tell_rubrics(report: importing_stage.Report, before: str = "") -> None:
    """Print what the import does to the project's rubrics."""
    for change in report.rubric_changes:
        messages.print(before + harmless(change.text), markup=False)


def _agree(scope: Scope, report: importing_stage.Report, path: Path, yes: bool) -> None:
    """Ask about bad rows, and say what comes of the rubrics; InputError, with the import dropped,
    where nothing may come in."""
    good = (
        report.questions
        or report.answers
        or report.verdicts
        or report.unchanged
        or report.changed_questions
        or report.new_figures
    )
    if report.bad and not good:
        importing_stage.drop(scope, report.import_id)
        raise InputError(
            **error_parts(
                "command_import.error.no_good_row", name=path.name, rows=_rows(report.bad)
            )
        )
    if report.bad and not yes:
        ask = say("confirm", rows=_rows(report.bad))
        _tell_rubrics(report, say("with_yes"))  # whoever says it says it to that too
        try:
            agreed = sys.stdin.isatty() and typer.confirm(ask, default=True, err=True)
        except (typer.Abort, KeyboardInterrupt):
            importing_stage.drop(scope, report.import_id)
            raise
        if not agreed:
            importing_stage.drop(scope, report.import_id)
            raise InputError(
                **error_parts(
                    "command_import.error.not_confirmed", name=path.name, rows=_rows(report.bad)
                )
            )
    else:
        _tell_rubrics(report)


def _rows(bad: int) -> str:
    return say("bad_rows", n=bad)


def _own_name(importer: str, path: Path) -> str:
    """The name that a file gives its project, where its format has one."""
    named = getattr(discovery.make("importers", importer), "project_name", None)
    return str(named(path)) if named is not None else ""


def _written(count: int, kept: int, target: Path | None, text: str) -> str:
    """How many rows are bad and where they are; writes `text`, which holds as many as were kept, to
    `target` if there is one."""
    more = _rows(count) + (say("shown_above", shown=SHOWN) if count > SHOWN else "")
    if target is None:
        return say("option_bad_rows", more=more)
    try:
        target.write_text(text, "utf-8-sig", newline="")
    except OSError as error:
        raise InputError(
            **error_parts(
                "command_import.error.bad_rows_file",
                target=target,
                why=error.strerror or str(error),
            )
        ) from error
    which = (
        say("kept.first", kept=kept)
        if kept < count
        else say("kept.one")
        if count == 1
        else say("kept.all")
    )
    return say("kept.where", more=more, which=which, target=target)
