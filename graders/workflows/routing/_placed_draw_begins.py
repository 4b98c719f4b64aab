"""A placed draw begins: its population, order and terms are logged, and the labels of its first
test are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.errors import Conflict, InputError
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.statistics.arrays import distinct
from graders.statistics.budget import routing_labels
from graders.statistics.placement import ALLOWED, MANY, NARROW, WIDE, own_places, stage
from graders.store import projects
from graders.store.desk import queued_screens
from graders.store.figures import confidence_orders as orders
from graders.store.figures import placed as store
from graders.store.figures.placed import PLACED
from graders.store.projects import CriterionRow, Project
from graders.workflows.promise.counted_cells import Cells
from graders.workflows.promise.kinds import Kind
from graders.workflows.promise.placed_draws import Draw, chances
from graders.workflows.promise.promise_tests import NewTerms, Terms, Try, routed_upto
from graders.workflows.routing.form_screens import partition
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.sampling import Sampling

#: How cells are chosen, as it is logged with the draw.
RULE = (
    "labels inside the region that is tested, then shell by shell outwards; hypergeometric test; "
    "the rest on doubtful cells, not tested"
)


@dataclass(frozen=True, slots=True)
class Placed:
    """What is asked for on a task type: up to so many `labels` `of` its cells, of which the `first`
    wait now; the number of the `draw`, the digest of the `order` that it keeps, the share of the
    cells that it aims at (`target`), and its terms."""

    labels: int
    first: int
    of: int
    draw: int
    order: str
    target: float
    alpha: float
    delta: float
    within: int


def begin(
    scope: Scope,
    project: Project,
    row: CriterionRow,
    kinds: Sequence[Kind],
    tries: Mapping[str, Try],
    labels: int,
    new: NewTerms,
) -> dict[str, Placed]:
    """Log the draws and ask for the first labels, all or nothing."""
    populations = {
        kind.task: found
        for kind in kinds
        if len(found := population(scope, project, row, kind.task))
    }
    total = sum(map(len, populations.values()))
    if not total:
        raise Conflict(**error_parts("routing.no_cell_to_place", criterion=row.criterion.title))
    types = len(distinct(Cells.of(scope.ws, project, row).task))
    begun: dict[str, Placed] = {}
    with scope.ws.write():
        for task, cells in populations.items():
            tried = tries[task]
            budget = min(len(cells), round(labels * len(cells) / total))
            terms = replace(new, within=0).over(tried)
            least = routing_labels(terms.alpha, terms.delta / types, ALLOWED)
            if budget < least:
                raise InputError(
                    **error_parts(
                        "routing.too_few_to_place",
                        criterion=row.criterion.title,
                        task=task,
                        labels=budget,
                        least=least,
                    )
                )
            begun[task] = _begin_one(scope, project, row, task, cells, budget, terms, types)
    return begun


def population(scope: Scope, project: Project, row: CriterionRow, task: str) -> Cells:
    """The cells of a task type that a placed draw may be about, sorted by the order in force: the
    machine has a value, nobody has said anything of them, no other draw asks about them, and
    somebody can still label them blind."""
    ws = scope.ws
    every = Cells.of(ws, project, row)
    cells = every.only(every.on(task)).sorted_by(orders.in_force(ws.db, row, task, ""))
    routed = routed_upto(ws, project)
    others = queued_screens.screened(ws.db, project, ("calibration", "audit")) | store.seen_by_all(
        ws.db, project
    )
    known = store.graded(ws.db, row).union(store.asked(ws.db, project, row))
    free = (cells.sure >= 0) & cells.testable() & (cells.subject <= routed)
    return cells.only(free & ~cells.of_answers(others) & ~cells.those(known))


def _begin_one(
    scope: Scope,
    project: Project,
    row: CriterionRow,
    task: str,
    cells: Cells,
    budget: int,
    terms: Terms,
    types: int,
) -> Placed:
    """Fix the population's order, log the draw and queue its first labels, in the caller's
    transaction."""
    ws = scope.ws
    number = 1 + _begun_before(scope, project, row, task)
    base = orders.in_force(ws.db, row, task, "")
    made_from = (
        {"stated": True, "judges": []} if base is None else {**base.made_from, "of": base.digest}
    )
    sure, size = own_places(cells.sure), len(cells)
    columns = (cells.cell, sure, cells.chance.clip(0, 1))
    _, name = orders.put(
        ws.db,
        project,
        row,
        task,
        ws.now(),
        {**made_from, "placed": {"number": number, "task": task}},
        columns,
    )
    upto, (target, start) = int(cells.subject.max()), NARROW if budget < MANY else WIDE
    body: JSON = {
        "criterion": row.key,
        "task": task,
        "number": number,
        "order": name,
        "hash": row.hash,
    }
    body |= {
        "budget": budget,
        "seed": project.seed,
        "upto": upto,
        "alpha": terms.alpha,
        "delta": terms.delta,
    }
    draw = Draw(**body, at="")
    first = cells.cell[
        stage(
            sure,
            chances(draw, sure, size),
            budget,
            cells.none,
            cells.none,
            draw.alpha,
            draw.delta / types,
        ).ask
    ]
    regions = {
        "target": target,
        "start": start,
        "population": size,
        "drawn": len(first),
        "rule": RULE,
    }
    projects.log_event(
        ws, project, scope.actor.person_id, "draw", {"design": PLACED, **body, **regions}
    )
    ask_for(scope, project, cells, first.tolist(), len(first) / max(1, round(target * size)))
    return Placed(
        labels=budget,
        first=len(first),
        of=size,
        draw=number,
        order=name,
        target=target,
        alpha=terms.alpha,
        delta=terms.delta,
        within=terms.within,
    )


def _begun_before(scope: Scope, project: Project, row: CriterionRow, task: str) -> int:
    bodies = [
        event.body
        for event in projects.events(scope.ws, project, "draw", limit=100_000)
        if event.body["design"] == PLACED
    ]
    return sum(
        (body["criterion"], body["task"]) == (row.key, task) and "budget" in body for body in bodies
    )


def ask_for(
    scope: Scope, project: Project, cells: Cells, wanted: Sequence[int], probability: float
) -> None:
    """Screens that ask about these cells, those of one question together."""
    subject_of = dict(zip(cells.cell.tolist(), cells.subject.tolist(), strict=True))
    by_subject: dict[int, list[int]] = {}
    for cell in wanted:
        by_subject.setdefault(subject_of[cell], []).append(cell)
    formed = partition(
        scope.ws, project, Sampling.of(project.settings), PLACED, by_subject, min(1.0, probability)
    )
    # Before all that nobody asked for: who meets these answers elsewhere first can no longer grade
    # them blind.
    screens = [
        replace(
            screen,
            priority=screen.priority / 1e9 - 0.5,
            cells=tuple(cell for s in screen.subjects for cell in by_subject[s]),
        )
        for screen in formed
    ]
    queued_screens.add_screens(scope.ws.db, scope.ws, project, screens)
