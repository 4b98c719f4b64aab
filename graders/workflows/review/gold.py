"""Gold questions: a lead marks settled cells, whose right value and reason are known, to check
people by or for them to practise on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from graders.core.errors import InputError, NotFound
from graders.core.scale import Value
from graders.core.words import error_parts
from graders.statistics.resampling import Estimate
from graders.store import projects
from graders.store.desk import gold as store
from graders.store.opinions import cells
from graders.workflows.agreement import people
from graders.workflows.scope.permissions import Scope, needs


class Use(StrEnum):
    """What a settled cell is marked for: it checks people, they practise on it, or neither."""

    CHECK = "check"
    PRACTICE = "practice"
    NONE = "none"


#: What is stored of a use: whether it is practice, None for no mark.
_PRACTICE = {Use.CHECK: False, Use.PRACTICE: True, Use.NONE: None}


@dataclass(frozen=True, slots=True)
class GoldMark:
    """A cell's row, and what it is marked for now."""

    cell: int
    use: Use


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldRow:
    """A gold cell in force: its row, the id and text of its question, the model that answered, the
    title of its criterion, the right value (None: not applicable) and why; how often people
    `answered` it as a check, and how often they were `right`."""

    cell: int
    question_id: str
    question: str
    model: str
    criterion: str
    value: Value | None
    why: str
    use: Use
    answered: int
    right: int


@dataclass(frozen=True, slots=True)
class GoldPerson:
    """A person, and the share of gold cells that he or she had right, with its interval."""

    person: str
    name: str
    gold: Estimate


@dataclass(frozen=True, slots=True)
class GoldList:
    """The gold cells in force, and how those people did who answered some."""

    cells: Sequence[GoldRow]
    people: Sequence[GoldPerson]


@needs("adjudicate")
def mark(scope: Scope, project_name: str, cell_id: int, use: str) -> GoldMark:
    """Mark a settled cell as a ``check`` or for ``practice``, or take the mark off (``none``);
    logged.

    NotFound where there is no such cell; InputError where the cell has no adjudicated verdict with
    a reason under the present wording.
    """
    project = scope.project(project_name)
    if use not in list(Use):
        raise InputError(
            **error_parts("review.gold.use", use=repr(use)[:60], choices=", ".join(Use))
        )
    chosen = Use(use)
    cell = cells.load_cells(scope.ws.db, [cell_id]).get(cell_id)
    if cell is None or cell.criterion_id not in {
        row.id for row in projects.criteria(scope.ws, project)
    }:
        raise NotFound(**error_parts("review.gold.no_cell", cell=cell_id))
    with scope.ws.write() as db:
        before = store.uses(db, [cell_id]).get(cell_id, "")
        store.put(db, project, cell_id, _PRACTICE[chosen], scope.actor.person_id, scope.ws.now())
        if chosen != Use.NONE and not any(
            gold.cell_id == cell_id and gold.why
            for gold in store.in_force(db, project, [cell.subject_id])
        ):
            raise InputError(**error_parts("review.gold.not_settled", cell=cell_id))
        if store.uses(db, [cell_id]).get(cell_id, "") != before:
            projects.log_event(
                scope.ws, project, scope.actor.person_id, "gold", {"cell": cell_id, "use": chosen}
            )
    return GoldMark(cell_id, chosen)


@needs("adjudicate")
def listed(scope: Scope, project_name: str) -> GoldList:
    """The gold cells in force, and the people who answered some."""
    project = scope.project(project_name)
    in_force = store.in_force(scope.ws.db, project)
    criteria = {row.id: row for row in projects.criteria(scope.ws, project)}
    texts = store.texts_of(scope.ws.db, [gold.cell_id for gold in in_force])
    said = store.checked(scope.ws.db, project)
    rows = [
        GoldRow(
            cell=gold.cell_id,
            question_id=texts[gold.cell_id].question_id,
            question=texts[gold.cell_id].question,
            model=texts[gold.cell_id].model,
            criterion=criteria[gold.criterion_id].criterion.title,
            value=gold.value,
            why=gold.why,
            use=Use.PRACTICE if gold.practice else Use.CHECK,
            answered=sum(cell == gold.cell_id for _, _, cell, _ in said),
            right=sum(cell == gold.cell_id and right for _, _, cell, right in said),
        )
        for gold in in_force
        if gold.criterion_id in criteria
    ]
    return GoldList(
        rows,
        [
            GoldPerson(row.person, row.name, row.gold)
            for row in people.people_report(scope, project_name).people
            if row.gold.value is not None
        ],
    )
