"""The curve of what people must read at each risk: the point that the address asks for, the line,
and what is said of it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from graders.core.words import say
from graders.web.kit.view import View
from graders.workflows.promise.effort import Point
from graders.workflows.routing.page import Routing
from graders.workflows.scope.phrases import several

#: Less than this is not worth naming, in seconds.
MINUTE = 60.0
#: Beyond this part of the chart the words at the point stand left of it, in per cent.
LEFT = 38
#: Points of the curve that a strip for a finger stands for.
FINGER = 6


def percent(share: float) -> str:
    """0.1 as ``10 %``."""
    return say("routing.page.percent", n=round(100 * share))


def time_of(seconds: float) -> str:
    """Seconds as ``3.4 hours`` or ``25 minutes``."""
    if seconds >= 5_400:
        return say("routing.page.hours", n=seconds / 3_600)
    return say("routing.page.minutes", n=max(1, round(seconds / 60)))


def chosen(found: Routing, view: View) -> Point:
    """The point at the risk of the address; or the least risk at which people read no more answers
    than it says; else the one at the risk that is fixed."""
    if "read" in view and "risk" not in view:
        most = view.number("read", 0)
        return next((p for p in found.curve if p.answers <= most), found.curve[-1])
    risk = view.number("risk", 0) / 100 or found.alpha
    return min(found.curve, key=lambda point: abs(point.alpha - risk))


def sentence(found: Routing, now: Point) -> tuple[str, Markup]:
    """What people read at a point, alone and with its numbers marked."""
    within = found.terms.within if found.terms else 0
    places = {
        "read": say(
            "routing.page.read", answers=now.answers, all=found.unit.count(found.totals.answers)
        ),
        "time": "" if now.seconds is None else f" ({time_of(now.seconds)})",
        "steps": say("routing.page.by_more", n=within) if within else "",
        "risk": percent(now.alpha),
        "sure": percent(1 - found.delta),
        "people": ""
        if found.people is None
        else say("routing.page.people", share=percent(1 - found.people)),
    }
    numbers = ("read", "risk", "sure")
    # no text of a catalogue has these signs, and no number does
    text = escape(
        say("routing.page.sentence", **{**places, **{name: f"\x02{name}\x03" for name in numbers}})
    )
    for name in numbers:
        number = Markup('<span class="num">{}</span>').format(places[name])
        text = text.replace(Markup(f"\x02{name}\x03"), number)
    return say("routing.page.sentence", **places), text


def saved(found: Routing, now: Point) -> str:
    """What the machine saves people at a point; empty where that is not known, or nothing."""
    if found.effort is None or now.seconds is None:
        return ""
    alone = (
        found.totals.answers * found.effort.per_answer + found.totals.cells * found.effort.per_cell
    )
    return time_of(alone - now.seconds) if alone - now.seconds >= MINUTE else ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A number beside or below the chart, at a share of its height or width, in per cent."""

    at: float
    words: str


@dataclass(frozen=True, slots=True)
class Strip:
    """A part of the chart that is pressed: its `left` end and `width` in per cent, the `risk` that
    it stands for, and what people read there."""

    left: float
    width: float
    risk: int
    words: str


@dataclass(frozen=True, slots=True)
class Curve:
    """The drawing, 100 by 100, with the origin at the top left: the `line` as a path, where it
    begins and where the present point is (`x`, `y`). `wide`: strips for a finger."""

    line: str
    first: float
    x: float
    y: float
    up: Sequence[Mark]
    along: Sequence[Mark]
    strips: Sequence[Strip]
    wide: Sequence[Strip]
    read: str
    label: str
    spoken: str
    cost: str

    @property
    def left(self) -> bool:
        """Whether words at the point stand left of it."""
        return self.x > LEFT


def curve_of(found: Routing, now: Point) -> Curve:
    """The curve, in time where that is known, else in answers."""
    timed, last = found.effort is not None, found.curve[-1].alpha
    most = max([1.0, *(_height(point, timed) for point in found.curve)])

    def x(alpha: float) -> float:
        return 100 * alpha / last

    def y(point: Point) -> float:
        return 100 - 100 * _height(point, timed) / most

    def tick(share: float) -> str:
        return time_of(max(MINUTE, share * most)) if timed else f"{round(share * most):,}"

    places = [f"{x(point.alpha):.2f} {y(point):.2f}" for point in found.curve]
    read = read_of(found, now)
    return Curve(
        line="M" + " L".join(places),
        first=x(found.curve[0].alpha),
        x=x(now.alpha),
        y=y(now),
        up=[Mark(100 - 100 * share, tick(share)) for share in (0.5, 1)],
        along=[Mark(x(risk), percent(risk)) for risk in (0, 0.1, 0.2, 0.3) if risk <= last],
        strips=_strips(found, 1),
        wide=_strips(found, FINGER),
        read=read,
        label=f"{percent(now.alpha)}: {time_of(now.seconds) if now.seconds is not None else read}",
        spoken="; ".join(
            f"{percent(point.alpha)}: {found.unit.count(point.answers)}"
            for point in found.curve[4::5]
        ),
        cost=_cost(found),
    )


def read_of(found: Routing, point: Point) -> str:
    """``96 of 120 answers``."""
    return say(
        "routing.page.read", answers=point.answers, all=found.unit.count(found.totals.answers)
    )


def _height(point: Point, timed: bool) -> float:
    return float(point.seconds or 0) if timed else point.answers


def _strips(found: Routing, every: int) -> list[Strip]:
    points, last = found.curve[(every - 1) // 2 :: every], found.curve[-1].alpha
    ends = [(a.alpha + b.alpha) / 2 for a, b in itertools.pairwise(points)]
    lefts, rights = [0.0, *ends], [*ends, last]
    return [
        Strip(
            100 * left / last,
            100 * (right - left) / last,
            round(100 * point.alpha),
            f"{percent(point.alpha)}: {read_of(found, point)}",
        )
        for point, left, right in zip(points, lefts, rights, strict=True)
    ]


def _cost(found: Routing) -> str:
    """What reading takes, and how that is known."""
    if found.effort is None:
        return say("routing.page.cost.untimed")
    cell = (
        say("routing.page.cost.cell", seconds=found.effort.per_cell)
        if found.effort.per_cell
        else ""
    )
    return say(
        "routing.page.cost",
        seconds=round(found.effort.per_answer),
        unit=say(f"routing.page.one.{found.unit.one}"),
        cell=cell,
        screens=several(found.effort.screens, "screen"),
    )
