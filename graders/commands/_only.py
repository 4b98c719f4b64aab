"""The option --only of commands whose figures are narrowed down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from graders.commands._values import one_of
from graders.core.errors import InputError, UsageError
from graders.store.opinions.filters import Filters
from graders.workflows.opinions.frame import POPULATIONS
from graders.workflows.opinions.narrowing import ALL, filters_of, meant

OnlyOption = Annotated[
    list[str] | None,
    typer.Option("--only", help="Count only verdicts with NAME=VALUE, such as category=chess."),
]
PopulationOption = Annotated[
    str,
    typer.Option(
        "--population",
        callback=one_of(POPULATIONS),
        help="all, people, audit or adaptive.",
        show_default="the widest there is",
    ),
]
AllOption = Annotated[
    bool, typer.Option("--all", help="Count verdicts given with suggestions in sight too.")
]


def only_filters(words: Sequence[str] | None, known: Sequence[str] = ALL) -> Filters:
    """The filters that `words`, each NAME=VALUE, ask for; UsageError for a word of another form, or
    a filter that is not `known`."""
    found: dict[str, list[str]] = {}
    for word in words or []:
        name, sign, value = word.partition("=")
        if not sign or not value:
            raise UsageError(
                "option --only",
                found=repr(word[:60]),
                expected="NAME=VALUE",
                remedy="Write --only category=chess.",
            )
        found.setdefault(name.strip().replace("-", "_"), []).append(value)
    try:
        return meant(filters_of(found), known)
    except InputError as error:
        found_there = f"{error.found} ({error.where})"
        raise UsageError(
            "option --only", found=found_there, expected=error.expected, remedy=error.remedy
        ) from error
