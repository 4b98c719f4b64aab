"""The test of each kind of cells, a criterion on one task type: BY YOUR RULE, PROVEN or UNPROVEN, with the promise in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from graders.core.scale import Scale, Value
from graders.statistics.constant import best_constant
from graders.statistics.resampling import Array
from graders.statistics.risk_control import Selection, Stratum, select_strata
from graders.store import risk as store
from graders.store.projects import CriterionRow, Project
from graders.store.risk import Label
from graders.store.workspace import Workspace
from graders.workflows._phrases import several
from graders.workflows._tries import TASK_TYPES, Try
from graders.workflows.policy import people_centre

BY_RULE, PROVEN, UNPROVEN = "BY YOUR RULE", "PROVEN", "UNPROVEN"
#: On a scale of fewer values "one step off" would be hardly wrong at all.
STEPS_FROM = 4
#: From so many cells on, each labelled by two people, it is known that they differ on more than the terms allow.
PAIRS_FROM = 30
#: What no further label of the same draw mends, as a try's own doubt.
_NEWER = "the machine's verdicts are newer than the first label: a confidence must be fixed before labels are read"


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The counted cells of a criterion as columns. `task`: place in TASK_TYPES; `sure`: -1 where nobody stated a confidence."""

    cell: Array
    subject: Array
    question: Array
    task: Array
    sure: Array
    state: Array

    @classmethod
    def of(cls, ws: Workspace, project: Project, criterion: CriterionRow) -> Cells:
        """Read from the store, by row id."""
        texts = store.columns(ws.db, project, criterion)
        kinds = (np.int64, np.int32, np.int32, np.float64, np.int8)  # a million cells are kept in memory
        cell, subject, question, sure, state = (np.fromstring(text, kind, sep=",") for text, kind in zip(texts, kinds, strict=True))
        # In order, since a walk from sure to doubtful takes those of one confidence as they come.
        order = np.argsort(cell, kind="stable")
        known = store.question_tasks(ws.db, project)
        rows, codes = (np.array(column, int) for column in ([row for row, _ in known], [TASK_TYPES.index(task) for _, task in known]))
        task = codes[np.searchsorted(rows, question)].astype(np.int8) if len(cell) else np.zeros(0, np.int8)
        return cls(*(column[order] for column in (cell, subject, question, task, sure, state)))

    def only(self, kept: npt.NDArray[Any]) -> Cells:
        """Some of them."""
        return Cells(*(column[kept] for column in (self.cell, self.subject, self.question, self.task, self.sure, self.state)))

    @classmethod
    def joined(cls, parts: Sequence[Cells]) -> Cells:
        """Several after each other."""
        names = ("cell", "subject", "question", "task", "sure", "state")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def __len__(self) -> int:
        return len(self.cell)


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A criterion on one task type: its cells, the test where one was made, and what is said about it.

    `cells`: all of them; `tested`: those that were tested, with whoever was tested together; `automatic`: bool over `cells`, what the
    promise covers; `error`, `known`: bool over `tested`. `labels`: cells labelled; `missing`: labels to draw, None where none will do;
    `void`: whether labels of this draw can prove nothing any more.
    """

    criterion: CriterionRow
    task: str
    tried: Try
    cells: Cells
    state: str
    words: str
    labels: int
    opened: str
    automatic: npt.NDArray[np.bool_]
    tested: Cells
    known: npt.NDArray[np.bool_]
    error: npt.NDArray[np.bool_]
    missing: int | None = None
    selection: Selection | None = None
    people: float | None = None
    constant: tuple[str, float] | None = None
    void: bool = False


def kinds(ws: Workspace, project: Project, criterion: CriterionRow, tries: Mapping[str, Try], people: frozenset[str] | None) -> list[Kind]:
    """The kinds of a criterion. `people`: whose labels count, None for everybody's."""
    every = Cells.of(ws, project, criterion)
    found = [label for label in store.labels(ws.db, criterion, "calibration") if people is None or label.author in people]
    labels = {cell: list(group) for cell, group in groupby(found, key=lambda label: label.cell_id)}
    types = [task for place, task in enumerate(TASK_TYPES) if (every.task == place).any()]
    parts = {task: _Part.of(ws, criterion, task, every, labels, tries[task]) for task in types}
    made: dict[str, tuple[Stratum, Cells, Array, Array]] = {}
    for group in _together([part for part in parts.values() if not part.why]):
        made |= _tested(criterion.scale, group, labels, len(types))
    return [_kind(criterion, parts[task], labels, made.get(task)) for task in types]


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The cells of a task type, those among them that a test may be about, and why none can be made (empty if one can)."""

    task: str
    tried: Try
    cells: Cells
    population: npt.NDArray[np.bool_]
    labels: int
    why: str
    opened: str

    @classmethod
    def of(
        cls, ws: Workspace, criterion: CriterionRow, task: str, every: Cells, labels: Mapping[int, Sequence[Label]], tried: Try
    ) -> _Part:
        cells = every.only(every.task == TASK_TYPES.index(task))
        population = (cells.subject <= (tried.upto or 2**62)) & ~np.isin(cells.subject, list(tried.before))
        known = np.isin(cells.cell, list(labels)) & population
        opened = min((label.at for cell in cells.cell[known].tolist() for label in labels[cell]), default="")
        why = _hindrance(ws, criterion, cells.only(population), known[population], labels, tried, opened)
        return cls(task, tried, cells, population, int(known.sum()), why, opened)


def _hindrance(
    ws: Workspace, criterion: CriterionRow, cells: Cells, known: Array, labels: Mapping[int, Sequence[Label]], tried: Try, opened: str
) -> str:
    """Why no test can be made, or its result would prove nothing; empty if it can."""
    if not opened:
        old = store.old_labels(ws.db, criterion)
        if old:
            return f"the wording of the criterion changed: {old} blind label{'s' * (old != 1)} answered the old one"
        return "no drawn answer was labelled blind"
    if not criterion.scale.is_discrete:
        return "values of a numeric range are hardly ever equal"
    if not tried.ranges or opened < tried.at:
        return "labels were opened before alpha and delta were logged"
    if tried.doubt:
        return tried.doubt
    drawn = np.isin(cells.subject, list(tried.drawn))
    waiting = int((drawn & ~known).sum())
    if waiting:
        return f"{waiting} of {int(drawn.sum())} drawn cells wait for their blind label: those that were read first are no random sample"
    for after, upto, _ in tried.ranges:
        mine = (cells.subject > after) & (cells.subject <= upto) & known
        first = min((label.at for cell in cells.cell[mine].tolist() for label in labels[cell]), default="")
        if first and store.machine_changed(ws.db, criterion, after, upto) > first:
            return _NEWER
    return "" if (cells.state & store.TESTABLE).any() else "the machine has no value for any cell"


def _together(parts: Sequence[_Part]) -> list[list[_Part]]:
    """Task types of one try are one test with strata."""
    groups: dict[Any, list[_Part]] = {}
    for part in parts:
        groups.setdefault(part.tried.key, []).append(part)
    return list(groups.values())


def _tested(
    scale: Scale, parts: Sequence[_Part], labels: Mapping[int, Sequence[Label]], types: int
) -> dict[str, tuple[Stratum, Cells, Array, Array]]:
    """The walk of each task type. A cell whose people gave no value, or differ, counts as an error: nobody confirmed the machine's."""
    cells = Cells.joined([part.cells.only(part.population & (part.cells.state & store.TESTABLE > 0)) for part in parts])
    tried = parts[0].tried
    drawn = np.array([subject for part in parts for subject in part.tried.drawn], int)
    known = np.isin(cells.cell, list(labels)) & np.isin(cells.subject, drawn)
    error = np.zeros(len(cells), bool)
    for place in np.flatnonzero(known).tolist():
        error[place] = differs(scale, tried.within, labels[int(cells.cell[place])])
    # The promises of a criterion hold together: tests that were made apart share delta.
    delta = tried.delta * len(parts) / types
    strata = select_strata(cells.sure, known, error, cells.question, cells.task, tried.alpha, delta)
    found: dict[str, tuple[Stratum, Cells, Array, Array]] = {}
    for stratum in strata:
        mine = (stratum, cells.only(stratum.cells), known[stratum.cells], error[stratum.cells])
        found.update((TASK_TYPES[code], mine) for code in stratum.codes)
    return found


def differs(scale: Scale, within: int, labels: Sequence[Label]) -> bool:
    """Whether the machine's value is not people's: further off than `within` steps, on scales of STEPS_FROM values or more."""
    value, suggestion = people_value(scale, labels), labels[0].suggestion
    if value is None or suggestion is None:
        return True
    if within and scale.is_ordered and len(scale.values) >= STEPS_FROM:
        return abs(scale.number(value) - scale.number(suggestion)) > within
    return value != suggestion


def people_value(scale: Scale, labels: Sequence[Label]) -> Value | None:
    """What people say together; None where they differ or half of them gave no value."""
    values = [label.value for label in labels if label.value is not None]
    return people_centre(scale, values) if len(values) * 2 > len(labels) else None


def _kind(
    criterion: CriterionRow, part: _Part, labels: Mapping[int, Sequence[Label]], made: tuple[Stratum, Cells, Array, Array] | None
) -> Kind:
    """Label, promise in words and what is missing of one kind."""
    nothing = np.zeros(len(part.cells), bool)
    bare = Kind(
        criterion=criterion,
        task=part.task,
        tried=part.tried,
        cells=part.cells,
        state=UNPROVEN if part.labels or part.why.startswith("the wording") else BY_RULE,
        words=said(part.why),
        labels=part.labels,
        opened=part.opened,
        automatic=nothing,
        tested=part.cells.only(nothing),
        known=nothing[:0],
        error=nothing[:0],
        void=part.why != "" and part.why in (_NEWER, part.tried.doubt),
    )
    if made is None:
        return bare
    stratum, tested, known, error = made
    found = stratum.selection
    strictest = found.looks[0].threshold if found.looks else math.inf
    inside = tested.sure >= (strictest if found.threshold is None else found.threshold)
    covered = tested.cell[found.automatic & (tested.task == TASK_TYPES.index(part.task))]
    pairs = _second_person(criterion.scale, part.tried.within, [labels[cell] for cell in tested.cell[inside & known].tolist()])
    agree = float(np.mean(pairs)) if pairs else None
    proven = found.status == "OK" and len(covered) > 0
    words = _promise(criterion.scale, found, len(covered), stratum, agree, part.tried) if proven else said(found.reason)
    missing = found.missing
    if missing is not None and found.looks and agree is not None and len(pairs) >= PAIRS_FROM and 1 - agree > found.alpha:
        words = f"Two people differ on {1 - agree:.0%} of such cells themselves: no number of labels will show at most {found.alpha:.0%}."
        missing = None
    return replace(
        bare,
        state=PROVEN if proven else UNPROVEN,
        words=words,
        # Once a test was made on these labels, a further one needs fresh ones.
        missing=None if missing is None else missing + (int(known.sum()) if found.looks else 0),
        automatic=np.isin(part.cells.cell, covered),
        selection=found,
        tested=tested,
        known=known,
        error=error,
        people=agree,
        constant=_constant(criterion.scale, part.tried.within, tested.only(known), labels),
    )


def said(why: str) -> str:
    """A reason as a sentence."""
    return f"{why[:1].upper()}{why[1:]}."


def _second_person(scale: Scale, within: int, labels: Sequence[Sequence[Label]]) -> list[bool]:
    """Of each two people who labelled a cell, whether they gave it the same value."""
    near = within and scale.is_ordered and len(scale.values) >= STEPS_FROM

    def alike(a: Label, b: Label) -> bool:
        if a.value is None or b.value is None:
            return False
        return abs(scale.number(a.value) - scale.number(b.value)) <= within if near else a.value == b.value

    return [alike(a, b) for each in labels for a, b in combinations(each, 2)]


def _constant(scale: Scale, within: int, cells: Cells, labels: Mapping[int, Sequence[Label]]) -> tuple[str, float] | None:
    """The answer that would be right most often if it were always given, and on which share it would be off."""
    values = [people_value(scale, labels[cell]) for cell in cells.cell.tolist()]
    codes = np.array([-1 if value is None else scale.code(value) for value in values], int)
    tolerance = float(within) if within and scale.is_ordered and len(scale.values) >= STEPS_FROM else 0.0
    best = best_constant(codes, cells.question, scale.numbers, tolerance)
    if best.code is None or best.right.value is None:
        return None
    value = scale.values[best.code]
    return (value if isinstance(value, str) else f"{value:g}"), 1 - best.right.value


def _promise(scale: Scale, found: Selection, automatic: int, stratum: Stratum, agree: float | None, tried: Try) -> str:
    together = " and ".join(TASK_TYPES[code] for code in stratum.codes)
    sure = "" if found.threshold is None or found.threshold < 0 else f" (confidence {found.threshold:.2f} or more)"
    by = ""
    if tried.within and scale.is_ordered and len(scale.values) >= STEPS_FROM:
        by = f" by more than {tried.within} step{'s' * (tried.within != 1)}"
    off = f"{found.errors} of {several(found.labels, 'label')} {'differs' if found.errors == 1 else 'differ'}"
    words = (
        f"Among the {several(automatic, 'unlabelled cell')} that the machine may decide{sure} it differs from a person{by} on at most "
        f"{found.alpha:.0%}, sure to {1 - tried.delta:.0%}; {off}"
    )
    words += f", {together} tested together." if len(stratum.codes) > 1 else "."
    if tried.number > 1:
        words += f" Draw {tried.number}: earlier ones are not in this test."
    if agree is not None:
        words += f" Another person would differ on {1 - agree:.0%}."
        if 1 - agree > found.alpha:
            words += " Two people would not meet this themselves."
    return words
