"""Adjudication: the verdict of one person that settles a cell on which people differ for good.

The verdict is a row of its own, by the author ``adjudicated``; it names its adjudicator and keeps
the reason. What the others said stays as it was. A median or majority of people stands until then
(`policy.final_value`); judges have no vote, and their marks are sent only when the adjudicator asks
for them. A verdict given without having seen a machine's mark counts as blind.
"""

from __future__ import annotations

import math
import sqlite3
from dataclasses import dataclass
from typing import Any

from graders.core.errors import Conflict, InputError, NotFound, ScaleError
from graders.core.records import Mark, Provenance, SubjectKey, Verdict
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.store import projects
from graders.store.desk import adjudications
from graders.store.desk.adjudications import Look, Settlement
from graders.store.opinions import cells, stored_verdicts, verdicts
from graders.store.opinions.cells import Cell
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import CriterionRow, Project
from graders.workflows.adjudication import advice, card
from graders.workflows.adjudication.card import Card, Reader
from graders.workflows.adjudication.cell_list import people_of
from graders.workflows.cells.state import ADJUDICATED, read_frame, refresh_said
from graders.workflows.opinions.participants import Circle, circle_of
from graders.workflows.review.check_save import LONGEST_TEXT
from graders.workflows.scope.permissions import Nameless, Scope, needs, person_of


@dataclass(frozen=True, slots=True)
class CellQuery:
    """Which cell is asked for: the one of this row; else the one of a subject, criterion and part;
    without a criterion the first one of the subject on which people differ."""

    cell: int = 0
    subject: int = 0
    criterion: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """Whether the verdict was `stored` by this request, and its name."""

    stored: bool
    verdict: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """An adjudicated verdict was taken back."""

    ok: bool = True


@needs("look")
def cell_card(scope: Scope, project_name: str, query: CellQuery, *, judges: bool = False) -> Card:
    """One cell with what people said of it side by side.

    With `judges` also what the judges and rules said; that the actor looked is kept. Texts are
    plain: a page renders them.
    """
    project = scope.project(project_name)
    cell, criterion = _find(scope, project, query)
    look = Look(False, judges)
    person = person_of(scope)
    if person is not None:
        with scope.ws.write(durable=False) as db:
            look = adjudications.note_look(
                db, scope.ws, person.id, cell.id, cell.subject_id, judges=judges
            )
    circle = circle_of(scope, project)
    return card.build(
        scope.ws,
        project,
        cell,
        criterion,
        circle,
        Reader(person.id if person else "", look),
        advice=advice.offered(scope, criterion, circle),
    )


@needs("adjudicate")
def settle(scope: Scope, project_name: str, cell_id: int, body: JSON) -> Settled:
    """Settle a cell: `body` holds value (None: not applicable), reason, save_id (made by the
    caller; the same again changes nothing), before (the adjudicated verdict that the caller knows
    of, or "") and seconds.

    Conflict where it was settled meanwhile.
    """
    project, person = scope.project(project_name), person_of(scope)
    if person is None:
        raise Nameless
    save_id = str(body.get("save_id") or "")
    reason = str(body.get("reason") or "").strip()[:LONGEST_TEXT]
    if not 8 <= len(save_id) <= 80:
        raise InputError(**error_parts("adjudication.save_id", value=repr(save_id)[:90]))
    if not reason:
        raise InputError(**error_parts("adjudication.reason"))
    cell, criterion = _find(scope, project, CellQuery(cell_id))
    mark = _mark(criterion, body.get("value"), reason)
    circle, frame = circle_of(scope, project), read_frame(scope.ws, project)
    with scope.ws.write() as db:
        earlier = adjudications.saved(db, project, save_id)
        if earlier:
            return Settled(False, earlier)
        stands = _standing(db, project, cell.id)
        if (stands.id if stands else "") != str(body.get("before") or ""):
            raise Conflict(**error_parts("adjudication.changed", cell=cell.id))
        look = adjudications.note_look(db, scope.ws, person.id, cell.id, cell.subject_id)
        verdict = Verdict(
            subject=SubjectKey("", ""),
            criterion=criterion.key,
            part=cell.part,
            author=ADJUDICATED,
            author_kind="person",
            mark=mark,
            kind="amends" if stands else "given",
            amends=stands.id if stands else "",
            provenance=_provenance(db, cell, circle, look, body.get("seconds")),
            metadata={"adjudicator": person.id, "settles": _settles(db, cell)},
        )
        touched = verdicts.append(
            db,
            project,
            [CellVerdict(cell.id, criterion, cell.question_id, verdict, None, save_id)],
            now=scope.ws.now(),
        )
        refresh_said(scope.ws, project, frame, touched)
        return Settled(True, adjudications.saved(db, project, save_id))


@needs("adjudicate")
def take_back(scope: Scope, project_name: str, cell_id: int, verdict_id: str) -> TakenBack:
    """Take an adjudicated verdict back by its name: a retracting row is appended, and what stood
    before stands again."""
    project = scope.project(project_name)
    cell, criterion = _find(scope, project, CellQuery(cell_id))
    frame = read_frame(scope.ws, project)
    with scope.ws.write() as db:
        stands = _standing(db, project, cell.id)
        if stands is None:
            raise NotFound(**error_parts("adjudication.not_settled", cell=cell.id))
        if stands.id != verdict_id:
            raise Conflict(**error_parts("adjudication.another", cell=cell.id))
        retraction = Verdict(
            subject=SubjectKey("", ""),
            criterion=criterion.key,
            part=cell.part,
            author=ADJUDICATED,
            author_kind="person",
            mark=Mark.unscored("retracted"),
            kind="retracts",
            amends=verdict_id,
            metadata={"adjudicator": scope.actor.person_id} if scope.actor.person_id else {},
        )
        touched = verdicts.append(
            db,
            project,
            [CellVerdict(cell.id, criterion, cell.question_id, retraction)],
            now=scope.ws.now(),
        )
        refresh_said(scope.ws, project, frame, touched)
    return TakenBack()


def _provenance(
    db: sqlite3.Connection, cell: Cell, circle: Circle, look: Look, seconds: Any
) -> Provenance:
    """How the verdict was given. It is drawn as those were that it settles, but its cell was
    chosen, not drawn."""
    seen = look.seen_before or look.judges
    said = verdicts.opinions_of(db, [cell.id]).get(cell.id, [])
    measured = isinstance(seconds, int | float) and math.isfinite(seconds) and seconds >= 0
    return Provenance(
        arm="assisted" if seen else "blind",
        design="adjudication",
        probability=adjudications.draw_of(db, cell.id, people_of(circle)),
        action="typed",
        seconds=float(seconds) if measured else None,
        judges_seen=tuple(o.author for o in said if o.author_kind == "judge") if seen else (),
    )


def _settles(db: sqlite3.Connection, cell: Cell) -> list[str]:
    """The names of people's verdicts that are settled."""
    said = verdicts.opinions_of(db, [cell.id]).get(cell.id, [])
    return [
        stored_verdicts.uid_of(db, opinion.verdict_id) for opinion in said if _of_people(opinion)
    ]


def _of_people(opinion: verdicts.Opinion) -> bool:
    return opinion.author_kind == "person" and opinion.author != ADJUDICATED


def _mark(criterion: CriterionRow, value: Any, reason: str) -> Mark:
    if value is None:
        return Mark.unscored("not_applicable", reason)
    try:
        return Mark(value=criterion.scale.parse(value), rationale=reason)
    except ScaleError as error:
        raise InputError(
            **error_parts(
                "adjudication.off_scale",
                criterion=criterion.criterion.title,
                value=error.found,
                scale=error.expected,
            )
        ) from error


def _find(scope: Scope, project: Project, query: CellQuery) -> tuple[Cell, CriterionRow]:
    """A cell of the project under an active criterion; NotFound else."""
    db = scope.ws.db
    criteria = {row.id: row for row in projects.criteria(scope.ws, project)}
    if query.cell:
        cell = cells.load_cells(db, [query.cell]).get(query.cell)
        where = error_parts("adjudication.no_cell", cell=query.cell)
    else:
        of_subject = [c for c in cells.cells_of(db, [query.subject]) if c.criterion_id in criteria]
        wanted = [
            c
            for c in of_subject
            if query.criterion in ("", criteria[c.criterion_id].key)
            and (c.part == query.part or not query.criterion)
        ]
        cell = _telling(db, wanted) if not query.criterion else wanted[0] if wanted else None
        where = error_parts(
            "adjudication.no_cell_of", subject=query.subject, criterion=repr(query.criterion)
        )
    if cell is None or cell.criterion_id not in criteria:
        raise NotFound(**where)
    return cell, criteria[cell.criterion_id]


def _telling(db: sqlite3.Connection, wanted: list[Cell]) -> Cell | None:
    """The first cell on which people differ, which says most; else the first."""
    said = verdicts.opinions_of(db, [cell.id for cell in wanted])
    for cell in wanted:
        if len({opinion.value for opinion in said.get(cell.id, []) if _of_people(opinion)}) > 1:
            return cell
    return wanted[0] if wanted else None


def _standing(db: sqlite3.Connection, project: Project, cell_id: int) -> Settlement | None:
    author = verdicts.author_id(db, project, "person", ADJUDICATED)
    return adjudications.settlements(db, author, [cell_id]).get(cell_id)
