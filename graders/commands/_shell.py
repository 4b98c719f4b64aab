"""What all commands share: the workspace, output as text or as one JSON document, errors as one
sentence."""

from __future__ import annotations

import ast
import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.exceptions import TyperException

from graders.core import discovery
from graders.core.errors import CogradeError, InputError, PluginError, StoppedEarly, UsageError
from graders.core.money import dollars
from graders.core.settings import Settings
from graders.core.shapes import as_dict, writable
from graders.core.words import catalogue, error_parts, say
from graders.store import damage
from graders.store.projects import begun_projects
from graders.store.trouble import TROUBLES, storage_error
from graders.store.unplaced import Unplaced
from graders.store.workspace import open_workspace
from graders.workflows.cells import earlier_rulings
from graders.workflows.scope.permissions import Actor, Scope

WorkspaceOption = Annotated[
    Path | None,
    typer.Option("--workspace", help=say("terminal.workspace.help"), show_default="cograde.db"),
]
#: Of a command that makes the file.
NewWorkspaceOption = Annotated[
    Path | None,
    typer.Option("--workspace", help=say("terminal.new_workspace.help"), show_default="cograde.db"),
]
ProjectOption = Annotated[
    str,
    typer.Option(
        "--project", help=say("terminal.project.help"), show_default=say("terminal.project.default")
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help=say("terminal.json.help"))]

#: Messages for people; results go to standard output.
messages = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


#: Serves the pages; tells address, workspace and project once they answer.
Serve = Callable[[Settings, Callable[[dict[str, str]], None]], None]

#: How errors of runs name their options: as they are typed.
TYPED = {
    "option judges": "--judge",
    "option split": "--split",
    "option panel": "--panel",
    "option metrics": "--metric",
    "option base_urls": "--base-url",
    "option key_variables": "--key-variable",
    "option headers": "--header",
    "option concurrency": "--concurrency",
    "option timeout": "--timeout",
    "option tries": "--try",
    "option budget_money": "--budget",
    "option budget_calls": "--max-calls",
    "budget in money": "--budget",
}

#: What typer makes of a keyboard interrupt.
INTERRUPTED = 130


class Context:
    """What a command is given by whoever started the program, and what it has to say in the end."""

    settings: Settings = Settings()
    serve: Serve = staticmethod(lambda settings, tell: None)
    #: The options of this command line that lead to the same workspace and project.
    workspace: Path | None = None
    project: str = ""
    #: The workspace that this command line makes, until something came into it; None where it was
    #: there.
    made: Unplaced | None = None
    #: The document that `--json` prints when the command ends; None before there is one.
    document: Any = None


def run(words: Sequence[str], settings: Settings, serve: Serve) -> int:
    """Run a command line; returns the exit code of the design: 0 done, 1 bad input, 2 wrong usage,
    3 stopped, 4, 5.

    With ``--json`` exactly one document goes to standard output, also where the command fails: then
    it holds `error`.
    """
    Context.settings, Context.serve = settings, serve
    Context.workspace, Context.project, Context.made, Context.document = None, "", None, None
    code = 0
    try:
        code, error = _run(words)
        if "--json" in words[: words.index("--") if "--" in words else None]:
            _end_with_document(code, error)
        sys.stdout.flush()
    except BrokenPipeError:
        _let_go_of_output()
    return code


def _let_go_of_output() -> None:
    """Whoever read the output has read enough (``| head``): nothing more is said, also by the
    interpreter as it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _end_with_document(code: int, error: CogradeError | None) -> None:
    found = Context.document
    if error is not None:
        told = {**error.to_json(), "exit": code}
        found = {**(as_dict(found) if found is not None else {}), "error": told}
    if found is not None:
        print_document(found)


def print_document(found: Any) -> None:
    """Print a JSON document."""
    print(json.dumps(found, ensure_ascii=False, indent=2, default=writable), flush=True)


def _run(words: Sequence[str]) -> tuple[int, CogradeError | None]:
    """The exit code of a command line, and the error that it ended with; its sentence stands on
    standard error."""
    app = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback(help=say("terminal.help"))(_about)
    if list(words) in ([], ["--help"]):
        _listed(app)
        found, failures = load_outside_commands()
    else:
        found, failures = load_commands(next(iter(words), ""))
    for module_name, module in found.items():
        name, hidden = module_name.rstrip("_").replace("_", "-"), getattr(module, "HIDDEN", False)
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name, hidden=hidden)
        else:
            about = getattr(module, "ABOUT", None)  # one from outside may have a docstring instead
            app.command(name, help=about, hidden=hidden)(module.command)
    for failure in failures:
        anything = {"allow_extra_args": True, "ignore_unknown_options": True}
        app.command(
            failure.name.rstrip("_").replace("_", "-"), hidden=True, context_settings=anything
        )(_refused(failure.reason))
    try:
        try:
            code = typer.main.get_command(app).main(
                args=list(words), prog_name="cograde", standalone_mode=False
            )
        finally:
            if Context.made is not None:
                Context.made.drop()
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        return (int(code or 0) if isinstance(code, int) else 0), None
    except (
        TyperException
    ) as error:  # words that do not fit; where there are none, its text is the help
        error.show(file=sys.stderr) if hasattr(error, "show") else messages.print(
            str(error), markup=False
        )
        said = (
            error.format_message()
            if hasattr(error, "format_message")
            else str(error).strip().splitlines()[0]
        )
        return 2, UsageError(
            **error_parts("terminal.error.usage", line=" ".join(words), found=said)
        )
    except (typer.Abort, KeyboardInterrupt):
        messages.print(say("terminal.interrupted"))
        return 3, StoppedEarly(**error_parts("terminal.error.interrupted", line=" ".join(words)))
    except CogradeError as error:
        error = _as_typed(error)
        messages.print(str(error), markup=False)
        return error.exit_code, error
    except (*TROUBLES, *damage.ERRORS) as trouble:
        is_damage = damage.is_damage(trouble)
        path = Context.workspace or Context.settings.workspace
        refused = damage.damaged(path, str(trouble)) if is_damage else storage_error(trouble)
        if refused is None:
            raise
        messages.print(str(refused), markup=False)
        return refused.exit_code, refused


def _as_typed(error: CogradeError) -> CogradeError:
    """The error with the option's name as it is typed, where workflows call it otherwise."""
    if (option := TYPED.get(error.where)) is None:
        return error
    return type(error)(
        say("terminal.option", option=option),
        found=error.found,
        expected=error.expected,
        remedy=error.remedy,
    )


def load_commands(only: str = "") -> tuple[dict[str, Any], list[discovery.Failure]]:
    """The modules of commands, and those that do not load. Where one is named `only`, the others,
    which would take the greater part of a second to load, are left alone."""
    name = only.replace("-", "_")
    # A command may have the name of a word that Python keeps for itself.
    return discovery.load_modules(
        "commands", "graders.commands", ("command", "app"), (name, f"{name}_") if name else ()
    )


def load_outside_commands() -> tuple[dict[str, Any], list[discovery.Failure]]:
    """The commands of outside packages, and those that do not load: these are broken parts."""
    names = discovery.outside_names("commands")
    if not names:
        return {}, []
    found, failures = discovery.load_modules(
        "commands", "graders.commands", ("command", "app"), names
    )
    discovery.note("commands", failures)
    return found, failures


def _listed(app: typer.Typer) -> None:
    """Give `app` all commands with their help only: of the commands in this folder nothing is
    loaded, those of outside packages are."""
    words = catalogue()
    for name, path in discovery.module_files("graders.commands").items():
        english, hidden = _described(path)
        about = words.text(f"command_{name.rstrip('_')}.help") or english
        app.command(name.rstrip("_").replace("_", "-"), help=about, hidden=hidden)(_about)


def _described(path: Path) -> tuple[str, bool]:
    """The help of a command, which its file carries or its docstring says, and whether the command
    is left out of the list."""
    about, hidden = "", False
    for node in ast.parse(path.read_text("utf-8")).body:
        match node:
            case ast.Assign(targets=[ast.Name(id="say")], value=ast.Call(args=[_, english])):
                about = ast.literal_eval(english)["help"]
            case ast.FunctionDef(name="command"):
                about = about or ast.get_docstring(node) or ""
            case ast.Assign(targets=[ast.Name(id="HIDDEN")], value=ast.Constant(value=value)):
                hidden = bool(value)
    return about, hidden


def _refused(reason: str) -> Callable[[], None]:
    """A command in place of one that could not be loaded: it says why."""

    def command() -> None:
        raise PluginError(reason.rstrip("."))

    return command


def group(about: str) -> typer.Typer:
    """A command whose verbs are commands; `about` is its help, with an example."""
    return typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)


def _about() -> None:
    """Cograde itself."""


def scope_for(workspace: Path | None, make: bool = False) -> Scope:
    """The scope of a command: the lead of a workspace. A file that is not there is made only where
    a command says so: it goes again with the command unless `placed` keeps it."""
    Context.workspace = workspace
    path = workspace or Context.settings.workspace
    if path.exists():
        ws = open_workspace(path)
        earlier_rulings.weigh_again(ws)
        return Scope(Actor(), ws)
    if not make:
        raise InputError(
            **error_parts("terminal.error.no_workspace", path=path, hint=hint("import FILE"))
        )
    Context.made = Unplaced(path)
    return Scope(Actor(), Context.made.ws)


def placed(scope: Scope) -> Scope | None:
    """The scope of a workspace whose file now stands under its name for everybody; None where
    another program has made one there meanwhile, into which this command's rows have not come."""
    made = Context.made
    if made is None:
        return scope
    done = made.place()
    made.drop()
    Context.made = None
    return Scope(Actor(), open_workspace(made.path)) if done else None


def project_for(scope: Scope, name: str) -> str:
    """The named project, or the only one."""
    Context.project = name
    if name:
        return scope.project(name).name
    names = [p.name for p in begun_projects(scope.ws)]
    if not names:
        raise InputError(**error_parts("terminal.error.no_project"))
    if len(names) > 1:
        raise InputError(**error_parts("terminal.error.which_project", names=", ".join(names)))
    return names[0]


def show(result: Any, as_json: bool, text: Callable[[], str]) -> None:
    """Print a result: as text now, or as the one JSON document when the command ends."""
    if as_json:
        Context.document = result
    else:
        print(text())


def paid_words(paid: Mapping[str, Any]) -> str:
    """What a judge or run cost; an unknown price is unknown, not 0."""
    unpriced, money = paid.get("unpriced", 0), paid["money"]
    if not unpriced:
        return dollars(money)
    beside = say("terminal.beside", money=dollars(money)) if money else ""
    return say("terminal.unpriced", n=unpriced, beside=beside)


def start_question() -> str:
    """What is asked before a run starts."""
    return say("terminal.start")


def not_started() -> StoppedEarly:
    """The error of a run that the person did not start after its plan."""
    return StoppedEarly(**error_parts("terminal.error.not_started"))


def hint(words: str, project: str = "", *, whole_workspace: bool = False) -> str:
    """A command to type next, with the options that it needs to reach the same workspace and
    project; commands about the `whole_workspace` take no project."""
    name = "" if whole_workspace else project or Context.project
    options = [
        ("--project", name),
        ("--workspace", str(Context.workspace) if Context.workspace is not None else ""),
    ]
    return " ".join(
        [
            "cograde",
            words,
            *(f"{option} {shlex.quote(value)}" for option, value in options if value),
        ]
    )
