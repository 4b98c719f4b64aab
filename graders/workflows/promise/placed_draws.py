"""Placed draws: labels of one criterion on one task type, placed where they decide, and how far
such a draw is.

The draw fixes its population in an order of its own, in which each cell has a place that no other
has; the random number of a cell follows from the seed and that place. So both are known for good,
here and wherever an export is brought back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from graders.core.hashing import seeded
from graders.core.words import say
from graders.statistics.arrays import Array, Flags, among
from graders.statistics.placement import Stage, random_numbers, reach, stage
from graders.store import projects
from graders.store.figures import confidence_orders as orders
from graders.store.figures import placed as store
from graders.store.figures.confidence_orders import Order
from graders.store.figures.placed import PLACED
from graders.store.opinions import made_cells
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.promise.counted_cells import Cells
from graders.workflows.promise.promise_tests import Try, moved, moves_of
from graders.workflows.scope.permissions import Scope

#: How a draw is over, as it is logged with it: all labels that it asks for are there, they can
#: prove nothing any more, or a lead wanted no more of them.
DONE, VOID, STOPPED = "done", "void", "stopped"


@dataclass(frozen=True, slots=True)
class Draw:
    """A placed draw as it was logged. `order`: the name of the order that holds its population;
    `number`: which one of its kind; `over`: whether no more labels are asked for; `stopped`:
    whether a lead wanted it so."""

    criterion: str
    task: str
    number: int
    at: str
    order: str
    hash: str
    budget: int
    alpha: float
    delta: float
    seed: int
    upto: int
    over: bool = False
    stopped: bool = False


_LOGGED = (
    "criterion",
    "task",
    "number",
    "order",
    "hash",
    "budget",
    "alpha",
    "delta",
    "seed",
    "upto",
)


def may_place(scope: Scope, project: Project, criterion: CriterionRow) -> bool:
    """Whether labels of a criterion can be placed: its scale has two values, or values without
    order, and it grades single answers."""
    scale = criterion.scale
    nominal = scale.is_discrete and (len(scale.values) == 2 or not scale.is_ordered)
    return nominal and criterion.id not in made_cells.pair_criteria(scope.ws.db, project)


def draws_of(ws: Workspace, project: Project, criterion: CriterionRow) -> dict[str, Draw]:
    """Task type -> the latest placed draw of a criterion."""
    return {
        task: draw for (key, task), draw in all_draws(ws, project).items() if key == criterion.key
    }


def all_draws(ws: Workspace, project: Project) -> dict[tuple[str, str], Draw]:
    """(criterion, task type) -> the latest placed draw."""
    found: dict[tuple[str, str], Draw] = {}
    for event in projects.events(ws, project, "draw", limit=100_000)[::-1]:
        body = event.body
        if body["design"] != PLACED:
            continue
        kind = (body["criterion"], body["task"])
        if "budget" in body:
            found[kind] = Draw(**{name: body[name] for name in _LOGGED}, at=event.at)
        elif "over" in body and kind in found:
            found[kind] = replace(found[kind], over=True, stopped=body["over"] == STOPPED)
    return found


def try_of(
    ws: Workspace,
    project: Project,
    criterion: CriterionRow,
    draw: Draw,
    placing: Placing | None,
    others: Try,
    opened: str,
) -> Try:
    """A placed draw as a try: what voids answers drawn at random voids it too. `others`: that of
    the task type's random answers."""
    doubt = ""
    if placing is None:
        doubt = say("promise.placed.no_order")
    elif draw.hash != criterion.hash:
        doubt = say("promise.placed.reworded")
    elif draw.stopped and placing.stage.selection is None:
        doubt = say("promise.placed.stopped")
    return Try(
        task=draw.task,
        number=draw.number,
        alpha=draw.alpha,
        delta=draw.delta,
        within=0,
        since=draw.at,
        at=draw.at,
        opened=opened,
        drawn=frozenset(),
        before=others.drawn | others.before,
        ranges=((0, draw.upto, 1.0),),
        doubt=doubt or moved(moves_of(ws, project), draw.task, opened),
        placed=True,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Placing:
    """How far a placed draw is. `place`: positions of its population's cells among those of the
    kind; `waits`: int[k], cells that are asked for and have no label; `asked`: whether a screen
    that still waits asks about each of these."""

    draw: Draw
    place: Array
    sure: Array
    u: Array
    known: Flags
    error: Flags
    waits: Array
    asked: Flags
    stage: Stage

    @classmethod
    def of(
        cls,
        draw: Draw,
        order: Order,
        cells: Cells,
        population: Array,
        wrong: Mapping[int, bool],
        open_: Mapping[int, bool],
        types: int,
    ) -> Placing:
        """Of a draw's population (bool over `cells`), what is known of whether the machine errs
        (`wrong`, by cell), and the cells that were asked about (`open_`: whether a screen still
        waits). The promises of a criterion hold together: its `types` share delta."""
        (place,) = population.nonzero()
        ids, sure = cells.cell[place], cells.sure[place]
        u = chances(draw, sure, len(order.cells))
        known = among(ids, wrong.keys() & open_.keys())
        error = among(ids, [cell for cell, errs in wrong.items() if errs]) & known
        now = stage(sure, u, draw.budget, known, error, draw.alpha, draw.delta / types)
        waits = ids[now.ask]
        asked = among(waits, [cell for cell, still in open_.items() if still])
        return cls(draw, place, sure, u, known, error, waits, asked, now)

    def at(self, alpha: float, delta: float) -> Stage:
        """Where the draw would stand under other terms, with the same labels."""
        return stage(self.sure, self.u, self.draw.budget, self.known, self.error, alpha, delta)

    @property
    def lacking(self) -> bool:
        """Whether labels of the first test are open."""
        return self.stage.selection is None and len(self.waits) > 0

    @property
    def under_way(self) -> bool:
        """Whether labels are still asked for."""
        return not self.draw.stopped and len(self.waits) > 0


def held(ws: Workspace, project: Project) -> set[int]:
    """Answers (subjects) that draws under way may still ask about: until they are over nobody is to
    meet these with marks."""
    found: set[int] = set()
    rows = {row.key: row for row in projects.criteria(ws, project)}
    for (key, _), draw in all_draws(ws, project).items():
        order = (
            orders.by_digest(ws.db, rows[key], draw.order)
            if key in rows and not draw.over
            else None
        )
        if order is not None:
            may = reach(order.sure, chances(draw, order.sure, len(order.cells)), draw.budget)
            found |= store.subjects_of(ws.db, order.cells[may].tolist())
    return found


def chances(draw: Draw, sure: Array, size: int) -> Array:
    """The random numbers of cells by their places among the `size` of a draw's order."""
    seed = int(seeded(draw.seed, PLACED, draw.criterion, draw.task, draw.number) * 2**32)
    return random_numbers(seed, sure, size)
