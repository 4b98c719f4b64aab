"""Adjudication: cells on which people differ, and the verdict of one person that settles such a
cell for good.

The verdict is a row of its own, by the author ``adjudicated``; it names its adjudicator and keeps
the reason. What the others said stays as it was. A median or majority of people stands until then
(`policy.final_value`); judges have no vote, and their marks are sent only when somebody asks for
them. A verdict given without having seen a machine's mark counts as blind.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.errors import Conflict, InputError, NotFound, ScaleError
from graders.core.records import Mark, Provenance, SubjectKey, Verdict
from graders.store import projects
from graders.store.desk import adjudications
from graders.store.desk.adjudications import Dispute, Look
from graders.store.figures import reports
from graders.store.opinions import cells, verdicts
from graders.store.opinions.cells import Cell
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import CriterionRow, Project
from graders.workflows.adjudication import _card, advice
from graders.workflows.cells.state import ADJUDICATED, read_frame, refresh
from graders.workflows.opinions import grid_cells
from graders.workflows.opinions.frame import Circle
from graders.workflows.opinions.participants import circle_of
from graders.workflows.review.check_save import LONGEST_TEXT
from graders.workflows.review.desk import person_of
from graders.workflows.scope.paging import page_of
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs

#: Cells on one page of the list.
CELLS_A_PAGE = 50
SHOWN = ("left", "settled")


@needs("look")
def cells_to_settle(
    scope: Scope, project_name: str, show: str = "left", criterion_key: str = "", page: int = 1
) -> dict[str, Any]:
    """Cells on which people differ, widest first and ties before what a majority decides; `show`
    ``settled``: those with an adjudicated verdict, latest first. Counts per criterion are for all
    of the project."""
    if show not in SHOWN:
        raise InputError(
            "show",
            found=repr(show)[:60],
            expected="one of " + ", ".join(SHOWN),
            remedy="Choose one of these.",
        )
    ws, project = scope.ws, scope.project(project_name)
    circle = circle_of(scope, project)
    people = _people(circle)
    found: list[Entry] = []
    counts: list[dict[str, Any]] = []
    for row in projects.criteria(ws, project):
        apart = adjudications.disputes(ws.db, row, people, circle.adjudicated, least(row))
        done = adjudications.settled(ws.db, row, circle.adjudicated)
        left = [one for one in apart if not one.settled]
        counts.append(
            {"key": row.key, "title": row.criterion.title, "left": len(left), "settled": len(done)}
        )
        if criterion_key in ("", row.key):
            by_cell = {one.cell_id: one for one in apart}
            found += (
                [(row, cell, by_cell.get(cell), at) for cell, at in done]
                if show == "settled"
                else [(row, d.cell_id, d, "") for d in left]
            )
    if criterion_key and criterion_key not in {count["key"] for count in counts}:
        raise NotFound(
            f"criterion {criterion_key!r}",
            found="no such criterion",
            expected="one of " + ", ".join(c["key"] for c in counts),
        )
    found.sort(key=(lambda one: one[3]) if show == "settled" else width, reverse=True)
    page, pages, shown = page_of(found, page, CELLS_A_PAGE)
    left_all, settled_all = sum(c["left"] for c in counts), sum(c["settled"] for c in counts)
    return {
        "title": title(left_all, settled_all, len(people)),
        "left": left_all,
        "settled": settled_all,
        "people": len(people),
        "criteria": [count for count in counts if count["left"] or count["settled"]],
        "show": show,
        "rows": rows_of(scope, circle, shown),
        "page": page,
        "pages": pages,
        "total": len(found),
    }


@needs("look")
def cell_card(
    scope: Scope,
    project_name: str,
    cell_id: int = 0,
    subject_id: int = 0,
    criterion_key: str = "",
    part: str = "",
    *,
    judges: bool = False,
) -> dict[str, Any]:
    """One cell with what people said of it side by side: the cell itself, or the one of a subject,
    criterion and part.

    With `judges` also what the judges and rules said; that somebody looked is kept. Texts are
    plain: who sends them to a browser renders them.
    """
    project = scope.project(project_name)
    cell, criterion = _find(scope, project, cell_id, subject_id, criterion_key, part)
    look = Look(False, judges)
    person = person_of(scope)
    if person is not None:
        with scope.ws.write(durable=False) as db:
            look = adjudications.note_look(
                db, scope.ws, person.id, cell.id, cell.subject_id, judges=judges
            )
    circle = circle_of(scope, project)
    card = _card.build(
        scope.ws, project, cell, criterion, circle, look, person.id if person else ""
    )
    return {**card, "advice": advice.offered(scope, criterion, circle)}


@needs("adjudicate")
def settle(
    scope: Scope, project_name: str, cell_id: int, body: Mapping[str, Any]
) -> dict[str, Any]:
    """Settle a cell: `body` holds value (None: not applicable), reason, save_id (made by the
    caller; the same again changes nothing), before (the adjudicated verdict that the caller knows
    of, or "") and seconds. Returns {stored, verdict}.

    Conflict where somebody settled the cell meanwhile.
    """
    project, person = scope.project(project_name), person_of(scope)
    if person is None:
        raise InputError(
            "who are you", found="no name yet", expected="a name", remedy="Choose a name first."
        )
    save_id, reason = (
        str(body.get("save_id") or ""),
        str(body.get("reason") or "").strip()[:LONGEST_TEXT],
    )
    if not 8 <= len(save_id) <= 80:
        raise InputError(
            "save_id", found=repr(save_id)[:90], expected="8 to 80 characters, made by the page"
        )
    if not reason:
        raise InputError(
            "reason",
            found="nothing",
            expected="why this value is right",
            remedy="Write a sentence: those who said otherwise read it.",
        )
    cell, criterion = _find(scope, project, cell_id)
    mark = _mark(criterion, body.get("value"), reason)
    circle, frame = circle_of(scope, project), read_frame(scope.ws, project)
    with scope.ws.write() as db:
        known = adjudications.saved(db, project, save_id)
        if known:
            return {"stored": False, "verdict": known}
        stands = _standing(db, project, cell.id)
        if str(stands.get("id") or "") != str(body.get("before") or ""):
            raise Conflict(
                f"cell {cell.id}",
                found="it was settled or taken back meanwhile",
                expected="what you had before you",
                remedy="Look at it again.",
            )
        look = adjudications.note_look(db, scope.ws, person.id, cell.id, cell.subject_id)
        made = _verdict(
            db, cell, criterion, circle, mark, look, person.id, stands, body.get("seconds")
        )
        touched = verdicts.append(
            db,
            project,
            [CellVerdict(cell.id, criterion, cell.question_id, made, None, save_id)],
            now=scope.ws.now(),
        )
        refresh(db, frame, touched)
        return {"stored": True, "verdict": adjudications.saved(db, project, save_id)}


@needs("adjudicate")
def take_back(scope: Scope, project_name: str, cell_id: int, verdict_id: str) -> dict[str, Any]:
    """Take an adjudicated verdict back by its name: a retracting row is appended, and what stood
    before stands again."""
    project = scope.project(project_name)
    cell, criterion = _find(scope, project, cell_id)
    frame = read_frame(scope.ws, project)
    with scope.ws.write() as db:
        stands = _standing(db, project, cell.id)
        if not stands:
            raise NotFound(
                f"cell {cell.id}", found="no adjudicated verdict", expected="one to take back"
            )
        if stands["id"] != verdict_id:
            raise Conflict(
                f"cell {cell.id}",
                found="another verdict stands",
                expected="the one that you take back",
                remedy="Look at it again.",
            )
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
        refresh(db, frame, touched)
    return {"ok": True}


def _verdict(
    db: sqlite3.Connection,
    cell: Cell,
    criterion: CriterionRow,
    circle: Circle,
    mark: Mark,
    look: Look,
    person: str,
    stands: Mapping[str, Any],
    seconds: Any,
) -> Verdict:
    """The adjudicated verdict. It is drawn as those were that it settles, but its cell was chosen,
    not drawn."""
    seen = look.seen_before or look.judges
    said = verdicts.opinions_of(db, [cell.id]).get(cell.id, [])
    provenance = Provenance(
        arm="assisted" if seen else "blind",
        design="adjudication",
        probability=adjudications.draw_of(db, cell.id, _people(circle)),
        action="typed",
        seconds=float(seconds)
        if isinstance(seconds, int | float) and math.isfinite(seconds) and seconds >= 0
        else None,
        judges_seen=tuple(o.author for o in said if o.author_kind == "judge") if seen else (),
    )
    return Verdict(
        subject=SubjectKey("", ""),
        criterion=criterion.key,
        part=cell.part,
        author=ADJUDICATED,
        author_kind="person",
        mark=mark,
        kind="amends" if stands else "given",
        amends=str(stands.get("id") or ""),
        provenance=provenance,
        metadata={
            "adjudicator": person,
            "settles": [verdicts.uid_of(db, o.verdict_id) for o in said if _of_people(o)],
        },
    )


def _of_people(opinion: verdicts.Opinion) -> bool:
    return opinion.author_kind == "person" and opinion.author != ADJUDICATED


def _mark(criterion: CriterionRow, value: Any, reason: str) -> Mark:
    if value is None:
        return Mark.unscored("not_applicable", reason)
    try:
        return Mark(value=criterion.scale.parse(value), rationale=reason)
    except ScaleError as error:
        raise InputError(
            f"verdict on {criterion.criterion.title}", found=error.found, expected=error.expected
        ) from error


def _find(
    scope: Scope,
    project: Project,
    cell_id: int,
    subject_id: int = 0,
    criterion_key: str = "",
    part: str = "",
) -> tuple[Cell, CriterionRow]:
    """A cell of the project under an active criterion; NotFound else."""
    db, known = scope.ws.db, {c.id: c for c in projects.criteria(scope.ws, project)}
    if cell_id:
        found = cells.load_cells(db, [cell_id]).get(cell_id)
    else:
        of_subject = [c for c in cells.cells_of(db, [subject_id]) if c.criterion_id in known]
        wanted = [
            c
            for c in of_subject
            if criterion_key in ("", known[c.criterion_id].key)
            and (c.part == part or not criterion_key)
        ]
        found = wanted[0] if wanted else None
        if not criterion_key:  # the first cell on which people differ says most
            said = verdicts.opinions_of(db, [c.id for c in wanted])
            values = {c.id: {o.value for o in said.get(c.id, []) if _of_people(o)} for c in wanted}
            found = next((c for c in wanted if len(values[c.id]) > 1), found)
    if found is None or found.criterion_id not in known:
        where = (
            f"cell {cell_id}" if cell_id else f"subject {subject_id}, criterion {criterion_key!r}"
        )
        raise NotFound(
            where,
            found="no such cell",
            expected="a cell of this project",
            remedy="Choose one from the list.",
        )
    return found, known[found.criterion_id]


def _standing(db: sqlite3.Connection, project: Project, cell_id: int) -> dict[str, Any]:
    author = verdicts.author_id(db, project, "person", ADJUDICATED)
    return adjudications.reasons(db, author, [cell_id]).get(cell_id, {})


def _people(circle: Circle) -> list[int]:
    """The people whose verdicts make the final value."""
    return [author for author in circle.people if circle.counts(author)]


# -- the list of cells to settle: how far people are apart, the order, the rows, the title

#: On a plain range of numbers people differ when they are further apart than this share of it.
APART = 0.1
#: A cell of the list: criterion, cell row, how people differ on it (None: they do not), when it was
#: settled ("" if it was not).
Entry = tuple[CriterionRow, int, Dispute | None, str]


def least(criterion: CriterionRow) -> float:
    """How far numbers may lie apart and still be the same verdict."""
    scale = criterion.scale
    return APART * (scale.high - scale.low) if scale.kind == "numeric" else 0.0


def width(one: Entry) -> tuple[float, bool, int]:
    """How far people are apart as a share of the scale; labels without order are either the same or
    as far apart as can be."""
    row, cell, dispute, _ = one
    assert dispute is not None
    scale = row.scale
    if not scale.is_ordered or math.isinf(dispute.apart):
        return 1.0, dispute.tied, -cell
    wide = scale.numbers[-1] - scale.numbers[0] if scale.is_discrete else scale.high - scale.low
    return dispute.apart / wide, dispute.tied, -cell


def rows_of(scope: Scope, circle: Circle, shown: Sequence[Entry]) -> list[dict[str, Any]]:
    """Rows of the list, with question, values of people and what settled them."""
    ids = [cell for _, cell, _, _ in shown]
    texts = {row.cell_id: row for row in reports.cell_answers(scope.ws.db, ids)} if ids else {}
    names = names_of(scope.ws)
    final = adjudications.reasons(scope.ws.db, circle.adjudicated, ids)
    loaded = cells.load_cells(scope.ws.db, ids)
    rows = []
    for criterion, cell, dispute, _ in shown:
        text, done = texts.get(cell), final.get(cell)
        current = done is not None and (dispute is None or dispute.settled)
        rows.append(
            {
                "cell": cell,
                "subject": loaded[cell].subject_id,
                "criterion": criterion.key,
                "title": criterion.criterion.title,
                "part": _card.part_title(criterion, loaded[cell].part),
                "question_id": text.question_id if text else "",
                "question": text.question[:160] if text else "",
                "values": []
                if dispute is None
                else [_said(criterion, value) for value in dispute.values],
                "tied": dispute is not None and dispute.tied and not dispute.settled,
                "settled": {
                    **done,
                    "by": called(names, done["by"]),
                    "said": _said(criterion, done["value"]),
                }
                if current and done
                else None,
            }
        )
    return rows


def _said(criterion: CriterionRow, value: Any) -> str:
    return "not applicable" if value is None else str(value)


def title(left: int, done: int, people: int) -> str:
    """The finding: on how many cells people differ, and how many are settled."""
    if people < 2:
        return "Nobody can differ: " + (
            "one person has graded so far." if people else "no person has graded yet."
        )
    settled = f"{done:,} {'is' if done == 1 else 'are'} settled" if done else ""
    if not left:
        return "People differ on no cell" + (f" that is not settled; {settled}." if done else ".")
    return f"People differ on {left:,} {grid_cells.plural(left, 'cell')}" + (
        f"; {settled}." if done else "."
    )
