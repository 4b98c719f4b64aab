"""Whether what machines say sorts a criterion's cells, who is heard, and whether that is too much
to do while somebody waits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from graders.statistics.learned import MIN_LABELS
from graders.store.figures import confidence_orders as orders
from graders.store.figures import reports
from graders.store.opinions import cells as cell_store
from graders.store.opinions import lessons
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.derived_judges import is_derived
from graders.workflows.promise.machine_features import Sources
from graders.workflows.promise.proofs import Kind

#: So many judges at least must have spoken.
JUDGES_FROM = 2
#: Whoever gave a value to a smaller share of the cells was tried out and is not heard.
LEAST_SHARE = 0.1
#: Sorting more cells than this takes longer than somebody waits who presses a button.
AT_ONCE = 20_000
WAITS = (
    "The order in which these cells are to be tested does not stand yet: "
    "the app makes it beside the work, cograde route at once. Let "
    "nobody label drawn answers before: a draw whose labels begin without it is tested by "
    "the confidence that machines state."
)
LATE = (
    "Labels were opened before these cells were sorted by what all machines say together: "
    "this draw goes by the confidence that machines "
    "state, a further one by that order."
)


def sources_of(ws: Workspace, project: Project, criterion: CriterionRow, cells: int) -> Sources:
    """Who is heard about the cells of a criterion, of which there are so many."""
    least = max(1.0, LEAST_SHARE * cells)
    judges = {
        name: count
        for name, count in orders.voices(ws.db, criterion, "judge").items()
        if not is_derived(name)
    }
    found = (judges, orders.voices(ws.db, criterion, "rule"), orders.metric_names(ws.db, project))
    return Sources(
        *(tuple(sorted(name for name, count in some.items() if count >= least)) for some in found)
    )


def by_voices(ws: Workspace, project: Project, criterion: CriterionRow) -> bool:
    """Whether all machines together sort a criterion's cells: it has two values, and enough judges
    have spoken."""
    if not criterion.scale.is_discrete or len(criterion.scale.values) != 2:
        return False
    least = max(1, math.ceil(LEAST_SHARE * reports.criterion_cells(ws.db, project, criterion.id)))
    return (
        sum(not is_derived(name) for name in orders.judges_with(ws.db, criterion, least))
        >= JUDGES_FROM
    )


def is_long(ws: Workspace, project: Project, criterion: CriterionRow) -> bool:
    """Whether sorting a criterion's cells is left to a process beside the work."""
    return reports.criterion_cells(ws.db, project, criterion.id) > AT_ONCE


def is_left(ws: Workspace, project: Project, criterion: CriterionRow) -> bool:
    """Whether a criterion has an order, or may have one, that `is_long` in the making."""
    if not is_long(ws, project, criterion):
        return False
    return lessons.blind_counts(ws.db, project, [criterion])[
        criterion.id
    ] >= MIN_LABELS or by_voices(ws, project, criterion)


def unsorted(ws: Workspace, project: Project, kinds: Sequence[Kind]) -> dict[tuple[int, str], str]:
    """(criterion row, task type) -> what to say where cells lack the order that all machines
    together would give them, because sorting so many is left to a process beside the work."""
    bare = [kind for kind in kinds if kind.order is None and len(kind.cells)]
    there = {kind.criterion.id: kind.criterion for kind in bare}
    long = [criterion for criterion in there.values() if is_long(ws, project, criterion)]
    paired = cell_store.pair_criteria(ws.db, project) if long else set()
    left = {
        criterion.id
        for criterion in long
        if criterion.id not in paired and by_voices(ws, project, criterion)
    }
    return {
        (kind.criterion.id, kind.task): LATE if kind.tried.opened else WAITS
        for kind in bare
        if kind.criterion.id in left
    }
