"""Import a file or folder."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from graders.commands._shell import Context, JsonOption, ProjectOption, WorkspaceOption, messages, scope_for, show
from graders.core import discovery
from graders.core.contracts import Look
from graders.core.errors import InputError
from graders.workflows import imports, overview
from graders.workflows.measure import encoder_for
from graders.workflows.permissions import Scope

#: Bad rows that are printed.
SHOWN = 20


def command(
    path: Annotated[Path, typer.Argument(help="CSV, TSV, XLSX, JSON, JSONL, or a folder or zip of the exchange format.")],
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    rubric: Annotated[str, typer.Option(help="A bundled rubric's name or a rubric file.")] = "",
    assisted: Annotated[
        bool, typer.Option("--assisted", help="People's verdicts in the file were made with suggestions in sight.")
    ] = False,
    encoding: Annotated[str, typer.Option(help="The file's encoding.", show_default="guessed")] = "",
    separator: Annotated[str, typer.Option(help="The table's separator.", show_default="guessed")] = "",
    bad_rows: Annotated[
        Path | None, typer.Option("--bad-rows", help="Write the bad rows to this CSV file, to mend them there.", show_default="none")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Bring the good rows in without asking, even if others are bad.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Import questions, answers and verdicts. Bad rows are listed; the good ones beside them come in.

    Example: cograde import answers.csv --project support --rubric correctness
    """
    chosen = imports.read_named_rubric(rubric) if rubric else None
    scope = scope_for(workspace, make=True)
    choices = Look(encoding=encoding, separator=separator) if encoding or separator else None
    importer, look = imports.look_at(scope, path, choices)
    messages.print(_seen(importer, look), markup=False)
    report = imports.stage(
        scope,
        project or _own_name(importer, path) or path.stem,
        path,
        look,
        blind=not assisted,
        rubric=chosen,
        encoder=encoder_for(Context.settings.models()),
    )
    for row in report.bad_rows[:SHOWN]:
        column = f", {row.column}" if row.column else ""
        messages.print(f"{row.file}, row {row.row}{column}: found {row.found}, expected {row.expected}. {row.remedy}".strip(), markup=False)
    if report.bad:
        messages.print(_written(scope, report, bad_rows), markup=False)
    for slip in report.slipped:
        messages.print(f"Slipped? The answers to {slip['question'][:60]!r} look like answers to {slip['nearest'][:60]!r}.", markup=False)
    for note in report.notes:
        messages.print(note, markup=False)
    good = report.questions or report.answers or report.verdicts or report.unchanged or report.changed_questions
    if report.bad and not good:
        imports.drop(scope, report.import_id)
        raise InputError(
            path.name, found=f"{_rows(report.bad)} and no good one", expected="a good row", remedy="Mend the rows listed above."
        )
    if report.bad and not yes:
        ask = f"Bring in the rest and leave out {_rows(report.bad)}?"
        if not (sys.stdin.isatty() and typer.confirm(ask, default=True, err=True)):
            imports.drop(scope, report.import_id)
            raise InputError(path.name, found=f"{_rows(report.bad)}", expected="a yes to the rest", remedy="Mend them, or add --yes.")
    imports.finish(scope, report.import_id)
    show(
        replace(report).to_json(),
        as_json,
        lambda: (
            f"{report.project}: {report.questions} questions, {report.answers} answers ({report.new_versions} new versions), "
            f"{report.verdicts} verdicts; {report.unchanged} rows unchanged, {report.bad} bad. "
            f"Next: cograde grade --project {report.project}"
        ),
    )


def _rows(bad: int) -> str:
    return f"{bad} bad row{'s' * (bad != 1)}"


def _own_name(importer: str, path: Path) -> str:
    """The name that a file gives its project, where its format has one."""
    named = getattr(discovery.make("importers", importer), "project_name", None)
    return str(named(path)) if named is not None else ""


def _written(scope: Scope, report: imports.Report, target: Path | None) -> str:
    """How many rows are bad and where they are; writes them to `target` if there is one."""
    more = _rows(report.bad) + (f", {SHOWN} of them above" if report.bad > SHOWN else "")
    if target is None:
        return f"{more}; --bad-rows FILE writes them to a CSV file."
    try:
        target.write_text(overview.bad_rows_csv(scope, report.import_id), "utf-8-sig", newline="")
    except OSError as error:
        raise InputError(
            f"option --bad-rows {target}",
            found=error.strerror or str(error),
            expected="a file that can be written",
            remedy="Name a file in a folder that is there and may be written to.",
        ) from error
    kept = len(report.bad_rows)
    return f"{more}; {'the first ' + str(kept) + ' are' if kept < report.bad else 'they are'} in {target}."


def _seen(importer: str, look: Look) -> str:
    parts = [f"Reading as {importer}"]
    if look.encoding:
        parts.append(f"encoding {look.encoding}")
    if look.separator:
        parts.append(f"separator {look.separator!r}")
    roles = [f"{c.header or c.index + 1}: {c.role}{' of ' + c.model if c.model else ''}" for c in look.columns if c.role != "ignore"]
    return ", ".join(parts) + (". Columns: " + ", ".join(roles) if roles else "")
