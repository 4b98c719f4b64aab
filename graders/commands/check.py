"""Check a workspace: its file, its ledger, and what is counted; mend what can be made again."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._shell import Context, JsonOption, WorkspaceOption, hint, show
from graders.core.words import carried
from graders.store.workspace import open_to_check
from graders.workflows.projects import check
from graders.workflows.projects.check import Checked
from graders.workflows.scope.permissions import Actor, Scope

say = carried(
    "command_check",
    {
        "mend.help": "Compute again what follows from the verdicts; a backup is made first.",
        "help": (
            "Check the workspace file for damage. That is its integrity, references between rows, "
            "the ledger's sums, and every count against the verdicts; say how to repair each.\n\n"
            "Exits with 1 where something is wrong. People's verdicts are never changed or "
            "removed.\n\n"
            "Example: cograde check --workspace study.db --mend"
        ),
        "workspace": "{workspace}: schema {schema}, {megabytes:,.1f} MB",
        "backed_up": "Backed up first: {backup}",
        "mended": "mended  {check}: {count:,} {words}",
        "unseen": "unseen  {name}: {about}; not checked, because what it depends on is wrong",
        "sound": "sound   {name}: {about}",
        "wrong": "WRONG   {check}: {count:,} {words}",
        "last_backup": "The last backup beside the file: {last}",
        "no_backup": "There is no backup beside the file.",
    },
)
ABOUT = say("help")


def command(
    workspace: WorkspaceOption = None,
    mend: Annotated[
        bool,
        typer.Option("--mend", help=say("mend.help")),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check the file's integrity, rows that name other rows, the ledger's sums, and every count
    against the verdicts; say how to mend each."""
    Context.workspace = workspace
    found = check.check(
        Scope(Actor(), open_to_check(workspace or Context.settings.workspace)), mend
    )
    show(found, as_json, lambda: _text(found))
    if not found.sound:
        raise typer.Exit(1)


def _text(found: Checked) -> str:
    lines = [
        say(
            "workspace",
            workspace=found.workspace,
            schema=found.schema,
            megabytes=found.bytes / 1000000.0,
        )
    ]
    if found.backup:
        lines.append(say("backed_up", backup=found.backup))
    lines += [
        say("mended", check=finding.check, count=finding.count, words=finding.words)
        for finding in found.mended
    ]
    wrong = {finding.check for finding in found.findings}
    for name, about in found.checks.items():
        if name in found.unseen:
            lines.append(say("unseen", name=name, about=about))
        elif name not in wrong:
            lines.append(say("sound", name=name, about=about))
    for finding in found.findings:
        lines.append(say("wrong", check=finding.check, count=finding.count, words=finding.words))
        lines += [f"          {example}" for example in finding.examples]
        lines.append(
            f"        {finding.remedy.replace('cograde check --mend', hint('check --mend'))}"
        )
    if not found.sound:
        last = found.last_backup
        lines.append(say("last_backup", last=last) if last else say("no_backup"))
    return "\n".join(lines)
