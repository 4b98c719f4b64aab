"""The table of ranks: a row per model, brackets that join what is tied, and the axis of all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graders.core.words import say
from graders.web.kit.drawing import steps
from graders.workflows.leaderboard.board import Axis, Board, Preferences, Preferred, Ranked

#: Models that are shown before all are asked for.
SHOWN = 40
#: Brackets beside each other that find room.
LANES = 3


class Bracket(NamedTuple):
    """Lines from `first` to `last`, from 0, that cannot be told apart, and the bracket's place."""

    first: int
    last: int
    lane: int


@dataclass(frozen=True, slots=True)
class RankLine:
    """A model's row: its rank as text, what is read out for its drawing, whether its figure is
    grey, and how many places below (or above) the judge alone puts it."""

    row: Ranked | Preferred
    rank: str
    label: str
    grey: bool
    moved: int


@dataclass(frozen=True, slots=True)
class Ranks:
    """What is drawn: rows on an axis from `low` to `high`, and models without a figure with the
    reason."""

    title: str
    how: str
    show: str
    axis: Axis
    low: float
    high: float
    ticks: Sequence[float]
    digits: int
    lines: Sequence[RankLine]
    brackets: Sequence[Bracket]
    without: Sequence[str]
    count: int


def ranks_of(found: Board | Preferences, everyone: bool) -> Ranks | None:
    """The table; None where no model has a figure. Without `everyone` the best models alone."""
    rows: list[Ranked | Preferred] = [
        row for row in found.models if row.figure is not None and row.figure.value is not None
    ]
    if not rows:
        return None
    shown = rows if everyone else rows[:SHOWN]
    low, high = _range(shown, found)
    lacks = "judge" if found.show == "judge" else "people"
    return Ranks(
        title=next((c.title for c in found.criteria if c.key == found.view), "")
        or say("leaderboard.page.overall"),
        how=_how(found),
        show=found.show,
        axis=found.axis,
        low=low,
        high=high,
        ticks=steps(low, high),
        digits=0 if high - low > 10 else 1,
        lines=[_line(row, found) for row in shown],
        brackets=_brackets(found.ties, len(shown)),
        without=[
            f"{row.model} ({row.figure.reason if row.figure else ''})"
            if row.figure and row.figure.reason
            else f"{row.model} ({say(f'leaderboard.page.lacks.{lacks}')})"
            for row in found.models
            if row not in rows
        ],
        count=len(rows),
    )


def _how(found: Board | Preferences) -> str:
    if isinstance(found, Preferences):
        return found.how
    how = say("leaderboard.page.how.text")
    if found.show != "corrected" or found.lambda_ is None:
        return how
    return f"{how}; {say('leaderboard.page.how.weight', weight=found.lambda_)}"


def _range(rows: Sequence[Ranked | Preferred], found: Board | Preferences) -> tuple[float, float]:
    """The part of the scale that the rows need, in whole tenths of it."""
    low, high = found.axis.low, found.axis.high
    ends = [
        end
        for row in rows
        for one in (row.figure, row.people, row.judge if found.judge else None)
        if one is not None
        for end in (one.low, one.high, one.value)
        if end is not None
    ]
    tenth = (high - low) / 10
    return (
        max(low, low + math.floor((min(ends) - low) / tenth) * tenth),
        min(high, low + math.ceil((max(ends) - low) / tenth + 1e-9) * tenth),
    )


def _line(row: Ranked | Preferred, found: Board | Preferences) -> RankLine:
    figure, digits = row.figure, found.axis.decimals
    assert figure is not None and figure.value is not None
    grey = figure.status != "OK"
    label = f"{row.model}: {figure.value:.{digits}f}"
    if figure.low is not None and figure.high is not None:
        low, high = f"{figure.low:.{digits}f}", f"{figure.high:.{digits}f}"
        label += say("leaderboard.page.read.ends", low=low, high=high)
    if grey:
        label += say("leaderboard.page.read.doubt", reason=figure.reason)
    moved = 0
    if found.show == "corrected" and not grey and row.judge and row.judge.status == "OK":
        moved = (row.judge_place or 0) - (row.place or 0)
    best, worst = row.ranks or ("–", "–")  # a figure that carries no decision has no rank
    return RankLine(row, f"{best}" if best == worst else f"{best}–{worst}", label, grey, moved)


def _brackets(ties: Sequence[tuple[int, int]], rows: int) -> list[Bracket]:
    """Runs of tied models, beside each other where they overlap."""
    until: list[int] = []
    made: list[Bracket] = []
    for first, last in ties:
        if first >= rows:
            continue
        end = min(last, rows - 1)
        lane = next((at for at, taken in enumerate(until) if taken < first), len(until))
        until[lane : lane + 1] = [end]
        made.append(Bracket(first, end, min(lane, LANES - 1)))
    return made
