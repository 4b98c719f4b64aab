"""The verdicts of one save, checked one by one against the screen they belong to."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from graders.core.errors import InputError, ScaleError
from graders.core.records import Design, Evidence, Mark, Provenance, SubjectKey, Verdict
from graders.store.desk import repeats
from graders.store.desk.assignments import Assignment
from graders.store.desk.saves import measured_seconds
from graders.store.opinions import cells as cell_store
from graders.store.opinions import verdicts
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import CriterionRow, Project
from graders.workflows.cells.state import FAULTS
from graders.workflows.review import screens
from graders.workflows.scope.permissions import Scope

FAULT_OF = ("", "judge wrong", "rubric unclear", "reference wrong", "matter of taste")


ACTIONS = ("accepted", "edited", "typed")


#: At most this many characters of a comment or a quote are kept.
LONGEST_TEXT = 20_000
#: Whole numbers from here on have no place in the database.
LARGEST_NUMBER = 2**63


def number(found: Any, where: str) -> int:
    try:
        known = int(found)
    except (TypeError, ValueError):
        known = None
    if known is None or abs(known) >= LARGEST_NUMBER:
        raise InputError(where, found=repr(found)[:80], expected="a number")
    return known


def verdict_rows(
    db: sqlite3.Connection,
    scope: Scope,
    project: Project,
    given: Assignment,
    body: Mapping[str, Any],
    criteria: Mapping[int, CriterionRow],
    save_id: str,
) -> list[CellVerdict]:
    """The verdicts of a save, checked one by one against the screen they belong to."""
    found = cell_store.load_cells(
        db, [number(v.get("cell"), "cell") for v in body.get("verdicts") or []]
    )
    names = screens.subject_names(db, given.subjects)
    order = [number(i, "order") for i in body.get("order") or []]
    earlier = verdicts.opinions_of(db, found)
    first = (
        repeats.first_look(db, given.screen_id, given.person_id)
        if given.design == repeats.REPEAT
        else None
    )
    rows = []
    for item in body.get("verdicts") or []:
        cell = found.get(number(item.get("cell"), "cell"))
        asked = (
            cell is not None
            and cell.subject_id in given.subjects
            and (not given.cells or cell.id in given.cells)
        )
        if cell is None or not asked or cell.criterion_id not in criteria:
            raise InputError(
                "verdict",
                found=f"cell {item.get('cell')!r}",
                expected="a cell of this screen",
                remedy="Reload the page.",
            )
        mine = next(
            (
                o
                for o in earlier.get(cell.id, [])
                if o.author_kind == "person" and o.author == given.person_id
            ),
            None,
        )
        seen = (
            tuple(o.author for o in earlier.get(cell.id, []) if o.author_kind != "person")
            if given.arm == "assisted"
            else ()
        )
        beside = tuple(names[s] for s in given.subjects if s != cell.subject_id)
        criterion, drawn = criteria[cell.criterion_id], given
        if first is not None and (mine is None or mine.criterion_hash != criterion.hash):
            # The criterion is new or worded anew: nothing was said that this could be a second look
            # at.
            drawn = replace(
                given,
                design=first.design,
                screen_probability=first.screen_probability,
                probability=first.probability,
            )
        amends = (
            verdicts.uid_of(db, mine.verdict_id) if mine and drawn.design != repeats.REPEAT else ""
        )
        rows.append(_row(cell, criterion, drawn, item, save_id, seen, beside, order, amends))
    rows += _fault_rows(db, project, given, body.get("faults") or [], criteria, save_id)
    return rows


def _row(
    cell: cell_store.Cell,
    criterion: CriterionRow,
    given: Assignment,
    item: Mapping[str, Any],
    save_id: str,
    seen: tuple[str, ...],
    beside: tuple[str, ...],
    order: list[int],
    amends: str,
) -> CellVerdict:
    action, fault_of = str(item.get("action") or ""), str(item.get("fault_of") or "")
    provenance = Provenance(
        arm=given.arm,
        design=_design(given),
        probability=given.screen_probability * given.probability,
        action=action if action in ACTIONS else "typed",
        seconds=measured_seconds(item.get("seconds")),
        judges_seen=seen,
        shown_beside=beside,
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
        kind="amends" if amends else "given",
        amends=amends,
        provenance=provenance,
    )
    return CellVerdict(cell.id, criterion, cell.question_id, verdict, given.screen_id, save_id)


def _mark(criterion: CriterionRow, item: Mapping[str, Any]) -> Mark:
    if item.get("value") is None:
        return Mark.unscored("not_applicable")
    try:
        return Mark(value=criterion.scale.parse(item["value"]))
    except ScaleError as error:
        raise InputError(
            f"verdict on {criterion.criterion.title}", found=error.found, expected=error.expected
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
    given: Assignment,
    faults: Sequence[Mapping[str, Any]],
    criteria: Mapping[int, CriterionRow],
    save_id: str,
) -> list[CellVerdict]:
    """Faults confirmed, rejected or added by the person: a cell of the built-in rubric for each
    named fault."""
    criterion = next((c for c in criteria.values() if c.criterion.rubric == FAULTS.name), None)
    rows: list[CellVerdict] = []
    for item in faults:
        subject, name = (
            number(item.get("answer"), "fault"),
            str(item.get("name") or "").strip()[:80],
        )
        if (
            criterion is None
            or subject not in given.subjects
            or not name
            or item.get("value") not in ("present", "absent")
        ):
            raise InputError(
                "fault",
                found=repr(dict(item))[:160],
                expected="an answer of this screen, a name, present or absent",
            )
        cell_id = cell_store.add_cell(db, project, subject, criterion, name)
        cell = cell_store.load_cells(db, [cell_id])[cell_id]
        quote = str(item.get("quote") or "")[:LONGEST_TEXT]
        made = _row(cell, criterion, given, item, save_id, (), (), [], "")
        mark = Mark(value=item["value"], evidence=(Evidence(quote=quote),) if quote else ())
        rows.append(
            CellVerdict(
                cell_id,
                criterion,
                cell.question_id,
                replace(made.verdict, mark=mark),
                given.screen_id,
                save_id,
            )
        )
    return rows
