"""What stands on a screen: its answers and criteria, its cells, which of them are asked, and which
were left open.

On a control screen a copy with a known fault stands in the place of its answer; what is said of it
is kept with the copies.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from graders.core.hashing import text_hash
from graders.core.records import Answer
from graders.store import projects
from graders.store.answers import content
from graders.store.answers.content import StoredSubject
from graders.store.desk import seeded
from graders.store.desk.assignments import Assignment
from graders.store.opinions import cells as cell_store
from graders.store.opinions import verdicts
from graders.store.opinions.cells import Cell
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells import routes
from graders.workflows.cells.routes import RouteSettings
from graders.workflows.cells.state import FAULTS


def home_of(ws: Workspace, project: Project, given: Assignment) -> Project:
    """The project that the cells of a screen belong to: that of the copies for a screen with one,
    read by the settings of `project`."""
    if given.design != seeded.CONTROL:
        return project
    copies = seeded.project_of_copies(ws.db, project)
    return project if copies is None else replace(copies, settings=project.settings)


def criteria_of(ws: Workspace, project: Project, given: Assignment) -> dict[int, CriterionRow]:
    """The criteria of the cells of a screen by row, in the order in which `project` asks."""
    mine = projects.criteria(ws, project)
    if given.design != seeded.CONTROL:
        return {row.id: row for row in mine}
    place = {row.key: at for at, row in enumerate(mine)}
    theirs = projects.criteria(ws, home_of(ws, project, given))
    return {row.id: row for row in sorted(theirs, key=lambda row: place.get(row.key, len(place)))}


def subjects_of(ws: Workspace, project: Project, given: Assignment) -> list[StoredSubject]:
    """The subjects of a screen; a copy has the question and the model's name of its answer, so that
    nothing tells it from others.

    So it stays when that answer changes while a person has the screen, or looks at it again.
    """
    subjects = content.subjects(ws.db, given.subjects)
    if given.design != seeded.CONTROL:
        return subjects
    return [_in_place(ws, project, subject) for subject in subjects]


def _in_place(ws: Workspace, project: Project, copy: StoredSubject) -> StoredSubject:
    question, answer = copy.subject.question, copy.subject.answer
    of = answer.metadata.get("seeded")
    row = content.question_ids(ws.db, project, [question.id]).get(question.id, copy.question_id)
    shown = content.questions_by_row(ws.db, [row]).get(row, question)
    named = replace(answer, model=str(of.get("model") or "") if isinstance(of, Mapping) else "")
    return replace(
        copy, question_id=row, subject=replace(copy.subject, question=shown, answer=named)
    )


def cells_of(
    db: sqlite3.Connection, given: Assignment, criteria: Mapping[int, CriterionRow]
) -> dict[int, list[Cell]]:
    """The cells of an assignment's screen under `criteria`, by subject: those of its answers, or
    the ones that it asks about alone."""
    cells: dict[int, list[Cell]] = {}
    for cell in cell_store.cells_of(db, given.subjects):
        if cell.criterion_id in criteria:
            on_screen = cells.setdefault(cell.subject_id, [])
            if not given.cells or cell.id in given.cells:
                on_screen.append(cell)
    return cells


def alike(subjects: Sequence[StoredSubject]) -> list[list[StoredSubject]]:
    """Subjects with equal texts together: they are read once."""
    groups: dict[str, list[StoredSubject]] = {}
    for subject in subjects:
        other = subject.subject.other
        groups.setdefault(
            text_hash(subject.subject.answer.text) + (text_hash(other.text) if other else ""), []
        ).append(subject)
    return list(groups.values())


def unmeasured(answer: Answer, criterion: CriterionRow) -> bool:
    """Whether a cell asks for seconds alone, and the answer came without: told from the answer
    itself, so on blind screens too."""
    return answer.time_to_first_token is None and {
        ref.name for ref in criterion.criterion.graders
    } == {"time_to_first_token"}


def asked_blind(
    project: Project,
    subjects: Sequence[StoredSubject],
    cells: Mapping[int, Sequence[Cell]],
    criteria: Mapping[int, CriterionRow],
    mine: Collection[int] = (),
) -> dict[int, list[Cell]]:
    """The cells that a blind screen asks about (all, where it would ask nothing), and `mine`, which
    the person graded already.

    Rules that read have no say on pairs and on answers without text, so those are asked about
    everything.
    """
    settings = RouteSettings.of(project.settings)

    def asked(stored: StoredSubject, cell: Cell) -> bool:
        subject, criterion = stored.subject, criteria[cell.criterion_id].criterion
        return (
            subject.other is not None
            or not subject.answer.text.strip()
            or routes.asked_blind(criterion, subject.question.task_type, settings)
        )

    chosen = {s.id: [cell for cell in cells.get(s.id, []) if asked(s, cell)] for s in subjects}
    # faults open no screen by themselves
    if all(_is_fault(cell, criteria) for group in chosen.values() for cell in group):
        return {subject: list(of_subject) for subject, of_subject in cells.items()}
    return {
        s.id: [cell for cell in cells.get(s.id, []) if cell in chosen[s.id] or cell.id in mine]
        for s in subjects
    }


def _is_fault(cell: Cell, criteria: Mapping[int, CriterionRow]) -> bool:
    return criteria[cell.criterion_id].criterion.rubric == FAULTS.name


def asked_of(ws: Workspace, project: Project, given: Assignment) -> set[int]:
    """The open cells (row ids) of an assignment's screen. Of equal answers the first one's are
    asked, and those of others go with them."""
    criteria = {
        row: c
        for row, c in criteria_of(ws, project, given).items()
        if c.criterion.rubric != FAULTS.name
    }
    subjects = subjects_of(ws, project, given)
    cells = cells_of(ws.db, given, criteria)
    blind = given.arm == "blind"
    if blind:
        cells = asked_blind(project, subjects, cells, criteria)
    asked: set[int] = set()
    for group in alike(subjects):
        first, *others = (
            {
                (cell.criterion_id, cell.part): cell.id
                for cell in cells.get(subject.id, [])
                if (blind or cell.state.route != "automatic")
                and not unmeasured(subject.subject.answer, criteria[cell.criterion_id])
            }
            for subject in group
        )
        asked.update(first.values())
        asked.update(cell for other in others for key, cell in other.items() if key in first)
    return asked


def left_open(
    db: sqlite3.Connection, person_id: str, asked: Collection[int], given: Collection[int] = ()
) -> set[int]:
    """The cells of `asked` on which a person has no opinion, and gives none now (`given`)."""
    rest = set(asked).difference(given)
    opinions = verdicts.opinions_of(db, rest)
    return {
        cell
        for cell in rest
        if not any(
            o.author_kind == "person" and o.author == person_id for o in opinions.get(cell, [])
        )
    }
