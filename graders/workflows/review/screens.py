"""What a screen sends to the browser. A blind screen is built from questions and answers alone:
nothing that comes from a judge, metric, rule, fault or colleague is even read."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graders.core.hashing import seeded
from graders.core.records import Question
from graders.core.shapes import JSON
from graders.store.answers import author_texts as stored_texts
from graders.store.answers import metric_values
from graders.store.answers.content import StoredSubject
from graders.store.desk import own_screens, repeats, saves
from graders.store.desk.assignments import Assignment
from graders.store.desk.seeded import CONTROL
from graders.store.figures import reading
from graders.store.opinions import lessons, stored_verdicts, verdicts
from graders.store.opinions.cells import Cell, CellState
from graders.store.opinions.stored_verdicts import StoredVerdict
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells import told as cells_told
from graders.workflows.cells.fault_list import impossible, worst_first
from graders.workflows.cells.state import FAULTS
from graders.workflows.cells.told import Chip, FaultShown, GivenMark, MachineVerdict, MetricShown
from graders.workflows.review import _screen_cells
from graders.workflows.review._screen_cells import criteria_of, subjects_of
from graders.workflows.review.screen_records import (
    AnswerShown,
    CellShown,
    FinalShown,
    FinalSource,
    PracticePlace,
    QuestionShown,
    SavedHere,
    Screen,
    SuggestionShown,
    Twin,
)

#: How a cell that nobody can know anything about is shown.
CLOSED = FinalShown(None, FinalSource.CLOSED)
#: Designs that nothing tells from ordinary screens.
UNSEEN = (own_screens.REPEAT, own_screens.GOLD, CONTROL)


def build(ws: Workspace, project: Project, given: Assignment) -> tuple[Screen, bool]:
    """The screen of an assignment, and whether it shows anything that comes from machines."""
    db = ws.db
    subjects = subjects_of(ws, project, given)
    criteria = criteria_of(ws, project, given)
    cells = _screen_cells.cells_of(db, given, criteria)
    blind = given.arm == "blind"
    mine = _my_marks(db, given, cells)
    if blind:
        cells = _screen_cells.asked_blind(project, subjects, cells, criteria, mine)
    authors = stored_texts.authors_of(db, subjects[0].question_id)
    parts = _Parts(
        criteria=criteria,
        cells=cells,
        mine=mine,
        machines=None if blind else _machines(db, project, subjects, cells, criteria, mine),
        # Beside an author's own text no name is shown: the one without a model's would be the
        # author's.
        show_models=bool(project.settings.get("show_models")) and not authors,
        models=sorted(reading.models(db, project), key=len, reverse=True),
        authors=authors,
    )
    ordered = sorted(
        _screen_cells.alike(subjects),
        key=lambda group: seeded(given.order_seed, "order", group[0].id),
    )
    screen = Screen(
        id=given.screen_id,
        design="ordinary" if given.design in UNSEEN else given.design,
        arm=given.arm,
        question=question_shown(subjects[0].subject.question),
        answers=[_answer(group, parts) for group in ordered],
        saved=SavedHere(given.save_id, given.comment, given.flagged) if given.save_id else None,
        practice=PracticePlace(
            *own_screens.practice_place(db, project, given.person_id, given.screen_id)
        )
        if given.design == own_screens.PRACTICE
        else None,
    )
    return screen, not blind


@dataclass(frozen=True, slots=True)
class _Machines:
    """What machines say about one answer: verdicts and learned chances by cell, metrics by name."""

    verdicts: dict[int, list[MachineVerdict]] = field(default_factory=dict)
    metrics: dict[str, MetricShown] = field(default_factory=dict)
    faults: list[FaultShown] = field(default_factory=list)
    chips: list[Chip] = field(default_factory=list)
    chances: Mapping[int, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a screen is made from: its criteria by row, its cells by subject, the person's marks by
    cell, what machines say by subject (None: it is blind and they were not asked), and the names
    that texts are not to tell."""

    criteria: Mapping[int, CriterionRow]
    cells: Mapping[int, Sequence[Cell]]
    mine: Mapping[int, GivenMark]
    machines: Mapping[int, _Machines] | None
    show_models: bool
    models: Sequence[str]
    authors: Sequence[str]

    def machines_of(self, subject: int) -> _Machines:
        """What machines say about an answer; nothing on blind screens."""
        return _Machines() if self.machines is None else self.machines[subject]


def question_shown(question: Question) -> QuestionShown:
    """A question as pages show it."""
    return QuestionShown(
        id=question.id,
        text=question.text,
        category=question.category,
        task_type=question.task_type,
        language=question.language,
        references=list(question.references),
        facts=list(question.facts),
        must_have=list(question.must_have),
        context=list(question.context),
        impossible=impossible(question),
    )


def _answer(group: Sequence[StoredSubject], parts: _Parts) -> AnswerShown:
    """Answers with the same text: the first, with the others as its twins."""
    first, *twins = group
    answer, other = first.subject.answer, first.subject.other

    def masked(text: str) -> str:
        return cells_told.masked(text, parts.show_models, parts.models, parts.authors)

    machines = parts.machines_of(first.id)
    return AnswerShown(
        id=first.id,
        model=cells_told.whose(first.subject) if parts.show_models else None,
        text=masked(answer.text),
        # Of a pair both: what is asked is which of them is better.
        other=None if other is None else masked(other.text),
        length=len(answer.text) + (len(other.text) if other else 0),
        chips=machines.chips,
        faults=machines.faults,
        cells=_cells(first, parts),
        twins=[
            Twin(
                id=twin.id,
                model=cells_told.whose(twin.subject) if parts.show_models else None,
                faults=parts.machines_of(twin.id).faults,
                cells=_cells(twin, parts),
            )
            for twin in twins
        ],
    )


def _cells(stored: StoredSubject, parts: _Parts) -> list[CellShown]:
    """The cells of an answer in the order of the rubric, entries of a list in the order of the
    list; faults are shown apart."""
    place = {row: number for number, row in enumerate(parts.criteria)}
    rated = [
        cell
        for cell in parts.cells.get(stored.id, [])
        if parts.criteria[cell.criterion_id].criterion.rubric != FAULTS.name
    ]
    entries = Counter(cell.criterion_id for cell in rated)

    def order(cell: Cell) -> tuple[int, int, int]:
        row = cell.criterion_id
        if entries[row] == 1:
            return place[row], 0, cell.id
        criterion = parts.criteria[row].criterion
        return place[row], criterion.place_of(cell.part, stored.subject.question), cell.id

    return [_cell(cell, stored, parts) for cell in sorted(rated, key=order)]


def _cell(cell: Cell, stored: StoredSubject, parts: _Parts) -> CellShown:
    criterion, answer = parts.criteria[cell.criterion_id], stored.subject.answer
    mine = parts.mine.get(cell.id)
    unmeasured = mine is None and _screen_cells.unmeasured(answer, criterion)
    if parts.machines is None:
        return CellShown(
            id=cell.id,
            criterion=criterion.key,
            part=cell.part,
            open=not unmeasured,
            route_reason="not measured" if unmeasured else "",
            mine=mine,
            final=CLOSED if unmeasured else None,
        )
    machines, state = parts.machines[stored.id], cell.state
    said = machines.verdicts.get(cell.id, [])
    return CellShown(
        id=cell.id,
        criterion=criterion.key,
        part=cell.part,
        open=state.route != "automatic" and not unmeasured,
        route=state.route or None,
        route_reason=state.route_reason,
        suggestion=_suggestion(cell, criterion, machines),
        judges=[verdict for verdict in said if verdict.kind == "judge"],
        rules=[verdict for verdict in said if verdict.kind == "rule"],
        metrics=_metrics(criterion, machines),
        mine=mine,
        final=CLOSED if unmeasured else _final(state),
    )


def _metrics(criterion: CriterionRow, machines: _Machines) -> list[MetricShown]:
    """The values of the metrics that a criterion uses."""
    if not machines.metrics:
        return []
    used = {ref.name for ref in criterion.criterion.graders}
    return [
        value
        for name, value in machines.metrics.items()
        if name in used or name.split("_")[0] in used
    ]


def _final(state: CellState) -> FinalShown | None:
    """The final value of a cell that is not asked about; None for one that is."""
    if state.final_source == "closed" and state.route == "automatic":
        return CLOSED
    if state.final_source == "automatic":
        return FinalShown(state.final, FinalSource.AUTOMATIC)
    return None


def _suggestion(cell: Cell, criterion: CriterionRow, machines: _Machines) -> SuggestionShown | None:
    state = cell.state
    if state.suggestion is None:
        return None
    return SuggestionShown(
        value=state.suggestion,
        confidence=state.confidence,
        reason=state.suggestion_reason,
        chance=cells_told.chance_of(
            machines.chances.get(cell.id), state.suggestion, criterion.scale
        ),
    )


def _my_marks(
    db: sqlite3.Connection, given: Assignment, cells: Mapping[int, Sequence[Cell]]
) -> dict[int, GivenMark]:
    """The person's own present marks, by cell; on a second look those of this look alone."""
    if given.design == own_screens.PRACTICE:
        kept = saves.known_save(db, given.save_id) if given.save_id else None
        return {} if kept is None else _marks_in(kept.body)
    if given.design == own_screens.REPEAT:
        again = repeats.said_on(db, given.screen_id, given.person_id)
        return {cell: _mark(said.value, said.status) for cell, said in again.items()}
    opinions = verdicts.opinions_of(db, [cell.id for group in cells.values() for cell in group])
    return {
        cell: _mark(opinion.value, opinion.status)
        for cell, said in opinions.items()
        for opinion in said
        if opinion.author_kind == "person" and opinion.author == given.person_id
    }


def _mark(value: Any, status: str) -> GivenMark:
    return GivenMark(value, status, "" if status == "ok" else "not_applicable")


def _marks_in(body: JSON) -> dict[int, GivenMark]:
    """The marks in the body of a save, by cell."""
    return {
        int(verdict["cell"]): GivenMark(
            verdict.get("value"), verdict.get("status") or "ok", verdict.get("reason") or ""
        )
        for verdict in body.get("verdicts") or []
    }


def _machines(
    db: sqlite3.Connection,
    project: Project,
    subjects: Sequence[StoredSubject],
    cells: Mapping[int, Sequence[Cell]],
    criteria: Mapping[int, CriterionRow],
    mine: Mapping[int, GivenMark],
) -> dict[int, _Machines]:
    """What machines say about the answers of an assisted screen, by subject."""
    said = stored_verdicts.verdicts_of(db, [cell.id for group in cells.values() for cell in group])
    values = metric_values.metrics_of(db, [subject.id for subject in subjects])
    peers = reading.peer_values(db, subjects[0].question_id)
    chances = lessons.chances_of(db, said)
    by_subject = {}
    for stored in subjects:
        subject = stored.subject
        machines = _Machines(
            chips=cells_told.chips(subject.answer, criteria.values()), chances=chances
        )
        for cell in cells.get(stored.id, []):
            of_cell, criterion = said.get(cell.id, []), criteria[cell.criterion_id]
            shown = _machine_verdicts(stored, criterion, of_cell)
            if criterion.criterion.rubric != FAULTS.name:
                machines.verdicts[cell.id] = shown
            elif fault := cells_told.fault(cell, shown, of_cell, mine.get(cell.id)):
                machines.faults.append(fault)
        machines.faults.sort(key=lambda fault: worst_first(fault.name))
        if subject.question.task_type != "creative":
            machines.metrics.update(
                (value.metric, cells_told.metric(value, peers.get(value.metric, []), subject))
                for value in values.get(stored.id, [])
            )
        by_subject[stored.id] = machines
    return by_subject


def _machine_verdicts(
    stored: StoredSubject, criterion: CriterionRow, said: Sequence[StoredVerdict]
) -> list[MachineVerdict]:
    """What rules and judges say of a cell under the present wording."""
    claims = criterion.criterion.elements == "claims"
    return [
        cells_told.machine(verdict, stored.subject, claims=claims)
        for verdict in said
        if verdict.author_kind != "person" and verdict.criterion_hash == criterion.hash
    ]


def cells_of(screen: Screen) -> list[CellShown]:
    """The cells of a screen's answers and of their twins."""
    return [
        cell
        for answer in screen.answers
        for cells in (answer.cells, *(twin.cells for twin in answer.twins))
        for cell in cells
    ]


def with_cells(screen: Screen, change: Callable[[CellShown], CellShown | None]) -> Screen:
    """The screen with each cell of its answers and their twins changed; without those that become
    None."""

    def changed(cells: Sequence[CellShown]) -> list[CellShown]:
        return [cell for cell in map(change, cells) if cell is not None]

    answers = [
        replace(
            answer,
            cells=changed(answer.cells),
            twins=[replace(twin, cells=changed(twin.cells)) for twin in answer.twins],
        )
        for answer in screen.answers
    ]
    return replace(screen, answers=answers)


def put_back(screen: Screen, body: JSON) -> Screen:
    """The screen with the marks of a save that was taken back laid on it again, so that the person
    goes on from there."""
    marks = _marks_in(body)
    marked = with_cells(screen, lambda cell: replace(cell, mine=marks.get(cell.id, cell.mine)))
    saved = SavedHere("", body.get("comment") or "", bool(body.get("flagged")))
    return replace(marked, saved=saved)
