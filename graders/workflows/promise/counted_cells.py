"""The counted cells of a criterion as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from graders.statistics.resampling import Array
from graders.store.figures import risk as store
from graders.store.figures.confidence_orders import Order
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.promise.promise_tests import TASK_TYPES

_COLUMNS = ("cell", "subject", "question", "task", "sure", "state", "chance")


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The counted cells of a criterion as columns. `task`: place in TASK_TYPES; `sure`: the order
    from sure to doubtful, -1 where nobody stated a confidence; `chance`: that the machine's value
    is right, as far as machines say."""

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
        texts = store.columns(ws.db, project, criterion)
        # a million cells are kept in memory
        kinds = (
            np.int64,
            np.int32,
            np.int32,
            np.float64,
            np.int8,
        )
        cell, subject, question, sure, state = (
            np.fromstring(text, kind, sep=",") for text, kind in zip(texts, kinds, strict=True)
        )
        # In order, since a walk from sure to doubtful takes those of one confidence as they come.
        order = np.argsort(cell, kind="stable")
        known = store.question_tasks(ws.db, project)
        rows, codes = (
            np.array(column, int)
            for column in ([row for row, _ in known], [TASK_TYPES.index(task) for _, task in known])
        )
        task = (
            codes[np.searchsorted(rows, question)].astype(np.int8)
            if len(cell)
            else np.zeros(0, np.int8)
        )
        return cls(
            *(column[order] for column in (cell, subject, question, task, sure, state, sure))
        )

    def sorted_by(self, order: Order | None) -> Cells:
        """The same cells, as sure as an order says that was fixed before labels were opened; by the
        stated confidence without one."""
        if order is None:
            return self
        sure, chance = order.of(self.cell)
        return replace(self, sure=sure, chance=chance)

    def only(self, kept: npt.NDArray[Any]) -> Cells:
        """Some of them."""
        return Cells(*(getattr(self, name)[kept] for name in _COLUMNS))

    @classmethod
    def joined(cls, parts: Sequence[Cells]) -> Cells:
        """Several after each other."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in _COLUMNS))

    def __len__(self) -> int:
        return len(self.cell)
