"""Options that the commands share which rank or compare models."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from graders.commands._only import only_filters
from graders.commands._values import one_of
from graders.core.errors import UsageError
from graders.core.records import TASK_TYPES
from graders.core.words import error_parts, say
from graders.store.opinions.filters import Filters
from graders.workflows.leaderboard.ground import BOARD, WAYS


def _way(about: str) -> Any:
    return typer.Option(
        "--show",
        callback=one_of(WAYS),
        help=about,
        show_default=say("terminal.show.default"),
    )


def _judge(about: str) -> Any:
    return typer.Option("--judge", help=about, show_default=say("terminal.judge.default"))


WayOption = Annotated[str, _way(say("terminal.show.help"))]
JudgeOption = Annotated[str, _judge(say("terminal.judge.help"))]
WeightOption = Annotated[
    list[str] | None, typer.Option("--weight", help=say("terminal.weight.help"))
]
#: The same of a command that does more than ranking.
BoardWayOption = Annotated[str, _way(say("terminal.board.show.help"))]
BoardJudgeOption = Annotated[str, _judge(say("terminal.board.judge.help"))]
BoardWeightOption = Annotated[
    list[str] | None, typer.Option("--weight", help=say("terminal.board.weight.help"))
]
CategoryOption = Annotated[str, typer.Option("--category", help=say("terminal.category.help"))]
TaskTypeOption = Annotated[
    str,
    typer.Option("--task-type", callback=one_of(TASK_TYPES), help=say("terminal.task_type.help")),
]
LanguageOption = Annotated[str, typer.Option("--language", help=say("terminal.language.help"))]


def board_filters(
    only: Sequence[str] | None, category: str, task_type: str, language: str
) -> Filters:
    """What --only and the options of their own ask for; several values of one filter are
    alternatives."""
    own = {"category": category, "task_type": task_type, "language": language}
    return only_filters(
        [*(only or ()), *(f"{name}={value}" for name, value in own.items() if value)], BOARD
    )


def weights_of(words: Sequence[str] | None) -> dict[str, float]:
    """CRITERION=NUMBER, each read."""
    found: dict[str, float] = {}
    for text in words or ():
        key, _, number = text.rpartition("=")
        try:
            found[key] = float(number)
        except ValueError:
            raise UsageError(**error_parts("terminal.error.weight", text=repr(text))) from None
    return found


def width(names: Iterable[str]) -> int:
    """How many columns a list of names takes, a gap behind the longest."""
    return max([28, *(columns(name) + 2 for name in names)])


def padded(name: str, wide: int) -> str:
    """A name with blanks up to so many columns."""
    return name + " " * max(1, wide - columns(name))


def columns(text: str) -> int:
    """The columns of a terminal that a text takes: letters of Chinese, Japanese and Korean take
    two, marks on a letter none."""
    return sum(
        0
        if unicodedata.combining(letter)
        else 2
        if unicodedata.east_asian_width(letter) in "WF"
        else 1
        for letter in text
    )
