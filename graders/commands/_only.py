"""The option --only of commands whose figures are narrowed down."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.core.errors import UsageError
from graders.store.filters import Filters
from graders.workflows.agree import filters_of

OnlyOption = Annotated[list[str] | None, typer.Option("--only", help="Count only verdicts with NAME=VALUE, such as category=chess.")]
PopulationOption = Annotated[str, typer.Option("--population", help="all, people or audit.", show_default="the widest there is")]
AllOption = Annotated[bool, typer.Option("--all", help="Count verdicts given with suggestions in sight too.")]


def only_filters(words: list[str] | None) -> Filters:
    """The filters that `words`, each NAME=VALUE, ask for; UsageError for a word of another form."""
    found: dict[str, list[str]] = {}
    for word in words or []:
        name, sign, value = word.partition("=")
        if not sign or not value:
            raise UsageError("option --only", found=repr(word[:60]), expected="NAME=VALUE", remedy="Write --only category=chess.")
        found.setdefault(name.strip().replace("-", "_"), []).append(value)
    return filters_of(found)
