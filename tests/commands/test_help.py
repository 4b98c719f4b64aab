"""What every command says: its help has an example, and a report without figures says why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from graders.core import discovery
from graders.store.workspace import open_workspace
from tests.commands.runner import Line
from tests.store import small


def commands() -> Iterator[tuple[str, Any]]:
    """All commands that people may type, with those of groups: ``grade``, ``judges add``, ...; and
    what they are made of."""
    found, failures = discovery.load_modules("commands", "graders.commands", ("command", "app"))
    assert not failures
    for module_name, module in found.items():
        name = module_name.rstrip("_").replace("_", "-")
        if getattr(module, "HIDDEN", False):
            continue
        made = typer.main.get_command(getattr(module, "app", None) or _app(module.command))
        inner = getattr(made, "commands", None)
        yield from (
            ((f"{name} {verb}", one) for verb, one in inner.items()) if inner else ((name, made),)
        )


def _app(function: object) -> typer.Typer:
    app = typer.Typer()
    app.command()(function)  # type: ignore[type-var]
    return app


#: No other command makes the file that its --workspace names.
MAKE_A_WORKSPACE = ("collect", "import", "serve")
GROUPS = sorted({words.split()[0] for words, _ in commands() if " " in words})


@pytest.mark.parametrize("words", ["", *GROUPS, *sorted(words for words, _ in commands())])
def test_the_help_of_every_command_has_an_example(words: str, cograde: Line) -> None:
    done = cograde.bare(*words.split(), "--help")
    assert done.code == 0 and f"Example: cograde {words}".strip() in " ".join(done.out.split()), (
        done.out
    )
    assert ("made if missing" in done.out) == (words in MAKE_A_WORKSPACE)
    assert ("Leaderboard:" in done.out) == (words == "report"), (
        "elsewhere the options are the command's own"
    )


def test_a_report_without_figures_says_why_and_lists_no_filters(
    cograde: Line, tmp_path: Path
) -> None:
    small.study(tmp_path, open_workspace(cograde.workspace), count=2, models=("Ash", "Oak"))
    found = cograde("agree", "--json").json
    assert found["title"] == "No blind verdicts by people meet a judge's or a colleague's yet."
    assert (
        found["subtitle"]
        == "Figures appear once two have graded the same answers: a judge and a person, or two people."
    )
    assert "choices" not in found
    assert cograde("agree").out.splitlines()[1] == found["subtitle"]
