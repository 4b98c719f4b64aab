"""Import a file or folder."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

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
from graders.core.contracts import Look
from graders.core.errors import InputError
from graders.core.records import BadRow
from graders.workflows.importing import bad_rows
from graders.workflows.importing import look as importing_look
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.look_choices import LAYOUTS, separator_of, with_columns
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.scope import named_rubrics
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import several

#: Bad rows that are printed.
SHOWN = 20


def command(
    path: Annotated[
        Path,
        typer.Argument(
            help="CSV, TSV, XLSX, JSON, JSONL, Parquet, or a folder or zip (a study, an export)."
        ),
    ],
    workspace: NewWorkspaceOption = None,
    project: Annotated[
        str,
        typer.Option("--project", help="The project's name.", show_default="the file's own name"),
    ] = "",
    rubric: Annotated[str, typer.Option(help="A bundled rubric's name or a rubric file.")] = "",
    assisted: Annotated[
        bool,
        typer.Option(
            "--assisted", help="People's verdicts in the file were made with suggestions in sight."
        ),
    ] = False,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="NAME=ROLE[:MODEL]",
            help="What a column is; NAME is its header or number. May be given again.",
            show_default="guessed",
        ),
    ] = None,
    layout: Annotated[
        str,
        typer.Option(
            callback=one_of(LAYOUTS),
            help="wide (a column per model) or long (a row per answer).",
            show_default="guessed",
        ),
    ] = "",
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Whether the first row names the columns.",
            show_default="guessed",
        ),
    ] = None,
    sheet: Annotated[
        str, typer.Option(help="The sheet of a workbook.", show_default="guessed")
    ] = "",
    encoding: Annotated[
        str, typer.Option(callback=an_encoding, help="The file's encoding.", show_default="guessed")
    ] = "",
    separator: Annotated[
        str,
        typer.Option(
            callback=a_separator,
            help="The table's separator: a sign, comma, semicolon, tab, bar.",
            show_default="guessed",
        ),
    ] = "",
    bad: Annotated[
        Path | None,
        typer.Option(
            "--bad-rows",
            help="Write the bad rows to this CSV file; a table's are mended and imported there.",
            show_default="none",
        ),
    ] = None,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes", help="Bring the good rows in without asking, even if others are bad."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Import questions, answers and verdicts. Bad rows are listed; the good ones beside them come
    in.

    The first rows are printed under the roles of their columns; every guess can be changed:

    \b
    Example: cograde import answers.csv --project support --rubric correctness
    Example: cograde import answers.csv --column Frage=question --column 3=answer:my-model
    Example: cograde import answers.csv --column notes=ignore --column "clarity A=verdict:A"
    Example: cograde import answers.csv --layout long --column bot=model --column reply=answer
    Example: cograde import answers.txt --no-header --separator tab --encoding cp1251
    Example: cograde import book.xlsx --sheet Answers --header
    Example: cograde import answers.csv --yes --bad-rows to-mend.csv
    """
    chosen = named_rubrics.read_named_rubric(rubric) if rubric else None
    importer, look = _look(
        path,
        Look(encoding=encoding, separator=separator_of(separator), sheet=sheet, has_header=header),
        column,
        layout,
    )
    name = (
        project
        or (look.mended.project if look.mended is not None else _own_name(importer, path))
        or path.stem
    )

    def staged(scope: Scope) -> importing_stage.Report:
        with importing() as (progress, doing):
            encoder = encoder_for(Context.settings.models(), scope.ws)
            try:
                report = importing_stage.stage(
                    scope,
                    name,
                    path,
                    look,
                    blind=not assisted,
                    rubric=chosen,
                    encoder=encoder,
                    progress=progress,
                    doing=doing,
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

    scope = scope_for(workspace, make=True)
    report, there = staged(scope), placed(scope)
    if there is None:  # what was staged lies beside a workspace that was made meanwhile
        there = scope_for(workspace)
        report = staged(there)
    report = replace(report, project=importing_stage.finish(there, report.import_id)["project"])
    show(
        report.to_json(),
        as_json,
        lambda: (
            f"{report.project}: {several(report.questions, 'question')}, "
            f"{several(report.answers, 'answer')} "
            f"({several(report.new_versions, 'new version')}), "
            f"{several(report.verdicts, 'verdict')}; "
            f"{several(report.unchanged, 'record')} unchanged, {report.bad:,} bad. "
            + next_line(there, report.project)
        ),
    )


def _look(
    path: Path, choices: Look, columns: Sequence[str] | None, layout: str
) -> tuple[str, Look]:
    """What is seen with these choices, printed with its first rows. No workspace is made before
    this worked."""
    importer, look = importing_look.see(path, choices if choices != Look(has_header=None) else None)
    if columns or layout:
        importer, look = importing_look.see(path, with_columns(look, columns or (), layout))
    messages.print(described(importer, look), markup=False)
    if (table := table_of(look, messages.width)) is not None:
        messages.print(table, soft_wrap=False)
    return importer, look


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
        told = (
            f"Mend them there, and once the rest is in: {again}"
            if mended
            else "It is a list: mend them where they came from."
        )
        messages.print(told, markup=False)
    for slip in report.slipped:
        messages.print(
            (
                f"Slipped? The answers to {slip['question'][:60]!r} look like answers to "
                f"{slip['nearest'][:60]!r}."
            ),
            markup=False,
        )
    for sentence in report.notes:
        messages.print(harmless(sentence), markup=False)


def _tell_bad(count: int, rows: Sequence[BadRow], target: Path | None, text: str) -> None:
    """Print the first bad rows of `count`, and where to find them; writes `text`, which holds those
    that were kept, to `target`."""
    for row in rows[:SHOWN]:
        column = f", {row.column}" if row.column else ""
        line = (
            f"{row.file}, {row.place}{column}: found {row.found}, expected {row.expected}. "
            f"{row.remedy}"
        )
        messages.print(harmless(line.strip()), markup=False)
    if count:
        messages.print(_written(count, len(rows), target, text), markup=False)


def _tell_rubrics(report: importing_stage.Report, before: str = "") -> None:
    """Print what the import does to the project's rubrics."""
    for change in report.rubric_changes:
        messages.print(before + harmless(change["text"]), markup=False)


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
            path.name,
            found=f"{_rows(report.bad)} and no good one",
            expected="a good row",
            remedy="Mend the rows listed above.",
        )
    if report.bad and not yes:
        ask = f"Bring in the rest and leave out {_rows(report.bad)}?"
        _tell_rubrics(report, "With a yes: ")  # whoever says it says it to that too
        try:
            agreed = sys.stdin.isatty() and typer.confirm(ask, default=True, err=True)
        except (typer.Abort, KeyboardInterrupt):
            importing_stage.drop(scope, report.import_id)
            raise
        if not agreed:
            importing_stage.drop(scope, report.import_id)
            raise InputError(
                path.name,
                found=_rows(report.bad),
                expected="a yes to the rest",
                remedy="Mend them, or add --yes.",
            )
    else:
        _tell_rubrics(report)


def _rows(bad: int) -> str:
    return f"{bad} bad row{'s' * (bad != 1)}"


def _own_name(importer: str, path: Path) -> str:
    """The name that a file gives its project, where its format has one."""
    named = getattr(discovery.make("importers", importer), "project_name", None)
    return str(named(path)) if named is not None else ""


def _written(count: int, kept: int, target: Path | None, text: str) -> str:
    """How many rows are bad and where they are; writes `text`, which holds as many as were kept, to
    `target` if there is one."""
    more = _rows(count) + (f", {SHOWN} of them above" if count > SHOWN else "")
    if target is None:
        return f"{more}; --bad-rows FILE writes them to a CSV file."
    try:
        target.write_text(text, "utf-8-sig", newline="")
    except OSError as error:
        raise InputError(
            f"option --bad-rows {target}",
            found=error.strerror or str(error),
            expected="a file that can be written",
            remedy="Name a file in a folder that is there and may be written to.",
        ) from error
    which = f"the first {kept:,} are" if kept < count else "it is" if count == 1 else "they are"
    return f"{more}; {which} in {target}."
