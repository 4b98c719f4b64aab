"""The test of each kind of cells, a criterion on one task type: BY YOUR RULE, PROVEN or
UNPROVEN."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from graders.core.scale import Scale
from graders.statistics.arrays import Array, Flags
from graders.statistics.risk_control import Design, Stratum, select_strata
from graders.store.figures import confidence_orders as orders
from graders.store.figures import placed as placed_store
from graders.store.figures import risk as store
from graders.store.figures.confidence_orders import Order
from graders.store.figures.risk import Label
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.promise.counted_cells import Cells
from graders.workflows.promise.kinds import BY_RULE, PROVEN, UNPROVEN, Hindrance, Kind, Why
from graders.workflows.promise.label_evidence import constant_of, differs, second_person
from graders.workflows.promise.placed_draws import Draw, Placing, draws_of, try_of
from graders.workflows.promise.promise_tests import TASK_TYPES, Try

#: From so many cells on, each labelled by two people, it is known that they differ on more than the
#: terms allow.
PAIRS_FROM = 30


def kinds(
    ws: Workspace,
    project: Project,
    criterion: CriterionRow,
    tries: Mapping[str, Try],
    people: frozenset[str] | None,
) -> list[Kind]:
    """The kinds of a criterion. `people`: whose labels count, None for everybody's."""
    every = Cells.of(ws, project, criterion)
    labels = _by_cell(store.labels(ws.db, criterion, "calibration"), people)
    types = [task for task in TASK_TYPES if every.on(task).any()]
    tries = {task: one.on(criterion.id) for task, one in tries.items()}
    # The draw that began last is the one that is tested.
    placed = {
        task: draw
        for task, draw in draws_of(ws, project, criterion).items()
        if draw.at > tries[task].since
    }
    chosen = _by_cell(placed_store.labels(ws.db, project, criterion), people) if placed else {}
    parts = {
        task: _Part.placed(
            ws, project, criterion, placed[task], every, chosen, tries[task], len(types)
        )
        for task in placed
        if task in types
    }
    made = {
        part.task: test
        for part in parts.values()
        if part.hindrance is None and (test := _tested_placed(part)) is not None
    }
    drawn = {task: tries[task] for task in types if task not in placed}
    for task, (part, test) in _looked(ws, criterion, every, labels, drawn, len(types)).items():
        parts[task] = part
        if test is not None:
            made[task] = test
    return [
        _kind(criterion, parts[task], chosen if task in placed else labels, made.get(task))
        for task in types
    ]


#: A test as it was made: the walk, the cells tested, which of them are labelled, and wrongly.
_Test = tuple[Stratum, Cells, Array, Array]


def _looked(
    ws: Workspace,
    criterion: CriterionRow,
    every: Cells,
    labels: Mapping[int, Sequence[Label]],
    tries: Mapping[str, Try],
    types: int,
) -> dict[str, tuple[_Part, _Test | None]]:
    """The part and the test of each task type, at the last planned look that passes; where none
    does, at the last one whose labels are all there, else at the first, which is waited for.

    All looks hold together, since they share delta: whichever passes promises what it says.
    """
    best: dict[str, tuple[_Part, _Test | None]] = {}
    for number in range(max((len(one.looks) for one in tries.values()), default=0) or 1, 0, -1):
        parts = {
            task: _Part.of(ws, criterion, task, every, labels, one, one.at_look(number - 1))
            for task, one in tries.items()
            if number == 1 or number <= len(one.looks)
        }
        tests: dict[str, _Test] = {}
        for group in _together([part for part in parts.values() if part.hindrance is None]):
            tests |= _tested(criterion.scale, group, labels, types)
        for task, part in parts.items():
            test, before = tests.get(task), best.get(task, (None, None))[1]
            if before is None or (test is not None and _passes(test) and not _passes(before)):
                best[task] = part, test
        if all(test is not None and _passes(test) for _, test in best.values()):
            break
    return best


def _passes(test: _Test) -> bool:
    return test[0].selection.status == "OK"


def _by_cell(found: Sequence[Label], people: frozenset[str] | None) -> dict[int, list[Label]]:
    """Cell -> the labels that count."""
    counting = (label for label in found if people is None or label.author in people)
    return {cell: list(group) for cell, group in groupby(counting, key=lambda label: label.cell_id)}


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The cells of a task type, those among them that a test may be about, and why none can be made
    (None if one can); `looked`: the try as it is tested at a planned look."""

    task: str
    tried: Try
    looked: Try
    cells: Cells
    population: Flags
    labels: int
    hindrance: Hindrance | None
    opened: str
    order: Order | None
    placing: Placing | None = None

    @classmethod
    def of(
        cls,
        ws: Workspace,
        criterion: CriterionRow,
        task: str,
        every: Cells,
        labels: Mapping[int, Sequence[Label]],
        tried: Try,
        looked: Try,
    ) -> _Part:
        order = orders.in_force(ws.db, criterion, task, tried.opened)
        cells = every.only(every.on(task)).sorted_by(order)
        there = (cells.subject > tried.after) & (cells.subject <= (tried.upto or 2**62))
        population = there & ~cells.of_answers(tried.before)
        if order is not None and order.made_from.get("learned"):
            population &= cells.sure >= 0  # what it was learned from is no test of it
        known = cells.those(labels) & population
        opened = min(
            (label.at for cell in cells.cell[known].tolist() for label in labels[cell]), default=""
        )
        hindrance = _hindrance(
            ws, criterion, cells.only(population), known[population], labels, looked, opened
        )
        return cls(
            task, tried, looked, cells, population, int(known.sum()), hindrance, opened, order
        )

    @classmethod
    def placed(
        cls,
        ws: Workspace,
        project: Project,
        criterion: CriterionRow,
        draw: Draw,
        every: Cells,
        labels: Mapping[int, Sequence[Label]],
        others: Try,
        types: int,
    ) -> _Part:
        order = orders.by_digest(ws.db, criterion, draw.order)
        cells = every.only(every.on(draw.task)).sorted_by(order)
        population = (cells.sure >= 0) & cells.testable() & (order is not None)
        asked, wrong = (
            placed_store.asked(ws.db, project, criterion, draw.at),
            {cell: differs(criterion.scale, 0, said) for cell, said in labels.items()},
        )
        placing = (
            None
            if order is None
            else Placing.of(draw, order, cells, population, wrong, asked, types)
        )
        known = cells.those([cell for cell in labels if cell in asked]) & population
        opened = min(
            (label.at for cell in cells.cell[known].tolist() for label in labels[cell]), default=""
        )
        tried = try_of(ws, project, criterion, draw, placing, others, opened)
        hindrance = (
            Hindrance(
                Why.DOUBT,
                void=True,
                reworded=placing is not None and draw.hash != criterion.hash,
            )
            if tried.doubt
            else _hindrance(
                ws,
                criterion,
                cells.only(population),
                known[population],
                labels,
                tried,
                opened,
                placing,
            )
        )
        return cls(
            draw.task,
            tried,
            tried,
            cells,
            population,
            int(known.sum()),
            hindrance,
            opened,
            order,
            placing,
        )


def _hindrance(
    ws: Workspace,
    criterion: CriterionRow,
    cells: Cells,
    known: Array,
    labels: Mapping[int, Sequence[Label]],
    tried: Try,
    opened: str,
    placing: Placing | None = None,
) -> Hindrance | None:
    """Why no test can be made, or its result would prove nothing; None if it can."""
    if not criterion.scale.is_discrete and not tried.within:
        return Hindrance(Why.UNEQUAL)
    lacking = None
    if placing is not None and placing.lacking:
        waits = len(placing.waits)
        places = {"waits": waits, "labels": waits + int(placing.known.sum())}
        lacking = Hindrance(Why.PLACED_OPEN, places)
    if not opened and lacking:
        return lacking
    if not opened:
        if old := store.old_labels(ws.db, criterion):
            return Hindrance(Why.REWORDED, {"n": old}, reworded=True)
        return Hindrance(Why.UNLABELLED)
    if not tried.ranges or opened < tried.at:
        return Hindrance(Why.OPENED_BEFORE_TERMS)
    if tried.doubt:
        return Hindrance(Why.DOUBT, void=True)
    drawn = cells.of_answers(tried.drawn)
    if waiting := int((drawn & ~known).sum()):
        why = Why.LOOK if tried.early else Why.WAITING
        return Hindrance(why, {"waiting": waiting, "drawn": int(drawn.sum())})
    for after, upto, _ in tried.ranges:
        mine = (cells.subject > after) & (cells.subject <= upto) & known
        first = min(
            (label.at for cell in cells.cell[mine].tolist() for label in labels[cell]), default=""
        )
        if first and store.machine_changed(ws.db, criterion, after, upto) > first:
            return Hindrance(Why.NEWER, void=True)
    if lacking:
        return lacking
    if cells.testable().any():
        return None
    # a judge is not tested on what it learned from
    return Hindrance(Why.LEARNED if (cells.state & store.LEARNED).any() else Why.NO_VALUE)


def _together(parts: Sequence[_Part]) -> list[list[_Part]]:
    """Task types of one try are one test with strata, unless they are sorted in different ways, or
    learned from other labels."""
    groups: dict[tuple[tuple[str, float, float, int], bool, str | None], list[_Part]] = {}
    for part in parts:
        learned = {} if part.order is None else part.order.made_from.get("learned") or {}
        groups.setdefault((part.tried.key, part.order is None, learned.get("digest")), []).append(
            part
        )
    return list(groups.values())


def _tested(
    scale: Scale, parts: Sequence[_Part], labels: Mapping[int, Sequence[Label]], types: int
) -> dict[str, _Test]:
    """The walk of each task type. A cell whose people gave no value, or differ, counts as an error:
    nobody confirmed the machine's."""
    cells = Cells.joined(
        [part.cells.only(part.population & part.cells.testable()) for part in parts]
    )
    tried = parts[0].looked
    drawn = {subject for part in parts for subject in part.looked.drawn}
    known = cells.those(labels) & cells.of_answers(drawn)
    error = cells.those(
        [cell for cell in cells.cell[known].tolist() if differs(scale, tried.within, labels[cell])]
    )
    # The promises of a criterion hold together: tests that were made apart share delta.
    delta = tried.delta * tried.share * len(parts) / types
    # labels that came in are tested as if questions had been drawn, too
    given = any(part.looked.given for part in parts)
    design: Design = "either" if given else "cells"
    strata = select_strata(
        cells.sure, known, error, cells.question, cells.task, tried.alpha, delta, design
    )
    found: dict[str, _Test] = {}
    for stratum in strata:
        mine = (stratum, cells.only(stratum.cells), known[stratum.cells], error[stratum.cells])
        found.update((TASK_TYPES[code], mine) for code in stratum.codes)
    return found


def _tested_placed(part: _Part) -> _Test | None:
    """The test of a placed draw, None before its first one. Labels on doubtful cells outside its
    regions are not of the test."""
    if part.placing is None or part.placing.stage.selection is None:
        return None
    now, cells = part.placing.stage, part.cells.only(part.population)
    stratum = Stratum.alone(TASK_TYPES.index(part.task), part.placing.stage.selection)
    return stratum, cells, now.drawn, part.placing.error & now.drawn


def _kind(
    criterion: CriterionRow,
    part: _Part,
    labels: Mapping[int, Sequence[Label]],
    made: _Test | None,
) -> Kind:
    """State, test and what is missing of one kind."""
    nothing, why = part.cells.none, part.hindrance
    bare = Kind(
        criterion=criterion,
        task=part.task,
        tried=part.tried,
        cells=part.cells,
        state=UNPROVEN if part.labels or (why is not None and why.reworded) else BY_RULE,
        hindrance=why,
        labels=part.labels,
        opened=part.opened,
        automatic=nothing,
        tested=part.cells.only(nothing),
        known=nothing[:0],
        error=nothing[:0],
        order=part.order,
        placing=part.placing,
        share=part.looked.share,
        early=part.looked.early,
    )
    if made is None:
        return bare
    stratum, tested, known, error = made
    found = stratum.selection
    strictest = found.looks[0].threshold if found.looks else math.inf
    inside = tested.sure >= (strictest if found.threshold is None else found.threshold)
    covered = tested.cell[found.automatic & tested.on(part.task)].tolist()
    pairs = second_person(
        criterion.scale,
        part.tried.within,
        [labels[cell] for cell in tested.cell[inside & known].tolist()],
    )
    agree = sum(pairs) / len(pairs) if pairs else None
    proven = found.status == "OK" and len(covered) > 0
    undecidable = (
        found.missing is not None
        and len(found.looks) > 0
        and agree is not None
        and len(pairs) >= PAIRS_FROM
        and 1 - agree > found.alpha
    )
    missing = None if undecidable else found.missing
    return replace(
        bare,
        state=PROVEN if proven else UNPROVEN,
        # Once a test was made on these labels, a further one needs fresh ones.
        missing=None if missing is None else missing + (int(known.sum()) if found.looks else 0),
        automatic=part.cells.those(covered),
        selection=found,
        tested=tested,
        known=known,
        error=error,
        people=agree,
        together=[TASK_TYPES[code] for code in stratum.codes],
        undecidable=undecidable,
        constant=constant_of(criterion.scale, part.tried.within, tested.only(known), labels),
    )
