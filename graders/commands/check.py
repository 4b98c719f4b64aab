"""Check a workspace: its file, its ledger, and what is counted; mend what can be made again."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._shell import Context, JsonOption, WorkspaceOption, hint, show
from graders.store.workspace import open_to_check
from graders.workflows.projects import check
from graders.workflows.projects.check import Checked
from graders.workflows.scope.permissions import Actor, Scope


def command(
    workspace: WorkspaceOption = None,
    mend: Annotated[
        bool,
        typer.Option(
            "--mend", help="Make again what can be made from the verdicts; a backup is made first."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check the file's integrity, rows that name other rows, the ledger's sums, and every count
    against the verdicts; say how to mend each.

    Ends with exit code 1 where something is wrong. Verdicts of people are never changed or removed.

    Example: cograde check --workspace study.db --mend
    """
    Context.workspace = workspace
    found = check.check(
        Scope(Actor(), open_to_check(workspace or Context.settings.workspace)), mend
    )
    show(found, as_json, lambda: _text(found))
    if not found.sound:
        raise typer.Exit(1)


def _text(found: Checked) -> str:
    lines = [f"{found.workspace}: schema {found.schema}, {found.bytes / 1e6:,.1f} MB"]
    if found.backup:
        lines.append(f"Backed up first: {found.backup}")
    lines += [
        f"mended  {finding.check}: {finding.count:,} {finding.words}" for finding in found.mended
    ]
    wrong = {finding.check for finding in found.findings}
    for name, about in found.checks.items():
        if name in found.unseen:
            lines.append(f"unseen  {name}: {about}; what it rests on is wrong")
        elif name not in wrong:
            lines.append(f"sound   {name}: {about}")
    for finding in found.findings:
        lines.append(f"WRONG   {finding.check}: {finding.count:,} {finding.words}")
        lines += [f"          {example}" for example in finding.examples]
        lines.append(
            f"        {finding.remedy.replace('cograde check --mend', hint('check --mend'))}"
        )
    if not found.sound:
        last = found.last_backup
        lines.append(f"The last backup beside it: {last}" if last else "No backup lies beside it.")
    return "\n".join(lines)
