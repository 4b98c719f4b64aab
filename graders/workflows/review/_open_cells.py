"""What a screen asks of a person: which of its cells are open, and which were left open."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence

from graders.core.hashing import text_hash
from graders.core.records import Answer
from graders.store.answers.content import StoredSubject
from graders.store.desk.assignments import Assignment
from graders.store.opinions import cells as cell_store
from graders.store.opinions import verdicts
from graders.store.opinions.cells import Cell
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells import policy
from graders.workflows.cells.policy import RouteSettings
from graders.workflows.cells.state import FAULTS
from graders.workflows.review._control_screens import criteria_of, subjects_of


def cells_by_subject(
    db: sqlite3.Connection, subjects: Sequence[int], criteria: Mapping[int, CriterionRow]
) -> dict[int, list[Cell]]:
    """Cells of subjects (row ids) under `criteria`."""
    found: dict[int, list[Cell]] = {}
    for cell in cell_store.cells_of(db, subjects):
        if cell.criterion_id in criteria:
            found.setdefault(cell.subject_id, []).append(cell)
    return found


def cells_of(
    db: sqlite3.Connection, given: Assignment, criteria: Mapping[int, CriterionRow]
) -> dict[int, list[Cell]]:
    """The cells of an assignment's screen under `criteria`: those of its answers, or the ones that
    it asks about alone."""
    found = cells_by_subject(db, given.subjects, criteria)
    if not given.cells:
        return found
    return {
        subject: [cell for cell in cells if cell.id in given.cells]
        for subject, cells in found.items()
    }


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

    def asked(subject: StoredSubject, cell: Cell) -> bool:
        one, criterion = subject.subject, criteria[cell.criterion_id].criterion
        return (
            one.other is not None
            or not one.answer.text.strip()
            or policy.asked_blind(criterion, one.question.task_type, settings)
        )

    found = {s.id: [cell for cell in cells.get(s.id, []) if asked(s, cell)] for s in subjects}
    if not any(_rated(found.values(), criteria)):
        return {subject: list(given) for subject, given in cells.items()}
    return {
        s.id: [cell for cell in cells.get(s.id, []) if cell in found[s.id] or cell.id in mine]
        for s in subjects
    }


def _rated(
    groups: Collection[Sequence[Cell]], criteria: Mapping[int, CriterionRow]
) -> Iterator[bool]:
    """For each cell whether it is one of the rubric: faults open no screen by themselves."""
    return (
        criteria[cell.criterion_id].criterion.rubric != FAULTS.name
        for cells in groups
        for cell in cells
    )


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
    found: set[int] = set()
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
        found.update(first.values())
        found.update(cell for other in others for key, cell in other.items() if key in first)
    return found


def left_open(
    db: sqlite3.Connection, person_id: str, asked: Collection[int], given: Collection[int] = ()
) -> set[int]:
    """The cells of `asked` on which a person has no opinion, and gives none now (`given`)."""
    rest = set(asked).difference(given)
    said = verdicts.opinions_of(db, rest)
    return {
        cell
        for cell in rest
        if not any(o.author_kind == "person" and o.author == person_id for o in said.get(cell, []))
    }
