"""The order of cells from sure to doubtful, fixed before labels are opened and kept with the draw.

On a scale of two values it is what judges, rules, metrics and the other answers to a question say
together of the machine's values, where two judges gave verdicts, or one beside which something else
speaks: the share of judges that agree is no confidence, because judges err together. No label of a
person is read. Answers to creative and unknown questions are compared with nobody else's work;
among the other answers stand those to factual questions alone. On scales of more values judges are
severe or lenient, which labels alone remove: there, and where a judge speaks alone, it is how
likely each value is right, learned from earlier blind labels (see `_learned_order`); without them
cells are sorted by the confidence that the machine states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from graders.core.errors import Conflict
from graders.core.hashing import digest
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.metrics.models.encoders import Encoders
from graders.statistics.arrays import Array, repeated
from graders.statistics.learned import MIN_LABELS
from graders.statistics.voices import Voices, joined, sure_of
from graders.store import projects
from graders.store.figures import confidence_orders as orders
from graders.store.figures import risk as store
from graders.store.figures.confidence_orders import Order
from graders.store.opinions import kept_labels, lessons, made_cells
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.learning.known_of_cells import Gathered, gather
from graders.workflows.promise.counted_cells import (
    Cells,
    Sources,
    is_left,
    is_long,
    sources_of,
)
from graders.workflows.promise.label_evidence import allowed
from graders.workflows.promise.label_halves import in_test_half
from graders.workflows.promise.machine_features import rows_of
from graders.workflows.promise.promise_tests import TASK_TYPES, Try, tries_of
from graders.workflows.promise.risk import criteria_tested
from graders.workflows.routing._learned_order import Earlier, learn_order
from graders.workflows.scope.permissions import Scope

#: What is logged where an order is fixed.
LOGGED = "confidence_order"

#: Told what is done, how many cells are through, and of how many.
Doing = Callable[[str, int, int], None]


def fix_orders(
    scope: Scope, project: Project, encoder: Encoders | None = None, doing: Doing | None = None
) -> list[str]:
    """Fix the orders of all criteria that have one, for the task types whose drawn answers nobody
    has labelled; returns their keys.

    Made again where machines have said something new since; once labels are open an order stays,
    and answers that came later are placed among its cells. Without an `encoder` the other answers
    to a question count alike, however near they are. `doing` is told how far it is. Without one an
    order of many cells is left to a process beside the work, which has one (see `is_due`).
    """
    made = []
    paired = made_cells.pair_criteria(scope.ws.db, project)
    for criterion in criteria_tested(scope, project):
        if criterion.id in paired or not criterion.scale.is_discrete:
            continue
        if encoder is None and is_long(scope.ws, project, criterion):
            continue
        if _fix_one(_Work(scope, project, criterion, encoder, doing)):
            made.append(criterion.key)
    return made


def order_afresh(
    scope: Scope,
    project: Project,
    criterion: CriterionRow,
    encoder: Encoders | None = None,
    doing: Doing | None = None,
) -> None:
    """Fix the orders of one criterion as they would be for labels that begin now, whatever labels
    of answers drawn at random are open.

    Conflict where that is left to a process beside the work, which has not done it yet.
    """
    if encoder is None and is_long(scope.ws, project, criterion):
        if is_left(scope.ws, project, criterion) and all(
            orders.in_force(scope.ws.db, criterion, task, "") is None for task in TASK_TYPES
        ):
            raise Conflict(
                **error_parts("routing.order_in_the_making", criterion=criterion.criterion.title)
            )
        return
    _fix_one(_Work(scope, project, criterion, encoder, doing, afresh=True))


def _fix_one(work: _Work) -> bool:
    """Fix the orders of one criterion; whether one was."""
    if len(work.criterion.scale.values) > 2:
        return _fix_learned(work, TASK_TYPES)
    cells = Cells.of(work.scope.ws, work.project, work.criterion)
    sources = sources_of(work.scope.ws, work.project, work.criterion, len(cells))
    others = len(repeated(cells.question[cells.on("factual")])) > 0
    # only factual answers are compared with each other
    tasks = [
        task
        for task in TASK_TYPES
        if sources.sort(others=others and task == "factual") and not _goes_on_learned(work, task)
    ]
    made = bool(tasks) and _fix(work, cells, sources, tasks)
    rest = [task for task in TASK_TYPES if task not in tasks]
    return (bool(rest) and _fix_learned(work, rest)) or made


def _goes_on_learned(work: _Work, task: str) -> bool:
    """Whether labels of a task type are open that are tested in an order which was learned."""
    opened = work.tries()[task].opened
    order = orders.in_force(work.scope.ws.db, work.criterion, task, opened) if opened else None
    return order is not None and bool(order.made_from.get("learned"))


def _nobody(what: str, done: int, total: int) -> None:
    """Nobody is told."""


class _Work(NamedTuple):
    """An order that is to be made of a criterion's cells, with what, and who is told how far it is;
    `afresh`: for labels that begin now."""

    scope: Scope
    project: Project
    criterion: CriterionRow
    encoder: Encoders | None
    doing: Doing | None
    afresh: bool = False

    def tries(self) -> dict[str, Try]:
        """The tries that the order is for."""
        found = tries_of(self.scope.ws, self.project)
        opened = [one for one in found.values() if one.opened and self.afresh]
        return found | {
            one.task: replace(one, opened="", drawn=frozenset(), before=frozenset())
            for one in opened
        }

    def gathered(
        self, cells: Cells, wanted: Array, *, learning: bool = False
    ) -> Iterator[Gathered]:
        """What machines know of the `wanted` cells, to learn from or to sort them; vectors are made
        where several answers to a factual question are compared."""
        what = say(
            f"routing.order.{'learning' if learning else 'sorting'}",
            criterion=self.criterion.criterion.title,
        )
        doing = partial(self.doing or _nobody, what)
        by_question: dict[int, list[int]] = {}
        for question, cell in zip(
            cells.question[wanted].tolist(), cells.cell[wanted].tolist(), strict=True
        ):
            by_question.setdefault(question, []).append(cell)
        several = set(repeated(cells.question[cells.on("factual")]).tolist())
        near = {question: ids for question, ids in by_question.items() if question in several}
        rest = {question: ids for question, ids in by_question.items() if question not in several}
        done, total = 0, int(wanted.sum())
        doing(done, total)
        for some in chain(
            gather(self.scope.ws, self.criterion, near, self.encoder),
            gather(self.scope.ws, self.criterion, rest, None),
        ):
            done += len(some.cells)
            yield some
            doing(done, total)


def is_due(ws: Workspace, project: Project) -> bool:
    """Whether an order that can still change was made without knowing how near the answers to a
    question are, or takes long to make."""
    criteria = projects.criteria(ws, project)
    if any(is_left(ws, project, criterion) for criterion in criteria):
        return True
    if tries_of(ws, project)["factual"].opened:
        return False
    found = [orders.in_force(ws.db, criterion, "factual", "") for criterion in criteria]
    return any(order is not None and not order.made_from.get("encoder") for order in found)


def _fix(work: _Work, cells: Cells, sources: Sources, tasks: Sequence[str]) -> bool:
    """By what all machines say together, of these task types; whether an order was fixed."""
    ws, project, criterion, encoder = work.scope.ws, work.project, work.criterion, work.encoder
    spoke = store.machine_changed(ws.db, criterion)
    mark = digest(
        spoke, len(cells), int(cells.cell.max(initial=0)), sources, project.settings.get("panel")
    )
    before, opened = work.tries(), store.opened(ws.db, project)
    wanted = {
        task: found
        for task in tasks
        if (
            found := _wanted(
                ws, criterion, cells, before[task], mark, opened, encoder, learned=False
            )
        )
        is not None
    }
    if not wanted:
        return False
    rows, vectors = _features(work, cells, sources)
    sure, chance = sure_of(cells.cell, rows, len(sources.rules))
    made = {}
    for task, (mine, adds) in wanted.items():
        # People's names and the words of texts are not in it: it says which machines spoke, until
        # when, and how.
        body = {
            **sources._asdict(),
            "siblings": task == "factual",
            "vectors": vectors and task == "factual",
        }
        body |= {"encoder": encoder is not None, "machine_at": spoke, "mark": mark}
        made[task] = _Made((cells.cell[mine], sure[mine], chance[mine]), body, adds)
    return _keep(work, before, made)


def _fix_learned(work: _Work, tasks: Sequence[str]) -> bool:
    """By how likely each value of these task types is right, learned from labels of answers that
    are in no draw which is tested by it."""
    ws, project, criterion, encoder = work.scope.ws, work.project, work.criterion, work.encoder
    if lessons.blind_counts(ws.db, project, [criterion])[criterion.id] < MIN_LABELS:
        return False
    cells, spoke = Cells.of(ws, project, criterion), store.machine_changed(ws.db, criterion)
    before, opened = work.tries(), store.opened(ws.db, project)
    tests = partial(in_test_half, project) if kept_labels.kept(ws.db, project) else None
    made = {}
    for task in tasks:
        tried = before[task]
        order = orders.in_force(ws.db, criterion, task, tried.opened) if tried.opened else None
        # Task types that began together may be tested together.
        apart = frozenset().union(
            *(one.drawn for one in before.values() if one.since == tried.since)
        )
        earlier = Earlier.of(
            ws, project, criterion, cells, apart, order.at if order is not None else "", tests
        )
        if earlier is None:
            continue
        # a numeric range has no order of its own
        steps = int(allowed(criterion.scale, tried.within))
        mark = digest(
            spoke,
            len(cells),
            int(cells.cell.max(initial=0)),
            steps,
            earlier.body["digest"],
            project.settings.get("panel"),
        )
        wanted = _wanted(ws, criterion, cells, tried, mark, opened, encoder, learned=True)
        if wanted is None or not (
            wanted[1] or earlier.leaves(wanted[0] & ~cells.of_answers(tried.before))
        ):
            continue
        found = learn_order(
            criterion, cells, wanted[0], earlier, steps, partial(work.gathered, cells)
        )
        if found is not None:
            body = {**found.body, "encoder": encoder is not None, "machine_at": spoke, "mark": mark}
            made[task] = _Made((cells.cell[wanted[0]], found.sure, found.chance), body, wanted[1])
    return _keep(work, before, made)


class _Made(NamedTuple):
    """An order to be kept: (cells, sure, chance), what it was made from, and the order that it is
    added to."""

    columns: tuple[Array, Array, Array]
    body: JSON
    adds: Order | None


def _keep(work: _Work, before: Mapping[str, Try], made: Mapping[str, _Made]) -> bool:
    """Keep orders by task type; whether there was one. Somebody may label a drawn answer meanwhile:
    then what was fixed before stays."""
    if not made:
        return False
    scope, project, criterion, ws = work.scope, work.project, work.criterion, work.scope.ws
    # looked up first, so that nobody waits for it
    stamp, now = (
        orders.stamp(ws.db),
        tries_of(ws, project),
    )
    with ws.write() as db:
        if orders.stamp(db) != stamp:
            now = tries_of(ws, project)
        for task, (columns, body, adds) in made.items():
            if now[task].opened != before[task].opened and not work.afresh:
                continue
            row, name = orders.put(
                db,
                project,
                criterion,
                task,
                ws.now(),
                body,
                columns,
                None if adds is None else adds.id,
            )
            logged = {
                "criterion": criterion.key,
                "task": task,
                "order": row,
                "digest": name,
                "cells": len(columns[0]),
                **body,
            }
            projects.log_event(
                ws,
                project,
                scope.actor.person_id,
                LOGGED,
                {**logged, "adds": None if adds is None else adds.digest},
            )
    return True


def _wanted(
    ws: Workspace,
    criterion: CriterionRow,
    cells: Cells,
    tried: Try,
    mark: str,
    opened: Mapping[int, str],
    encoder: Encoders | None,
    *,
    learned: bool,
) -> tuple[Any, Order | None] | None:
    """Which cells of a task type are to be placed (bool), and the order they are added to; None
    where nothing is to be done."""
    mine = cells.on(tried.task)
    order = orders.in_force(ws.db, criterion, tried.task, tried.opened)
    if not tried.opened:
        current = (
            order is not None
            and order.made_from.get("mark") == mark
            and (encoder is None or order.made_from.get("encoder"))
        )
        return None if current or not mine.any() else (mine, None)
    # labels were opened without one: the draw goes on as it began
    if order is None or not len(order.cells):
        return None
    # numbers of two kinds make no order together
    if learned != bool(order.made_from.get("learned")):
        return None
    last = int(cells.subject[cells.those(order.cells)].max(initial=0))
    late = mine & (cells.subject > last) & cells.testable()
    if not late.any() or any(subject > last for subject in opened):
        return None
    return late, order


def _features(work: _Work, cells: Cells, sources: Sources) -> tuple[Voices, bool]:
    """The rows of all cells in their order, and whether vectors were there."""
    parts, vectors = [], False
    for some in work.gathered(cells, ~cells.none):
        vectors = vectors or bool(some.vectors)
        parts.append(rows_of(some, work.criterion.scale, sources))
    return joined(parts), vectors
