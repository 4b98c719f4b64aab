"""Quality against price, speed or length: where points, the line of the best, and names stand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graders.web.kit.drawing import number, steps
from graders.workflows.leaderboard.board import Axis, Board, Ranked

#: What quality is set against -> its unit's size.
AGAINST = {"cost": 1_000.0, "first": 1.0, "seconds": 1.0, "tokens": 1.0}
#: From this ratio of the dearest to the cheapest on the axis is logarithmic.
WIDE = 8
#: All lengths are in % of the plot: what a name of `n` letters takes, and how far it may reach.
LETTER, LONGEST, HIGH = 2.7, 45.0, 9.0


class Place(NamedTuple):
    """Where something stands, in % from the left and from the top."""

    x: float
    y: float


class Piece(NamedTuple):
    """A level or upright piece of the line."""

    x: float
    y: float
    wide: float
    high: float


class Name(NamedTuple):
    """A name that found room: on the left of its point, or below it."""

    text: str
    at: Place
    left: bool
    below: bool


@dataclass(frozen=True, slots=True)
class Point:
    """A model: where it stands, the upper and lower end of its interval, what is read out, whether
    its figure carries a decision, and whether it is on the line."""

    row: Ranked
    at: Place
    ends: tuple[float, float] | None
    label: str
    sure: bool
    best: bool


@dataclass(frozen=True, slots=True)
class Plot:
    """What is drawn: against which of the `choices`, lines of the scale (from the top, text),
    numbers below (from the left, text)."""

    against: str
    choices: Sequence[str]
    points: Sequence[Point]
    line: Sequence[Piece]
    names: Sequence[Name]
    across: Sequence[tuple[float, str]]
    up: Sequence[tuple[float, str]]


def plot_of(found: Board, asked: str) -> Plot | None:
    """The plot against what is asked for, else against the first that is known; None where nothing
    is known of two models."""
    rows = [row for row in found.models if row.figure and row.figure.value is not None]
    choices = [name for name in AGAINST if sum(getattr(row, name) is not None for row in rows) > 1]
    if not choices:
        return None
    against = asked if asked in choices else choices[0]
    xs = {
        row: AGAINST[against] * getattr(row, against)
        for row in rows
        if getattr(row, against) is not None
    }
    return _plot(xs, found.axis, against, choices)


def _plot(xs: dict[Ranked, float], axis: Axis, against: str, choices: Sequence[str]) -> Plot:
    left = _across(list(xs.values()))
    bottom, top = _upright(list(xs), axis)

    def down(y: float) -> float:
        return 100 * (top - y) / (top - bottom)

    best = _frontier([(x, _value(row), row) for row, x in xs.items() if _sure(row)])
    points = [_point(row, x, left, down, axis, row in best) for row, x in xs.items()]
    line = [next(p for p in points if p.row is row) for row in best]
    ends = sorted({min(xs.values()), max(xs.values())})
    digits = 0 if top - bottom > 10 else 1
    return Plot(
        against=against,
        choices=choices,
        points=points,
        line=_pieces([p.at for p in line]),
        names=_names(points, line),
        across=[(left(x), short(x)) for x in ends],
        up=[(down(y), f"{y:.{digits}f}") for y in steps(bottom, top)],
    )


def _across(xs: Sequence[float]) -> Callable[[float], float]:
    """Where a value stands from the left."""
    low, high = min(xs), max(xs)
    log = low > 0 and high / low > WIDE
    scale: Callable[[float], float] = math.log10 if log else float
    pad = ((scale(high) - scale(low)) or 1) * 0.12
    start = scale(low) - pad if log else max(0.0, low - pad)
    end = scale(high) + pad
    return lambda x: 100 * (scale(x) - start) / (end - start)


def _upright(rows: Sequence[Ranked], axis: Axis) -> tuple[float, float]:
    """The lowest and highest value that is drawn, with some room."""
    ends = [
        _value(row) if end is None else end
        for row in rows
        if row.figure
        for end in (row.figure.low, row.figure.high)
    ]
    room = ((max(ends) - min(ends)) or 1) * 0.06
    return max(axis.low, min(ends) - room), min(axis.high, max(ends) + room)


def _value(row: Ranked) -> float:
    return (row.figure.value or 0.0) if row.figure else 0.0


def _sure(row: Ranked) -> bool:
    """Whether a model's figure carries a decision: the others are on no line."""
    return row.figure is not None and row.figure.status == "OK"


def _point(
    row: Ranked,
    x: float,
    left: Callable[[float], float],
    down: Callable[[float], float],
    axis: Axis,
    best: bool,
) -> Point:
    figure = row.figure
    ends = None
    if figure and figure.low is not None and figure.high is not None:
        ends = down(figure.high), down(figure.low)
    label = f"{row.model}: {_value(row):.{axis.decimals}f}, {short(x)}"
    return Point(row, Place(left(x), down(_value(row))), ends, label, _sure(row), best)


def _frontier(points: Sequence[tuple[float, float, Ranked]]) -> list[Ranked]:
    """Models that no other beats in both, the cheapest first."""
    found: list[Ranked] = []
    top = -math.inf
    for _, y, row in sorted(points, key=lambda one: (one[0], -one[1])):
        if y > top:
            top = y
            found.append(row)
    return found


def _pieces(best: Sequence[Place]) -> list[Piece]:
    """The line through them as level and upright pieces."""
    made: list[Piece] = []
    for at, here in enumerate(best):
        after = best[at + 1] if at + 1 < len(best) else None
        made.append(Piece(here.x, here.y, (after.x if after else 100) - here.x, 0))
        if after:
            made.append(Piece(after.x, after.y, 0, here.y - after.y))
    return made


class _Box(NamedTuple):
    """Where a name would stand."""

    start: float
    end: float
    mid: float
    left: bool
    below: bool


def _names(points: Sequence[Point], best: Sequence[Point]) -> list[Name]:
    """Names that find room: those on the line first, of these the best. A name stands beside its
    point, above or else below, and where it can clear of the line."""
    taken: list[_Box] = []
    made: list[Name] = []
    line = [point.at for point in best]
    for point in [*reversed(best), *(p for p in points if p not in best)]:
        free = [box for box in _boxes(point) if _is_free(box, taken)]
        box = next((one for one in free if not _struck(line, one)), free[0] if free else None)
        if box is not None:
            taken.append(box)
            made.append(Name(point.row.model, point.at, box.left, box.below))
    return made


def _boxes(point: Point) -> list[_Box]:
    x, y = point.at
    wide = min(LONGEST, 3 + LETTER * len(point.row.model))
    first = x > 62
    return [
        _Box(x - wide, x - 2, y + off, True, off > 0)
        if left
        else _Box(x + 2, x + wide, y + off, False, off > 0)
        for off in (-5, 5)
        for left in (first, not first)
    ]


def _is_free(box: _Box, taken: Sequence[_Box]) -> bool:
    inside = box.start >= 0 and box.end <= 100 and box.mid <= 96
    return inside and not any(
        abs(one.mid - box.mid) < HIGH and box.start < one.end and one.start < box.end
        for one in taken
    )


def _struck(line: Sequence[Place], box: _Box) -> bool:
    """Whether a piece of the line goes through a box."""
    top, bottom = box.mid - 4, box.mid + 4
    for at, (x, y) in enumerate(line):
        next_x, next_y = line[at + 1] if at + 1 < len(line) else Place(100, y)
        level = top < y < bottom and x < box.end and next_x > box.start
        upright = box.start < next_x < box.end and next_y < bottom and y > top
        if level or upright:
            return True
    return False


def short(x: float) -> str:
    """A number with two digits that count, from 100 on whole: 0.034, 1.5, 1,200."""
    return number(round(x)) if x >= 100 else f"{float(f'{x:.2g}'):g}"
