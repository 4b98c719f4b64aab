"""What people must read at each risk: before labels a forecast from what the machine says of
itself, after a test exploratory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graders.core.words import say
from graders.statistics.arrays import Array, Flags, find, joined
from graders.statistics.effort import Cost, Forecast, numbered_answers, reading, reading_cost
from graders.statistics.risk_control import SortedCells
from graders.store.figures import risk as store
from graders.store.projects import Project
from graders.workflows.promise.kinds import Kind
from graders.workflows.promise.placed_draws import Placing
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import several
from graders.workflows.scope.units import Unit

#: The risks of the curve.
RISKS = tuple(round(0.01 * step, 2) for step in range(1, 31))


@dataclass(frozen=True, slots=True)
class Point:
    """What people read at a risk `alpha`: `answers`, of which `cells` are theirs to grade, in so
    many `seconds` (None where no screens were timed); `automatic`: cells that are the machine's."""

    alpha: float
    answers: int
    cells: int
    automatic: int
    seconds: float | None


#: Which cells of a kind, bool[n], would be the machine's at a risk.
AtRisk = Callable[[float], Flags]


@dataclass(frozen=True, slots=True, eq=False)
class Effort:
    """The cells of all kinds behind one another: `subject` (positions from 0), `asked` (what people
    must decide unless the machine may)."""

    kinds: Sequence[Kind]
    subject: Array
    asked: Flags
    answers: int

    @classmethod
    def of(cls, kinds: Sequence[Kind]) -> Effort:
        """What the machine closed without a value asks nobody."""
        subject, answers = numbered_answers([kind.cells.subject for kind in kinds])
        return cls(kinds, subject, joined([asked(kind) for kind in kinds]), answers)

    def at(
        self, alpha: float, automatic: Sequence[Flags], cost: Cost | None, *, whole: bool
    ) -> Point:
        """What people read where at a risk these cells, bool per kind, are the machine's. `whole`:
        an answer that is read is graded whole."""
        read = reading(self.subject, self.asked, joined(automatic), self.answers, whole=whole)
        seconds = None if cost is None else cost.seconds(read.answers, read.cells)
        return Point(alpha, *read, seconds)


def asked(kind: Kind) -> Flags:
    """bool[n], what people must decide unless the machine may: all but what was closed without a
    value."""
    return (kind.cells.state & (store.PENDING | store.BY_PEOPLE) > 0) | kind.cells.testable()


def curve(effort: Effort, delta: float | None, cost: Cost | None, *, whole: bool) -> list[Point]:
    """What people read at each of RISKS, sure to 1 - `delta` (None: each kind's own).

    Kinds that were tested: what their test would have passed at that risk. Others: the surest cells
    whose chance of being right lacks no more than the risk from 1 on average, as far as machines
    say; what has no stated confidence stays with people.
    """
    automatic = [_at_risk(kind, delta) for kind in effort.kinds]
    return [
        effort.at(alpha, [cells(alpha) for cells in automatic], cost, whole=whole)
        for alpha in RISKS
    ]


def _at_risk(kind: Kind, delta: float | None) -> AtRisk:
    """Which cells of a kind would be the machine's at any risk."""
    if kind.selection is None:
        cells = kind.cells
        # people grade the answers that are drawn, whatever the machine says
        drawn = cells.of_answers(kind.tried.drawn | kind.tried.before)
        return Forecast.of(cells.sure, cells.chance, cells.testable() & ~drawn).at
    own = kind.selection.delta
    delta = own if delta is None else delta * own / kind.tried.delta
    return _tested(kind, delta) if kind.placing is None else _placed(kind, kind.placing, delta)


def _tested(kind: Kind, delta: float) -> AtRisk:
    """What the test of a kind would have passed."""
    tested = kind.tested
    risks = SortedCells.of(tested.sure, kind.known, kind.error, tested.question)
    mine = tested.on(kind.task)
    place, _ = find(kind.cells.cell, tested.cell[mine])

    def at(alpha: float) -> Flags:
        automatic = kind.cells.none
        automatic[place] = risks.at(alpha, delta, kind.tried.design)[mine]
        return automatic

    return at


def _placed(kind: Kind, placing: Placing, delta: float) -> AtRisk:
    """As far as the labels of a placed draw reach."""

    def at(alpha: float) -> Flags:
        automatic, selection = kind.cells.none, placing.at(alpha, delta).selection
        if selection is not None:
            automatic[placing.place] = selection.automatic
        return automatic

    return at


def sentence(
    point: Point,
    effort: Effort,
    delta: float,
    people: float | None,
    within: int,
    unit: Unit,
) -> str:
    """The finding with its numbers; `unit` is what people read."""
    return say(
        f"promise.effort.{'alone' if people is None else 'people'}",
        answers=point.answers,
        units=unit.count(effort.answers),
        hours=""
        if point.seconds is None
        else say("promise.effort.time", time=spent(point.seconds)),
        by=say("promise.proven.by_more", size=several(within, "step")) if within else "",
        alpha=point.alpha,
        level=1 - delta,
        differ=0 if people is None else 1 - people,
    )


def spent(seconds: float) -> str:
    """``3.4 hours``, ``25 minutes``."""
    if seconds >= 5400:
        return say("promise.effort.hours", hours=seconds / 3600)
    return say("promise.effort.minutes", n=max(1, round(seconds / 60)))


def cost_of(scope: Scope, project: Project) -> Cost | None:
    """What reading and grading took so far."""
    timed = store.timed_screens(scope.ws.db, project)
    return reading_cost(*([row[place] for row in timed] for place in range(3)))
