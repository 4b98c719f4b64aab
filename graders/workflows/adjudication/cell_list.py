"""Cells on which people differ, and those that are settled, as a list: how far people are apart,
the order, the rows, the title."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from graders.core.errors import InputError, NotFound
from graders.core.scale import Value
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.desk import adjudications
from graders.store.desk.adjudications import Dispute
from graders.store.figures import one_answer
from graders.store.opinions import cells
from graders.store.projects import CriterionRow
from graders.workflows.adjudication.card import part_title
from graders.workflows.opinions.participants import Circle, circle_of
from graders.workflows.scope.paging import page_of
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs

#: Cells on one page of the list.
CELLS_A_PAGE = 50
#: On a plain range of numbers people differ when they are further apart than this share of it.
APART = 0.1
#: So many characters of a question are shown in the list.
SHOWN = 160


class Show(StrEnum):
    """Which cells are listed: those that are left to settle, or those that are settled."""

    LEFT = "left"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class CriterionCount:
    """How many cells of a criterion are left to settle, and how many are settled."""

    key: str
    title: str
    left: int
    settled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledInList:
    """The adjudicated verdict on a cell: its name (`id`), value (None: not applicable; as text in
    `said`), reason, who gave it (empty where that is not known) and when."""

    id: str
    value: Value | None
    reason: str
    by: str
    at: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRow:
    """A cell of the list: its rows, criterion (key and title), part, question (id and beginning of
    its text), the `values` that people gave, whether nothing stands for them all (`tied`), and what
    `settled` it, None for nothing."""

    cell: int
    subject: int
    criterion: str
    title: str
    part: str
    question_id: str
    question: str
    values: Sequence[str]
    tied: bool
    settled: SettledInList | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellList:
    """A page of the list with its finding (`title`). Counts are for all of the project: cells left
    and settled, also per criterion, and `people` whose verdicts count; `total` for what is
    shown."""

    title: str
    left: int
    settled: int
    people: int
    criteria: Sequence[CriterionCount]
    show: Show
    rows: Sequence[CellRow]
    page: int
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class _Entry:
    """A cell of the list: how people differ on it (None: they do not), and when it was settled
    (empty if it was not)."""

    criterion: CriterionRow
    cell: int
    dispute: Dispute | None
    settled_at: str = ""


@needs("look")
def cells_to_settle(
    scope: Scope, project_name: str, show: str = Show.LEFT, criterion_key: str = "", page: int = 1
) -> CellList:
    """Cells on which people differ, widest first and ties before what a majority decides; `show`
    ``settled``: those with an adjudicated verdict, latest first."""
    if show not in list(Show):
        raise InputError(
            **error_parts("adjudication.show", show=repr(show)[:60], choices=", ".join(Show))
        )
    ws, project = scope.ws, scope.project(project_name)
    circle = circle_of(scope, project)
    people = people_of(circle)
    entries: list[_Entry] = []
    counts: list[CriterionCount] = []
    for row in projects.criteria(ws, project):
        disputes = adjudications.disputes(ws.db, row, people, circle.adjudicated, _least(row))
        done = adjudications.settled(ws.db, row, circle.adjudicated)
        left = [dispute for dispute in disputes if not dispute.settled]
        counts.append(CriterionCount(row.key, row.criterion.title, len(left), len(done)))
        if criterion_key in ("", row.key):
            by_cell = {dispute.cell_id: dispute for dispute in disputes}
            entries += (
                [_Entry(row, cell, by_cell.get(cell), at) for cell, at in done]
                if show == Show.SETTLED
                else [_Entry(row, dispute.cell_id, dispute) for dispute in left]
            )
    if criterion_key and criterion_key not in {count.key for count in counts}:
        choices = ", ".join(count.key for count in counts)
        raise NotFound(
            **error_parts(
                "adjudication.no_criterion", criterion=repr(criterion_key), choices=choices
            )
        )
    entries.sort(key=_settled_at if show == Show.SETTLED else _width, reverse=True)
    page, pages, shown = page_of(entries, page, CELLS_A_PAGE)
    left_all = sum(count.left for count in counts)
    settled_all = sum(count.settled for count in counts)
    return CellList(
        title=_title(left_all, settled_all, len(people)),
        left=left_all,
        settled=settled_all,
        people=len(people),
        criteria=[count for count in counts if count.left or count.settled],
        show=Show(show),
        rows=_rows(scope, circle, shown),
        page=page,
        pages=pages,
        total=len(entries),
    )


def people_of(circle: Circle) -> list[int]:
    """The people (author rows) whose verdicts make the final value."""
    return [author for author in circle.people if circle.counts(author)]


def _least(criterion: CriterionRow) -> float:
    """How far numbers may lie apart and still be the same verdict."""
    scale = criterion.scale
    return APART * (scale.high - scale.low) if scale.kind == "numeric" else 0.0


def _settled_at(entry: _Entry) -> tuple[str]:
    return (entry.settled_at,)


def _width(entry: _Entry) -> tuple[float, bool, int]:
    """How far people are apart as a share of the scale; labels without order are either the same or
    as far apart as can be."""
    scale, dispute = entry.criterion.scale, entry.dispute
    assert dispute is not None
    if not scale.is_ordered or math.isinf(dispute.apart):
        return 1.0, dispute.tied, -entry.cell
    wide = scale.numbers[-1] - scale.numbers[0] if scale.is_discrete else scale.high - scale.low
    return dispute.apart / wide, dispute.tied, -entry.cell


def _rows(scope: Scope, circle: Circle, shown: Sequence[_Entry]) -> list[CellRow]:
    """Rows of the list, with question, values of people and what settled them."""
    ids = [entry.cell for entry in shown]
    texts = {row.cell_id: row for row in one_answer.cell_answers(scope.ws.db, ids)} if ids else {}
    names = names_of(scope.ws)
    settlements = adjudications.settlements(scope.ws.db, circle.adjudicated, ids)
    loaded = cells.load_cells(scope.ws.db, ids)
    rows = []
    for entry in shown:
        criterion, dispute, text = entry.criterion, entry.dispute, texts.get(entry.cell)
        settled = settlements.get(entry.cell)
        current = dispute is None or dispute.settled
        rows.append(
            CellRow(
                cell=entry.cell,
                subject=loaded[entry.cell].subject_id,
                criterion=criterion.key,
                title=criterion.criterion.title,
                part=part_title(criterion, loaded[entry.cell].part),
                question_id=text.question_id if text else "",
                question=text.question[:SHOWN] if text else "",
                values=[] if dispute is None else [_text(value) for value in dispute.values],
                tied=dispute is not None and dispute.tied and not dispute.settled,
                settled=SettledInList(
                    id=settled.id,
                    value=settled.value,
                    reason=settled.reason,
                    by=called(names, settled.by),
                    at=settled.at,
                    said=_text(settled.value),
                )
                if current and settled is not None
                else None,
            )
        )
    return rows


def _text(value: Value | None) -> str:
    return say("adjudication.not_applicable") if value is None else str(value)


def _title(left: int, settled: int, people: int) -> str:
    """The finding: on how many cells people differ, and how many are settled."""
    if not people:
        return say("adjudication.title.no_people")
    if people == 1:
        return say("adjudication.title.one_person")
    if not settled:
        return say("adjudication.title.left", n=left) if left else say("adjudication.title.none")
    done = say("adjudication.settled", n=settled)
    if not left:
        return say("adjudication.title.all_settled", settled=done)
    return say("adjudication.title.some_settled", n=left, settled=done)
