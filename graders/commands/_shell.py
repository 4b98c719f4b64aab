"""What all commands share: the workspace, output as text or as one JSON document, errors as one sentence."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.exceptions import TyperException

from graders.core.errors import CogradeError, InputError
from graders.core.settings import Settings
from graders.store.projects import begun_projects
from graders.store.workspace import open_workspace
from graders.workflows.permissions import Actor, Scope

WorkspaceOption = Annotated[
    Path | None, typer.Option("--workspace", help="The workspace file (made if missing).", show_default="cograde.db")
]
ProjectOption = Annotated[str, typer.Option("--project", help="The project's name.", show_default="the only one")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]

#: Messages for people; results go to standard output.
messages = Console(stderr=True, highlight=False, soft_wrap=True)


#: What typer makes of a keyboard interrupt.
INTERRUPTED = 130


class Context:
    """What a command is given by whoever started the program."""

    settings: Settings = Settings()
    serve: Callable[[Settings], None] = staticmethod(lambda settings: None)


def run(words: Sequence[str], settings: Settings, serve: Callable[[Settings], None]) -> int:
    """Run a command line; returns the exit code of the design: 0 done, 1 bad input, 2 wrong usage, 3 stopped, 4, 5."""
    Context.settings, Context.serve = settings, serve
    app = typer.Typer(
        help="People and AI grade answers of language models together.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_about)
    for info in pkgutil.iter_modules(importlib.import_module("graders.commands").__path__):
        if not info.name.startswith("_"):
            module = importlib.import_module(f"graders.commands.{info.name}")
            name, hidden = info.name.rstrip("_").replace("_", "-"), getattr(module, "HIDDEN", False)
            if hasattr(module, "app"):
                app.add_typer(module.app, name=name, hidden=hidden)
            else:
                app.command(name, hidden=hidden)(module.command)
    try:
        code = typer.main.get_command(app).main(args=list(words), prog_name="cograde", standalone_mode=False)
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        return int(code or 0) if isinstance(code, int) else 0
    except TyperException as error:  # words that do not fit; where there are none, its text is the help
        error.show(file=sys.stderr) if hasattr(error, "show") else messages.print(str(error), markup=False)
        return 2
    except (typer.Abort, KeyboardInterrupt):
        messages.print("Stopped; everything that was stored is kept.")
        return 3
    except CogradeError as error:
        messages.print(str(error), markup=False)
        return error.exit_code


def _about() -> None:
    """People and AI grade answers of language models together."""


def scope_for(workspace: Path | None, make: bool = False) -> Scope:
    """The scope of a command: the lead of a workspace. A file that is not there is made only where a command says so."""
    path = workspace or Context.settings.workspace
    if not make and not path.exists():
        raise InputError(f"workspace {path}", found="no such file", expected="a workspace", remedy="Make one: cograde import FILE.")
    return Scope(Actor(), open_workspace(path))


def project_for(scope: Scope, name: str) -> str:
    """The named project, or the only one."""
    if name:
        return scope.project(name).name
    found = [p.name for p in begun_projects(scope.ws)]
    if len(found) != 1:
        raise InputError(
            "option --project",
            found="none",
            expected="one of " + ", ".join(found) if found else "a project",
            remedy="Name it with --project NAME." if found else "Import a file first.",
        )
    return found[0]


def show(result: Any, as_json: bool, text: Callable[[], str]) -> None:
    """Print a result: one JSON document, or text."""
    if as_json:
        print(json.dumps(result, ensure_ascii=False, indent=2, default=str))
    else:
        print(text())
