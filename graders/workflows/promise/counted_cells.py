"""The counted cells of a criterion as columns, and whether what machines say sorts them: who is
heard, and whether that is too much to do while a person waits."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from graders.core.derived_judges import is_derived
from graders.statistics.arrays import Array, Flags, among, joined, present
from graders.statistics.learned import MIN_LABELS
from graders.store.figures import confidence_orders as orders
from graders.store.figures import risk as store
from graders.store.figures.confidence_orders import Order
from graders.store.figures.results import criterion_cells
from graders.store.opinions import lessons
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.promise.promise_tests import TASK_TYPES

#: So many judges sort cells by themselves; one does with rules, metrics or other answers beside it.
JUDGES_FROM = 2
#: A judge, rule or metric with values on a smaller share of the cells was tried out and is not
#: heard.
LEAST_SHARE = 0.1
#: Sorting more cells than this takes longer than a person waits who presses a button.
AT_ONCE = 20_000

_COLUMNS = ("cell", "subject", "question", "task", "sure", "state", "chance")


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The counted cells of a criterion as columns. `task`: place in TASK_TYPES; `sure`: the order
    from sure to doubtful, -1 where no confidence was stated; `chance`: that the machine's value is
    right, as far as machines say."""

    cell: Array
    subject: Array
    question: Array
    task: Array
    sure: Array
    state: Array
    chance: Array

    @classmethod
    def of(cls, ws: Workspace, project: Project, criterion: CriterionRow) -> Cells:
        """Read from the store, by row id."""
        columns = store.columns(ws.db, project, criterion, TASK_TYPES)
        return cls(*columns, chance=columns.sure)

    def sorted_by(self, order: Order | None) -> Cells:
        """The same cells, as sure as an order says that was fixed before labels were opened; by the
        stated confidence without one."""
        if order is None:
            return self
        sure, chance = order.of(self.cell)
        return replace(self, sure=sure, chance=chance)

    def only(self, kept: Array) -> Cells:
        """Some of them."""
        return Cells(*(getattr(self, name)[kept] for name in _COLUMNS))

    @classmethod
    def joined(cls, parts: Sequence[Cells]) -> Cells:
        """Several after each other."""
        return cls(*(joined([getattr(part, name) for part in parts]) for name in _COLUMNS))

    def __len__(self) -> int:
        return len(self.cell)

    @property
    def none(self) -> Flags:
        """bool[n], none of them."""
        return among(self.cell, ())

    @property
    def answers(self) -> int:
        """How many answers (subjects) they belong to."""
        return len(present(self.subject))

    def on(self, task: str) -> Flags:
        """bool[n], those on questions of a task type."""
        mine: Flags = self.task == TASK_TYPES.index(task)
        return mine

    def those(self, cells: Collection[int] | Array) -> Flags:
        """bool[n], those among some cells (rows)."""
        return among(self.cell, cells)

    def of_answers(self, subjects: Collection[int]) -> Flags:
        """bool[n], those of some answers (subjects)."""
        return among(self.subject, subjects)

    def testable(self) -> Flags:
        """bool[n], those on which the machine has a value that may be tested."""
        able: Flags = self.state & store.TESTABLE > 0
        return able


class Sources(NamedTuple):
    """Who and what speaks of a criterion's cells: names of judges, rules and metrics."""

    judges: tuple[str, ...]
    rules: tuple[str, ...]
    metrics: tuple[str, ...]

    def sort(self, *, others: bool) -> bool:
        """Whether together they sort cells from sure to doubtful: two judges do, and one beside
        which something else speaks: rules, metrics, or `others`, further answers to a
        question."""
        beside = bool(self.rules or self.metrics or others)
        return len(self.judges) >= JUDGES_FROM or (len(self.judges) == 1 and beside)


def sources_of(ws: Workspace, project: Project, criterion: CriterionRow, cells: int) -> Sources:
    """Who is heard about the cells of a criterion, of which there are so many."""
    least = max(1.0, LEAST_SHARE * cells)
    judges = {
        name: count
        for name, count in orders.voices(ws.db, criterion, "judge").items()
        if not is_derived(name)
    }
    rules = orders.voices(ws.db, criterion, "rule")
    metrics = orders.metric_names(ws.db, project)
    return Sources(
        *(
            tuple(sorted(name for name, count in counts.items() if count >= least))
            for counts in (judges, rules, metrics)
        )
    )


def by_voices(ws: Workspace, project: Project, criterion: CriterionRow) -> bool:
    """Whether all machines together sort a criterion's cells: it has two values, and enough of
    them have spoken."""
    if not criterion.scale.is_discrete or len(criterion.scale.values) != 2:
        return False
    least = max(1, math.ceil(LEAST_SHARE * criterion_cells(ws.db, project, criterion.id)))
    judges = tuple(
        name
        for name in orders.voices_with(ws.db, criterion, "judge", least)
        if not is_derived(name)
    )
    if len(judges) != 1:
        return len(judges) >= JUDGES_FROM
    metrics = orders.metric_names(ws.db, project)
    heard = Sources(
        judges,
        tuple(orders.voices_with(ws.db, criterion, "rule", least)),
        tuple(name for name, count in metrics.items() if count >= least),
    )
    return heard.sort(others=orders.any_beside(ws.db, project))


def is_long(ws: Workspace, project: Project, criterion: CriterionRow) -> bool:
    """Whether sorting a criterion's cells is left to a process beside the work."""
    return criterion_cells(ws.db, project, criterion.id) > AT_ONCE


def is_left(ws: Workspace, project: Project, criterion: CriterionRow) -> bool:
    """Whether a criterion has an order, or may have one, that `is_long` in the making."""
    if not is_long(ws, project, criterion):
        return False
    labels = lessons.blind_counts(ws.db, project, [criterion])[criterion.id]
    return labels >= MIN_LABELS or by_voices(ws, project, criterion)
