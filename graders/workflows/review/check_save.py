"""The verdicts of one save, checked one by one against the screen they belong to."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.errors import InputError, ScaleError
from graders.core.records import Design, Evidence, Mark, Provenance, SubjectKey, Verdict
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.store.answers import content
from graders.store.desk import own_screens, repeats
from graders.store.desk.assignments import Assignment
from graders.store.desk.saves import measured_seconds
from graders.store.opinions import cells as cell_store
from graders.store.opinions import made_cells, stored_verdicts, verdicts
from graders.store.opinions.cells import Cell
from graders.store.opinions.verdicts import CellVerdict, Opinion
from graders.store.projects import CriterionRow, Project
from graders.workflows.cells.state import FAULTS

#: What a person may name as the cause of a disagreement; empty for none.
FAULT_OF = ("", "judge wrong", "rubric unclear", "reference wrong", "matter of taste")
#: How a value was given: a suggestion accepted, a suggestion changed, or without one.
ACTIONS = ("accepted", "edited", "typed")
#: At most this many characters of a comment or a quote are kept.
LONGEST_TEXT = 20_000
#: Whole numbers from here on have no place in the database.
LARGEST_NUMBER = 2**63


def number(found: Any, where: str) -> int:
    """A whole number that the page sends; InputError, about `where`, for anything else."""
    try:
        value = int(found)
    except (TypeError, ValueError):
        value = None
    if value is None or abs(value) >= LARGEST_NUMBER:
        raise InputError(**error_parts("review.number", place=where, value=repr(found)[:80]))
    return value


def verdict_rows(
    db: sqlite3.Connection,
    project: Project,
    given: Assignment,
    body: JSON,
    criteria: Mapping[int, CriterionRow],
    save_id: str,
) -> list[CellVerdict]:
    """The verdicts of a save, checked one by one against the screen they belong to."""
    items = body.get("verdicts") or []
    cells = cell_store.load_cells(db, [number(item.get("cell"), "cell") for item in items])
    models = {s.id: s.subject.answer.model for s in content.subjects(db, given.subjects)}
    saving = _Saving(given, save_id, [number(row, "order") for row in body.get("order") or []])
    earlier = verdicts.opinions_of(db, cells)
    first = (
        repeats.first_look(db, given.screen_id, given.person_id)
        if given.design == own_screens.REPEAT
        else None
    )
    rows = []
    for item in items:
        cell = cells.get(number(item.get("cell"), "cell"))
        if cell is None or cell.criterion_id not in criteria or not _on_screen(cell, given):
            raise InputError(**error_parts("review.not_on_screen", cell=repr(item.get("cell"))))
        criterion, opinions = criteria[cell.criterion_id], earlier.get(cell.id, [])
        mine = _opinion_of(given.person_id, opinions)
        drawn = _drawn(given, first, mine, criterion)
        amends = (
            stored_verdicts.uid_of(db, mine.verdict_id)
            if mine and drawn.design != own_screens.REPEAT
            else ""
        )
        seen = [o.author for o in opinions if o.author_kind != "person"]
        context = _Context(
            judges_seen=tuple(seen) if given.arm == "assisted" else (),
            shown_beside=tuple(models[s] for s in given.subjects if s != cell.subject_id),
            amends=amends,
        )
        as_drawn = saving if drawn is given else replace(saving, given=drawn)
        rows.append(_row(cell, criterion, item, as_drawn, context))
    faults = body.get("faults") or []
    return rows + _fault_rows(db, project, faults, criteria, replace(saving, order=[]))


@dataclass(frozen=True, slots=True)
class _Saving:
    """A save that is taken in: whose screen, under which id, and the order in which the answers
    (subjects) stood."""

    given: Assignment
    save_id: str
    order: Sequence[int]


@dataclass(frozen=True, slots=True)
class _Context:
    """What was in sight of a verdict: machines that the person saw, models whose answers stood
    beside; and the verdict that it amends, empty for none."""

    judges_seen: tuple[str, ...] = ()
    shown_beside: tuple[str, ...] = ()
    amends: str = ""


def _on_screen(cell: Cell, given: Assignment) -> bool:
    return cell.subject_id in given.subjects and (not given.cells or cell.id in given.cells)


def _opinion_of(person_id: str, opinions: Sequence[Opinion]) -> Opinion | None:
    return next((o for o in opinions if o.author_kind == "person" and o.author == person_id), None)


def _drawn(
    given: Assignment, first: Assignment | None, mine: Opinion | None, criterion: CriterionRow
) -> Assignment:
    """The assignment by whose draw a verdict counts. On a second look at a criterion that is new or
    worded anew that is the `first` one: nothing was said that this could be a second look at."""
    if first is None or (mine is not None and mine.criterion_hash == criterion.hash):
        return given
    return replace(
        given,
        design=first.design,
        screen_probability=first.screen_probability,
        probability=first.probability,
    )


def _row(
    cell: Cell,
    criterion: CriterionRow,
    item: Mapping[str, Any],
    saving: _Saving,
    context: _Context,
) -> CellVerdict:
    given, order = saving.given, saving.order
    action, fault_of = str(item.get("action") or ""), str(item.get("fault_of") or "")
    provenance = Provenance(
        arm=given.arm,
        design=_design(given),
        probability=given.screen_probability * given.probability,
        action=action if action in ACTIONS else "typed",
        seconds=measured_seconds(item.get("seconds")),
        judges_seen=context.judges_seen,
        shown_beside=context.shown_beside,
        order=order.index(cell.subject_id) if cell.subject_id in order else None,
        fault_of=fault_of if fault_of in FAULT_OF else "",
    )
    verdict = Verdict(
        subject=SubjectKey("", ""),
        criterion=criterion.key,
        part=cell.part,
        author=given.person_id,
        author_kind="person",
        mark=_mark(criterion, item),
        kind="amends" if context.amends else "given",
        amends=context.amends,
        provenance=provenance,
    )
    return CellVerdict(
        cell.id, criterion, cell.question_id, verdict, given.screen_id, saving.save_id
    )


def _mark(criterion: CriterionRow, item: Mapping[str, Any]) -> Mark:
    if item.get("value") is None:
        return Mark.unscored("not_applicable")
    try:
        return Mark(value=criterion.scale.parse(item["value"]))
    except ScaleError as error:
        raise InputError(
            **error_parts(
                "review.off_scale",
                criterion=criterion.criterion.title,
                value=error.found,
                scale=error.expected,
            )
        ) from error


def _design(given: Assignment) -> Design:
    if given.design != "ordinary":
        return given.design
    if given.adaptive:
        return "adaptive"
    return "blind_arm" if given.arm == "blind" else "ordinary"


def _fault_rows(
    db: sqlite3.Connection,
    project: Project,
    faults: Sequence[Mapping[str, Any]],
    criteria: Mapping[int, CriterionRow],
    saving: _Saving,
) -> list[CellVerdict]:
    """Faults confirmed, rejected or added by the person: a cell of the built-in rubric for each
    named fault."""
    criterion = next((c for c in criteria.values() if c.criterion.rubric == FAULTS.name), None)
    rows: list[CellVerdict] = []
    for item in faults:
        subject = number(item.get("answer"), "fault")
        name = str(item.get("name") or "").strip()[:80]
        if (
            criterion is None
            or subject not in saving.given.subjects
            or not name
            or item.get("value") not in ("present", "absent")
        ):
            raise InputError(**error_parts("review.fault", fault=repr(dict(item))[:160]))
        cell_id = made_cells.add_cell(db, project, subject, criterion, name)
        cell = cell_store.load_cells(db, [cell_id])[cell_id]
        quote = str(item.get("quote") or "")[:LONGEST_TEXT]
        row = _row(cell, criterion, item, saving, _Context())
        mark = Mark(value=item["value"], evidence=(Evidence(quote=quote),) if quote else ())
        rows.append(replace(row, verdict=replace(row.verdict, mark=mark)))
    return rows
