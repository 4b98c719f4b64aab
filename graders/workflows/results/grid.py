"""The grid of models and criteria: means of final values with intervals, and what is pending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.author_texts import is_author
from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.store.figures import results as results_figures
from graders.store.figures.results import compares_pairs, criterion_cells
from graders.store.opinions import tallies
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.criteria import criteria_of
from graders.workflows.opinions import author_ceilings, grid_cells
from graders.workflows.opinions.author_ceilings import Ceiling
from graders.workflows.opinions.grid_cells import Axis, GridCell
from graders.workflows.opinions.participants import aside_words, circle_of
from graders.workflows.results import _sentences
from graders.workflows.results._unconfirmed import unconfirmed, with_labels, with_suggested
from graders.workflows.scope.paging import MODELS_A_PAGE, page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.project_head import ProjectHead

HUES = 5
#: Labels without an order are counted cell by cell, up to so many cells.
COUNTED_CELLS = 100_000
FILTERS = ("category", "task_type", "language")
STATES = ("adjudicated", "people", "automatic", "closed", "pending")


@dataclass(frozen=True, slots=True)
class Counts:
    """How much the grid speaks of; a cell is decided once it has a final value."""

    models: int
    cells: int
    decided: int
    pending: int


@dataclass(frozen=True, slots=True)
class FaultCounts:
    """Named faults of a model's answers: confirmed, and waiting for a person."""

    found: int
    open: int


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A row of the grid: a model's cells by the key of the criterion."""

    model: str
    faults: FaultCounts
    cells: Mapping[str, GridCell]


@dataclass(frozen=True, slots=True)
class Grid:
    """Models x criteria, a page of models; `found` counts all that match. `filter_values` offers
    values by filter, counted in `filter_unit`, of which there are `filter_all`."""

    project: ProjectHead
    title: str
    subtitle: str
    ceilings: Mapping[str, Ceiling]
    counts: Counts
    criteria: Sequence[Axis]
    models: Sequence[ModelRow]
    page: int
    pages: int
    found: int
    filters: Mapping[str, str]
    filter_unit: str
    filter_all: int
    filter_values: Mapping[str, Sequence[results_figures.FilterCount]]


@needs("look")
def grid(
    scope: Scope,
    project_name: str,
    filters: Mapping[str, str] | None = None,
    page: int = 1,
    search: str = "",
    sort: str = "best",
) -> Grid:
    """Models x criteria: means of final values with 95 % intervals by question, and what is
    pending.

    `filters`: category, task_type, language. `search` is part of a model's name. `sort`: best (mean
    over criteria, each on 0..1) or name. Built from tallies, so that its time does not grow with
    the number of cells; where a criterion has parts, or a checklist, the answers' own means over
    them are averaged, so that a long list counts no more than a short one. Pending cells are in no
    mean, but where no person has spoken on a criterion, what judges and rules suggest of them
    counts too, and all of it is marked as unconfirmed.
    """
    project = scope.project(project_name)
    filters = filters_of(filters)
    known = criteria_of(scope, project)
    criteria = [c for c in known if not compares_pairs(scope.ws.db, c.id)]
    # a preference is no mark of either model
    paired = [c.criterion.title for c in known if c not in criteria]
    by_id = {c.id: c for c in criteria}
    listed = results_figures.checklists(
        scope.ws.db,
        project,
        [c.id for c in criteria if c.criterion.elements or c.criterion.parts],
        filters,
    )
    rows = [
        row
        for row in tallies.tallies(scope.ws.db, project, filters)
        if row.criterion_id in by_id and not is_author(row.model)
    ]
    suggested = unconfirmed(scope, project, criteria, rows, filters)
    table: dict[str, dict[int, grid_cells.Summed]] = {}
    for row in rows:
        of = grid_cells.counted(
            row,
            by_id[row.criterion_id].criterion,
            listed.get((row.model, row.criterion_id)),
        )
        table.setdefault(row.model, {})[row.criterion_id] = with_suggested(
            of, suggested.get(row.criterion_id)
        )
    names = [name for name in table if search.strip().casefold() in name.casefold()]
    names.sort(
        key=lambda name: (
            (-grid_cells.score(table[name], by_id), name) if sort == "best" else (0.0, name)
        )
    )
    page, pages, shown = page_of(names, page, MODELS_A_PAGE)
    silent = [c for c in criteria if c.id in suggested and grid_cells.without_mean(c.scale)]
    labels = with_labels(
        _labels(scope, project, criteria, filters), scope, project, silent, filters
    )
    marked = any(row.unconfirmed for of in table.values() for row in of.values())
    faults = results_figures.fault_tallies(scope.ws.db, project, filters)
    # A checklist that no question has is no column.
    asked = {
        c.id
        for c in criteria
        if not c.criterion.by_question or criterion_cells(scope.ws.db, project, c.id)
    }
    total, pending = sum(row.cells for row in rows), sum(row.pending for row in rows)
    decided = total - pending
    reached = author_ceilings.ceilings(scope.ws, project, criteria, filters)
    single = next((c for c in criteria if _once_an_answer(scope.ws, c)), None)
    first = single or (criteria[0] if criteria else None)
    db = scope.ws.db
    return Grid(
        project=ProjectHead.of(project),
        title=say("results.title.pairs_alone")
        if paired and not criteria
        else grid_cells.title(table, by_id, total, pending),
        subtitle=_subtitle(decided, total, reached, paired, unconfirmed=marked)
        + aside_words(circle_of(scope, project), counted=True),
        ceilings=reached,
        counts=Counts(len(table), total, decided, pending),
        criteria=[
            replace(grid_cells.axis(row), hue=place % HUES)
            for place, row in enumerate(criteria)
            if row.id in asked
        ],
        models=[
            ModelRow(
                name,
                FaultCounts(*faults.get(name, (0, 0))),
                {
                    by_id[i].key: _cell(name, row, by_id[i], labels.get(i, {}).get(name), filters)
                    for i, row in table[name].items()
                },
            )
            for name in shown
        ],
        page=page,
        pages=pages,
        found=len(names),
        filters=filters,
        # A criterion with one cell an answer counts answers.
        filter_unit=say("results.unit.cell_of", criterion=first.criterion.title)
        if first and not single
        else say("results.unit.answer"),
        filter_all=criterion_cells(db, project, first.id) if first else 0,
        filter_values=results_figures.filter_counts(db, project, first.id)
        if first
        else {name: [] for name in FILTERS},
    )


def _cell(
    model: str,
    row: grid_cells.Summed,
    criterion: CriterionRow,
    labels: Mapping[str, int] | None,
    filters: Mapping[str, str],
) -> GridCell:
    """A cell of the grid, with its figure as a sentence."""
    cell = grid_cells.grid_cell(row, criterion, labels)
    said = _sentences.grid_cell(model, grid_cells.axis(criterion), cell, filters)
    return replace(cell, sentence=said)


def _labels(
    scope: Scope, project: Project, criteria: Sequence[CriterionRow], filters: Mapping[str, str]
) -> dict[int, Any]:
    """Criterion row -> model -> cells by final value, of criteria whose labels have no mean;
    nothing where their cells are too many to be counted while somebody waits."""
    db = scope.ws.db
    asked = [c.id for c in criteria if grid_cells.without_mean(c.scale)]
    if sum(criterion_cells(db, project, i) for i in asked) > COUNTED_CELLS:
        return {}
    return {i: tallies.label_counts(db, project, i, filters) for i in asked}


def _subtitle(
    decided: int,
    total: int,
    reached: Mapping[str, Ceiling],
    paired: Sequence[str],
    *,
    unconfirmed: bool,
) -> str:
    """What the means rest on, how high the author's own text stands above them, and what is no mark
    of one model."""
    pairs = say("results.subtitle.pairs", criteria=", ".join(paired)) if paired else ""
    if not total:
        return pairs
    ceiling = f" {'; '.join(found.words for found in reached.values())}." if reached else ""
    key = "unconfirmed" if unconfirmed else "decided"
    decided_words = say(f"results.subtitle.{key}", n=decided, cells=several(total, "cell"))
    return f"{decided_words}{ceiling} {pairs}".rstrip()


def _once_an_answer(ws: Workspace, criterion: CriterionRow) -> bool:
    return not (
        criterion.criterion.parts
        or criterion.criterion.by_question
        or compares_pairs(ws.db, criterion.id)
    )


def filters_of(found: Mapping[str, str] | None) -> dict[str, str]:
    """The filters that are set. InputError for one that is unknown, and for an unknown state."""
    filters = {name: str(value) for name, value in (found or {}).items() if value}
    for name in filters:
        if name not in (*FILTERS, "state"):
            raise InputError(
                **error_parts(
                    "results.error.no_filter", name=name, filters=", ".join((*FILTERS, "state"))
                )
            )
    if filters.get("state", STATES[0]) not in STATES:
        raise InputError(
            **error_parts(
                "results.error.state", found=repr(filters["state"]), states=", ".join(STATES)
            )
        )
    return filters
