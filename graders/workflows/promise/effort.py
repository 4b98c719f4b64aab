"""What people must read at each risk: before labels a forecast from what the machine says of
itself, after a test exploratory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graders.statistics.budget import routing_labels
from graders.statistics.effort import Cost
from graders.statistics.resampling import Array
from graders.statistics.risk_control import ALLOWED, tied_sizes, walk
from graders.store.figures import risk as store
from graders.workflows.promise.placed_draws import Placing
from graders.workflows.promise.proofs import Kind
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


@dataclass(frozen=True, slots=True, eq=False)
class Effort:
    """The cells of all kinds behind one another: `subject` (positions from 0), `asked` (what people
    must decide unless the machine may)."""

    kinds: Sequence[Kind]
    subject: Array
    asked: npt.NDArray[np.bool_]
    answers: int

    @classmethod
    def of(cls, kinds: Sequence[Kind]) -> Effort:
        """What the machine closed without a value asks nobody."""
        if not kinds:
            return cls(kinds, np.zeros(0, int), np.zeros(0, bool), 0)
        names, subject = np.unique(
            np.concatenate([kind.cells.subject for kind in kinds]), return_inverse=True
        )
        state = np.concatenate([kind.cells.state for kind in kinds])
        closed = (state & (store.PENDING | store.BY_PEOPLE) == 0) & (state & store.TESTABLE == 0)
        return cls(kinds, subject, ~closed, len(names))

    def at(
        self,
        alpha: float,
        automatic: Sequence[npt.NDArray[np.bool_]],
        cost: Cost | None,
        *,
        whole: bool,
    ) -> Point:
        """What people read where at a risk these cells, bool per kind, are the machine's. `whole`:
        an answer that is read is graded whole."""
        machine = np.concatenate([*automatic, np.zeros(0, bool)]) & self.asked
        read = np.zeros(self.answers, bool)
        read[self.subject[self.asked & ~machine]] = True
        if whole:
            machine &= ~read[self.subject]
        answers, cells = int(read.sum()), int((self.asked & ~machine).sum())
        seconds = None if cost is None else cost.seconds(answers, cells)
        return Point(alpha, answers, cells, int(machine.sum()), seconds)


def curve(effort: Effort, delta: float | None, cost: Cost | None, *, whole: bool) -> list[Point]:
    """What people read at each of RISKS, sure to 1 - `delta` (None: each kind's own).

    Kinds that were tested: what their test would have passed at that risk. Others: the surest cells
    whose chance of being right lacks no more than the risk from 1 on average, as far as machines
    say; what nobody is sure of stays with people.
    """
    walks = [
        _walk_of(kind, delta) if kind.selection is not None else _Forecast.of(kind)
        for kind in effort.kinds
    ]
    return [
        effort.at(alpha, [one.at(alpha) for one in walks], cost, whole=whole) for alpha in RISKS
    ]


def _walk_of(kind: Kind, delta: float | None) -> _Walk | _Placed:
    return _Walk.of(kind, delta) if kind.placing is None else _Placed(kind, kind.placing, delta)


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """A placed draw, at any risk: as far as its labels reach there."""

    kind: Kind
    placing: Placing
    delta: float | None

    def at(self, alpha: float) -> npt.NDArray[np.bool_]:
        assert self.kind.selection is not None
        own = self.kind.selection.delta
        found = self.placing.at(
            alpha, own if self.delta is None else self.delta * own / self.kind.tried.delta
        ).selection
        automatic = np.zeros(len(self.kind.cells), bool)
        if found is not None:
            automatic[self.placing.place] = found.automatic
        return automatic


@dataclass(frozen=True, slots=True, eq=False)
class _Walk:
    """A kind's test, ready to be made at any risk."""

    kind: Kind
    order: Array
    sizes: list[int]
    place: Array
    mine: npt.NDArray[np.bool_]
    delta: float

    @classmethod
    def of(cls, kind: Kind, delta: float | None) -> _Walk:
        order = np.argsort(-kind.tested.sure, kind="stable")
        mine = kind.tested.task == kind.cells.task[0]
        place = np.searchsorted(kind.cells.cell, kind.tested.cell[mine])
        assert kind.selection is not None
        own = kind.selection.delta
        return cls(
            kind,
            order,
            tied_sizes(kind.tested.sure[order]),
            place,
            mine,
            own if delta is None else delta * own / kind.tried.delta,
        )

    def at(self, alpha: float) -> npt.NDArray[np.bool_]:
        kind, least = self.kind, routing_labels(alpha, self.delta, ALLOWED)
        tested = kind.tested
        found = walk(
            tested.sure,
            self.order,
            self.sizes,
            kind.known,
            kind.error,
            tested.question,
            alpha,
            self.delta,
            least=least,
        )
        automatic = np.zeros(len(kind.cells), bool)
        automatic[self.place] = found.automatic[self.mine]
        return automatic


@dataclass(frozen=True, slots=True, eq=False)
class _Forecast:
    """The cells of a kind from sure to doubtful, with the doubt that machines state themselves, on
    average so far."""

    order: Array
    doubt: Array
    size: int

    @classmethod
    def of(cls, kind: Kind) -> _Forecast:
        sure = np.where(
            (kind.cells.state & store.TESTABLE > 0) & ~_labelled(kind), kind.cells.sure, -1.0
        )
        order = np.argsort(-sure, kind="stable")[: int((sure >= 0).sum())]
        so_far = np.cumsum(1 - kind.cells.chance[order]) / np.arange(1, len(order) + 1)
        # Where cells are not sorted by that very doubt it may fall again: the largest region that
        # holds no more counts.
        return cls(order, np.minimum.accumulate(so_far[::-1])[::-1], len(sure))

    def at(self, alpha: float) -> npt.NDArray[np.bool_]:
        automatic = np.zeros(self.size, bool)
        automatic[self.order[: int(np.searchsorted(self.doubt, alpha + 1e-9, side="right"))]] = True
        return automatic


def _labelled(kind: Kind) -> npt.NDArray[np.bool_]:
    """Cells of answers that are drawn: people grade them whatever the machine says."""
    return np.isin(kind.cells.subject, list(kind.tried.drawn | kind.tried.before))


def sentence(
    point: Point,
    effort: Effort,
    delta: float,
    people: float | None,
    within: int,
    unit: Unit,
) -> str:
    """The finding with its numbers; `unit` is what people read."""
    hours = "" if point.seconds is None else f" ({spent(point.seconds)})"
    by = f" by more than {within} step{'s' * (within != 1)}" if within else ""
    words = (
        f"People read {point.answers:,} of {unit.count(effort.answers)}{hours}; "
        "among the cells the machine decides "
        f"it differs from a person{by} on at most {point.alpha:.0%}, sure to {1 - delta:.0%}"
    )
    return words + (
        "." if people is None else f"; another person would differ on {1 - people:.0%}."
    )


def spent(seconds: float) -> str:
    """``3.4 hours``, ``25 minutes``."""
    if seconds >= 5400:
        return f"{seconds / 3600:.1f} hours"
    minutes = max(1, round(seconds / 60))
    return f"{minutes} minute{'s' * (minutes != 1)}"
