"""Which cells may be automatic at which risk: per criterion and task type BY YOUR RULE, PROVEN or
UNPROVEN, with the promise in words.

A proof rests on answers drawn with alpha and delta logged before, all of them labelled blind, after
the machine's verdicts were there. Whatever breaks one of these voids it and says so.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.words import say
from graders.statistics.arrays import Array, among, distinct
from graders.statistics.risk_control import select_strata
from graders.store import projects
from graders.store.desk import queued_screens
from graders.store.figures import risk as store
from graders.store.figures.confidence_orders import Order
from graders.store.opinions import made_cells
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.measured import measured
from graders.workflows.cells.state import FAULTS
from graders.workflows.promise import proofs
from graders.workflows.promise.counted_cells import by_voices, is_long
from graders.workflows.promise.kind_rows import (
    Constant,
    Decided,
    DrawShown,
    FixedShown,
    KindRow,
    Learned,
    OrderShown,
    PlacedShown,
    TaskTerms,
    TermsShown,
    UnsortedShown,
)
from graders.workflows.promise.kinds import BY_RULE, PROVEN, UNPROVEN, Kind
from graders.workflows.promise.promise_tests import TASK_TYPES, Try, tries_of
from graders.workflows.promise.savings import Saving, savings
from graders.workflows.promise.words import kind_sentence, kind_words, sentence, sorted_by
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.project_head import ProjectHead
from graders.workflows.scope.units import ANSWER, Unit, unit_of

__all__ = [
    "BY_RULE",
    "PROVEN",
    "UNPROVEN",
    "criteria_tested",
    "gate",
    "kinds_of",
    "reference_people",
    "risk",
    "row_of",
    "terms_in_force",
    "title",
]

#: Exit codes of kinds of cells that are refuted, or not yet proven.
NOT_TRUSTED, INCONCLUSIVE = 4, 5


@dataclass(frozen=True, slots=True)
class Risk:
    """The finding on a project (`title`), the `terms` in force (None where none were logged), what
    is drawn (`unit`), a row per kind of cells, and what that saves people by task type."""

    project: ProjectHead
    terms: TermsShown | None
    title: str
    unit: Unit
    rows: Sequence[KindRow]
    savings: Sequence[Saving]


@needs("look")
def risk(scope: Scope, project_name: str) -> Risk:
    """The state of each criterion x task type of a project, and the terms that were logged with its
    draws."""
    project = scope.project(project_name)
    tries = tries_of(scope.ws, project)
    kinds = kinds_of(scope, project, tries)
    lacking = unsorted(scope.ws, project, kinds)
    rows = [row_of(kind, lacking) for kind in kinds]
    unit = unit_of(c.scale for c in criteria_tested(scope, project))
    terms = terms_in_force(scope, project, tries)
    return Risk(
        project=ProjectHead.of(project),
        terms=terms,
        title=title(rows, unit),
        unit=unit,
        rows=rows,
        savings=savings(scope, project, kinds),
    )


def kinds_of(scope: Scope, project: Project, tries: Mapping[str, Try] | None = None) -> list[Kind]:
    """The kinds of a project's cells: criteria of its rubrics, apart from what rules measure, on
    each task type."""
    tries = tries_of(scope.ws, project) if tries is None else tries
    people = reference_people(scope, project)
    return [
        kind
        for criterion in criteria_tested(scope, project)
        for kind in proofs.kinds(scope.ws, project, criterion, tries, people)
    ]


def criteria_tested(scope: Scope, project: Project) -> list[CriterionRow]:
    """The criteria that a blind label can speak about: what rules measure is not tested against
    people."""
    return [
        c
        for c in projects.criteria(scope.ws, project)
        if c.criterion.rubric != FAULTS.name and not measured(c.criterion)
    ]


def reference_people(scope: Scope, project: Project) -> frozenset[str] | None:
    """Whose labels count: the people of the project's reference group, None for everybody."""
    group = str(project.settings.get("reference_group") or "")
    return (
        frozenset(p.id for p in projects.people(scope.ws).values() if p.group == group)
        if group
        else None
    )


def terms_in_force(scope: Scope, project: Project, tries: Mapping[str, Try]) -> TermsShown | None:
    """The terms of the task types, None where none were logged; the first values are those of the
    task type whose draw came last."""
    logged = [one for one in tries.values() if one.at]
    if not logged:
        return None
    last = max(logged, key=lambda one: one.since)
    return TermsShown(
        alpha=last.alpha,
        delta=last.delta,
        within=last.within,
        at=last.at,
        drawn=sum(len(one.drawn) for one in logged),
        # labels that came with a file are drawn, and have no screen
        earlier=len(
            queued_screens.screened(scope.ws.db, project, ("calibration",)).difference(
                *(one.drawn for one in tries.values())
            )
        ),
        tasks={
            one.task: TaskTerms(
                one.alpha,
                one.delta,
                one.within,
                one.at,
                one.number,
                len(one.drawn),
                one.opened,
            )
            for one in logged
        },
    )


def row_of(kind: Kind, unsorted: Mapping[tuple[int, str], bool]) -> KindRow:
    """One kind as it is shown; `unsorted`: kinds whose order is missing, by criterion row and task
    type, and whether it can still be made."""
    found, cells = kind.selection, kind.cells
    each = len(cells) / max(1, cells.answers)
    row = KindRow(
        criterion=kind.criterion.key,
        title=kind.criterion.criterion.title,
        unit=unit_of([kind.criterion.scale]),
        task_type=kind.task,
        cells=len(cells),
        labels=kind.labels,
        state=kind.state,
        words=kind_words(kind),
        missing=kind.missing,
        answers=None
        if kind.missing is None or kind.placing is not None
        else math.ceil(kind.missing / each),
        threshold=None if found is None else found.threshold,
        automatic=int(kind.automatic.sum()),
        upper=None if found is None else found.upper,
        order=_order(kind.order, unsorted.get((kind.criterion.id, kind.task))),
        draw=_draw(kind),
        people=kind.people,
        constant=None if kind.constant is None else Constant(*kind.constant),
        tested=bool(found is not None and found.looks),
        decided=_decided(cells.state),
    )
    return replace(row, sentence=kind_sentence(row))


def _draw(kind: Kind) -> DrawShown:
    number = kind.tried.number
    if kind.placing is None:
        how = "imported" if kind.tried.given else "random"
        return DrawShown(number=number, words=say(f"promise.draw.{how}"))
    own = kind.placing.draw
    return PlacedShown(
        number=number,
        words=say("promise.draw.placed", labels=several(own.budget, "label")),
        at=own.at,
        budget=own.budget,
        alpha=own.alpha,
        delta=own.delta,
        open=len(kind.placing.waits) if kind.under_way else 0,
    )


def _order(order: Order | None, waits: bool | None) -> OrderShown:
    """By what cells are sorted. `waits`: whether an order that is missing can still be made, None
    where none is missing."""
    words = sentence(sorted_by(order))
    if order is None:
        if waits is None:
            return OrderShown(words=words)
        note = say(f"promise.order.{'waits' if waits else 'late'}")
        return UnsortedShown(words=words, note=note, waits=waits)
    body = order.made_from
    return FixedShown(
        words=words,
        at=order.at,
        digest=order.digest,
        judges=body.get("judges"),
        rules=body.get("rules"),
        metrics=body.get("metrics"),
        siblings=body.get("siblings"),
        vectors=body.get("vectors"),
        machine_at=body.get("machine_at"),
        learned=Learned.of(body["learned"]) if body.get("learned") else None,
    )


def _decided(state: Array) -> Decided:
    """Who decided cells, as Results counts it: where people differ nobody has, also on a cell that
    is the machine's."""
    people, machine = state & store.BY_PEOPLE > 0, state & store.AUTOMATIC > 0
    left = state & (store.BY_PEOPLE | store.PENDING | store.CLOSED) == 0
    counts = {
        "people": people & ~machine,
        "audit": people & machine,
        "automatic": machine & left,
        "pending": state & store.PENDING > 0,
        "closed": state & store.CLOSED > 0,
    }
    return Decided(**{name: int(those.sum()) for name, those in counts.items()})


def gate(rows: Sequence[KindRow]) -> int:
    """The exit code for scripts: 0 where every kind of cells is proven, 4 where no number of labels
    will prove one, 5 where labels are missing or there is nothing to prove."""
    open_ = [row for row in rows if row.state != PROVEN]
    if any(row.tested and row.missing is None for row in open_):
        return NOT_TRUSTED
    return INCONCLUSIVE if open_ or not rows else 0


def title(rows: Sequence[KindRow], unit: Unit = ANSWER) -> str:
    """The finding as a sentence; `unit` is what is drawn."""
    if not rows:
        return say("promise.title.nothing")
    if any(row.labels for row in rows):
        proven = sum(row.state == PROVEN for row in rows)
        return say("promise.title.proven", proven=proven, kinds=len(rows))
    # those that people audit are automatic too
    machine = any(row.decided.automatic + row.decided.audit for row in rows)
    first = all(row.draw.number == 1 for row in rows)
    return say(
        f"promise.title.{'by_rule' if machine else 'no_machine'}",
        drawn=say(f"promise.title.drawn.{'first' if first else 'further'}", unit=unit.one),
    )


def unsorted(ws: Workspace, project: Project, kinds: Sequence[Kind]) -> dict[tuple[int, str], bool]:
    """(criterion row, task type) of cells that lack the order that all machines together would give
    them, because sorting so many is left to a process beside the work -> whether it can still be
    made: no label was opened."""
    bare = [kind for kind in kinds if kind.order is None and len(kind.cells)]
    there = {kind.criterion.id: kind.criterion for kind in bare}
    long = [criterion for criterion in there.values() if is_long(ws, project, criterion)]
    paired = made_cells.pair_criteria(ws.db, project) if long else set()
    left = {
        criterion.id
        for criterion in long
        if criterion.id not in paired and by_voices(ws, project, criterion)
    }
    return {
        (kind.criterion.id, kind.task): not kind.tried.opened
        for kind in bare
        if kind.criterion.id in left
    }


def stake(kinds: Sequence[Kind], anew: Collection[str]) -> str:
    """What becomes of labels and proofs where the next draw begins a new test of the task types
    `anew`, as a sentence; empty for none."""
    if not any(kind.task in anew for kind in kinds):
        return ""
    ends = [
        kind
        for kind in kinds
        if kind.state == PROVEN and (kind.task in anew or _falls(kind, kinds, anew))
    ]
    if not ends:
        return say("promise.stake.none")
    names = "; ".join(f"{kind.criterion.criterion.title}, {kind.task}" for kind in ends)
    return say("promise.stake.ends", n=len(ends), names=names)


def stakes(
    kinds: Sequence[Kind], over: Collection[str], free: Mapping[str, int]
) -> dict[str, dict[str, str]]:
    """`stake` per task type that has answers to draw and for ``all`` of them: under the ``same``
    terms, and under ``other`` ones.

    `over`: task types whose next draw begins a new test under any terms.
    """
    opened = {kind.task for kind in kinds if kind.tried.opened}
    able = {kind.task for kind in kinds if free.get(kind.task)}
    asked = {"all": able, **{task: {task} for task in able}}
    begun = {"same": set(over), "other": {*over, *opened}}
    return {
        name: {terms: stake(kinds, tasks & anew) for terms, anew in begun.items()}
        for name, tasks in asked.items()
    }


def _falls(kind: Kind, kinds: Sequence[Kind], anew: Collection[str]) -> bool:
    """Whether a kind that was tested together with task types that begin anew is not proven by its
    own labels alone."""
    left = ~among(kind.tested.task, [TASK_TYPES.index(task) for task in anew])
    if kind.placing is not None or left.all():
        return False
    types, tested = (
        sum(other.criterion is kind.criterion for other in kinds),
        kind.tested.only(left),
    )
    delta = kind.tried.delta * kind.share * len(distinct(tested.task)) / types
    alone = select_strata(
        tested.sure,
        kind.known[left],
        kind.error[left],
        tested.question,
        tested.task,
        kind.tried.alpha,
        delta,
        kind.tried.design,
    )
    mine = TASK_TYPES.index(kind.task)
    return not any(mine in part.codes and part.selection.status == "OK" for part in alone)
