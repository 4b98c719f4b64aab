"""The option --only of commands whose figures are narrowed down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from graders.commands._values import one_of
from graders.core.errors import InputError, UsageError
from graders.core.words import error_parts, say
from graders.store.opinions.filters import Filters
from graders.workflows.opinions.narrowing import ALL, filters_of, meant
from graders.workflows.opinions.participants import POPULATIONS

OnlyOption = Annotated[
    list[str] | None,
    typer.Option("--only", help=say("terminal.only.help")),
]
PopulationOption = Annotated[
    str,
    typer.Option(
        "--population",
        callback=one_of(POPULATIONS),
        help=say("terminal.population.help"),
        show_default=say("terminal.population.default"),
    ),
]
AllOption = Annotated[bool, typer.Option("--all", help=say("terminal.all.help"))]


def only_filters(words: Sequence[str] | None, known: Sequence[str] = ALL) -> Filters:
    """The filters that `words`, each NAME=VALUE, ask for; UsageError for a word of another form, or
    a filter that is not `known`."""
    found: dict[str, list[str]] = {}
    for word in words or []:
        name, sign, value = word.partition("=")
        if not sign or not value:
            raise UsageError(**error_parts("terminal.error.only", word=repr(word[:60])))
        found.setdefault(name.strip().replace("-", "_"), []).append(value)
    try:
        return meant(filters_of(found), known)
    except InputError as error:
        found_there = f"{error.found} ({error.where})"
        raise UsageError(
            say("terminal.option", option="--only"),
            found=found_there,
            expected=error.expected,
            remedy=error.remedy,
        ) from error
