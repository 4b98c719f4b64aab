"""Results: the grid of models and criteria, the answers behind one of its cells, one answer with
all that is known of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.control import is_author
from graders.core.errors import InputError, NotFound
from graders.core.records import MetricValue, Subject
from graders.core.scale import Scale, Value
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content, metric_values
from graders.store.desk import annotators, queue
from graders.store.figures import reports
from graders.store.opinions import tallies
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.criteria import criteria_of, criterion_named
from graders.workflows.cells.outputs import outputs_of
from graders.workflows.opinions import author_ceilings, grid_cells
from graders.workflows.opinions.author_ceilings import Ceiling
from graders.workflows.opinions.grid_cells import Axis, GridCell
from graders.workflows.opinions.participants import aside_words, circle_of
from graders.workflows.results import _sentences
from graders.workflows.results import answer as results_answer
from graders.workflows.results._unconfirmed import unconfirmed, with_labels, with_suggested
from graders.workflows.results.answer import AnswerCard, Version
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.paging import ANSWERS_A_PAGE, MODELS_A_PAGE, page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.project_head import ProjectHead
from graders.workflows.scope.seen import mark_seen, still_blind

HUES = 5
#: Labels without an order are counted cell by cell, up to so many cells.
COUNTED_CELLS = 100_000
FILTERS = ("category", "task_type", "language")
STATES = ("adjudicated", "people", "automatic", "closed", "pending")


@dataclass(frozen=True, slots=True)
class Named:
    """A project: its name and its title."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What the head of every page shows: projects, the present one, who asks, screens that wait;
    `mine` those of them that the actor can do (None without a name), the same figure as on the
    desk."""

    projects: Sequence[Named]
    project: str
    person: Person | None
    waiting: int
    mine: int | None
    notice: str


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
    filter_values: Mapping[str, Sequence[reports.FilterCount]]


@dataclass(frozen=True, slots=True)
class ValueCount:
    """A final value, its label, and how many cells have it."""

    value: Value
    word: str
    count: int


@dataclass(frozen=True, slots=True)
class Measured:
    """A metric of an answer; why it has no value, as a name and in words."""

    name: str
    value: float | None
    reason: str
    why: str


@dataclass(frozen=True, slots=True)
class PartMean:
    """A named part of a criterion: the mean of its `n` final values of `cells`."""

    part: str
    guide: str
    shown: str
    n: int
    cells: int
    pending: int


@dataclass(frozen=True, slots=True)
class CellRow:
    """An answer behind a cell of the grid, with its final value and the reason of it."""

    cell: int
    question_id: str
    question: str
    category: str
    task_type: str
    language: str
    part: str
    version: int
    answer: str
    value: Value | None
    word: str
    source: str
    reason: str
    metric: Measured | None


@dataclass(frozen=True, slots=True)
class Answers:
    """A page of the answers behind a cell of the grid; `parts` is empty without named parts."""

    model: str
    criterion: Axis
    total: int
    pending: int
    summary: str
    values: Sequence[ValueCount]
    parts: Sequence[PartMean]
    rows: Sequence[CellRow]
    page: int
    pages: int
    filters: Mapping[str, str]


@needs("look")
def frame(scope: Scope, project_name: str = "", first: str = "") -> Frame:
    """What the head of every page shows.

    Where none is named, `first` is the present one if it is there, else the first of all.
    """
    project_name = projects.present_name(scope.ws, project_name)
    known = projects.begun_projects(scope.ws, also=project_name)
    chosen = next(
        (p for p in known if p.name == (project_name or first)),
        known[0] if known and not project_name else None,
    )
    person = projects.people(scope.ws).get(scope.actor.person_id)
    db = scope.ws.db
    return Frame(
        projects=[Named(p.name, p.title) for p in known],
        project=chosen.name if chosen else "",
        person=None if person is None else Person(person.id, person.name),
        waiting=queue.open_screens(db, chosen) if chosen else 0,
        mine=annotators.within_reach(db, chosen, person.id) if chosen and person else None,
        notice=chosen.notice if chosen else "",
    )


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
    filters = _filters(filters)
    known = criteria_of(scope, project)
    criteria = [c for c in known if not reports.compares_pairs(scope.ws.db, c.id)]
    # a preference is no mark of either model
    paired = [c.criterion.title for c in known if c not in criteria]
    by_id = {c.id: c for c in criteria}
    listed = reports.checklists(
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
    faults = reports.fault_tallies(scope.ws.db, project, filters)
    # A checklist that no question has is no column.
    asked = {
        c.id
        for c in criteria
        if not c.criterion.by_question or reports.criterion_cells(scope.ws.db, project, c.id)
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
        filter_all=reports.criterion_cells(db, project, first.id) if first else 0,
        filter_values=reports.filter_counts(db, project, first.id)
        if first
        else {name: [] for name in FILTERS},
    )


@needs("look")
def answers(
    scope: Scope,
    project_name: str,
    model: str,
    criterion_key: str,
    filters: Mapping[str, str] | None = None,
    page: int = 1,
) -> Answers:
    """One page of the answers behind a cell of the grid, with their final values; `filters` may
    name a state too.

    Whoever is shown values has seen the marks of these answers: blind screens with them go to
    others. Of answers that the actor may still grade blind no values are shown.
    """
    project = scope.project(project_name)
    criterion = criterion_named(scope, project, criterion_key)
    filters = _filters(filters)
    counts = reports.answer_counts(scope.ws.db, project, model, criterion.id, filters)
    total = sum(count for _, _, count in counts)
    page, pages, _ = page_of(range(total), page, ANSWERS_A_PAGE)
    rows = reports.answer_page(
        scope.ws.db,
        project,
        model,
        criterion.id,
        filters,
        limit=ANSWERS_A_PAGE,
        offset=(page - 1) * ANSWERS_A_PAGE,
    )
    measured = metric_values.metrics_of(scope.ws.db, {row.subject_id for row in rows})
    names = outputs_of(criterion.criterion)
    metrics = {
        subject: found
        for subject, values in measured.items()
        if (found := results_answer.metric_of(names, values))
    }
    texts = {
        s.id: s.subject
        for s in content.subjects(scope.ws.db, [i for i, found in metrics.items() if found.reason])
    }
    hidden = still_blind(scope, (row.subject_id for row in rows))
    mark_seen(
        scope,
        (
            row.subject_id
            for row in rows
            if row.subject_id not in hidden
            and (row.final is not None or row.suggestion is not None)
        ),
    )
    pending = sum(count for source, _, count in counts if source == "pending")
    return Answers(
        model=model,
        criterion=grid_cells.axis(criterion),
        total=total,
        pending=pending,
        summary=say("results.summary", values=several(total - pending, "value"), pending=pending),
        values=[
            ValueCount(
                json.loads(value),
                _words(criterion.scale, json.loads(value)),
                _count(counts, value),
            )
            for value in sorted(
                {v for _, v, _ in counts if v is not None},
                key=lambda v: criterion.scale.number(json.loads(v)),
            )
        ],
        parts=_part_means(scope, project, criterion, model, filters),
        rows=[
            _without_marks(row, criterion)
            if row.subject_id in hidden
            else _row(row, criterion, metrics.get(row.subject_id), texts.get(row.subject_id))
            for row in rows
        ],
        page=page,
        pages=pages,
        filters=filters,
    )


@needs("look")
def answer(
    scope: Scope, project_name: str, question_key: str, model: str, version: int | None = None
) -> AnswerCard:
    """One answer with its cells, every verdict, metric value, fact and fault, and how each cell
    came about; `version` may name an earlier text. Nothing that machines or colleagues think is
    in it while the actor may still grade the answer blind. Texts are plain: who sends them to a
    browser renders them."""
    project = scope.project(project_name)
    found = reports.answer_versions(scope.ws.db, project, question_key, model)
    chosen = next(
        (row for row in found if row.version == version or (version is None and row.current == 1)),
        None,
    )
    if chosen is None:
        raise NotFound(
            **error_parts(
                "results.error.no_answer",
                model=model,
                question=question_key,
                what=say("results.error.no_such_answer")
                if version is None
                else say("results.error.no_version", version=version),
            )
        )
    subject = content.subjects(scope.ws.db, [chosen.subject_id])[0]
    versions = [Version(row.version, row.current == 1) for row in found]
    card = results_answer.build(scope.ws, project, subject, versions)
    if card.shows_marks and still_blind(scope, [subject.id]):
        return results_answer.without_marks(card)
    if card.shows_marks:
        mark_seen(scope, [subject.id])
    return card


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
    if sum(reports.criterion_cells(db, project, i) for i in asked) > COUNTED_CELLS:
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


def _row(
    row: reports.CellOfAnswer,
    criterion: CriterionRow,
    metric: MetricValue | None,
    subject: Subject | None,
) -> CellRow:
    value = None if row.final is None else json.loads(row.final)
    measured = None
    if metric is not None:
        why = reason_words(metric.reason, metric=metric.metric, subject=subject)
        measured = Measured(metric.metric, metric.value, metric.reason, why)
    return CellRow(
        cell=row.cell_id,
        question_id=row.question_id,
        question=row.question[:300],
        category=row.category,
        task_type=row.task_type,
        language=row.language,
        part=row.part,
        version=row.version,
        answer=row.answer,
        value=value,
        word=_words(criterion.scale, value),
        source=row.final_source,
        reason=results_answer.why(row.final_source, row.final_reason, row.route_reason),
        metric=measured,
    )


def _without_marks(row: reports.CellOfAnswer, criterion: CriterionRow) -> CellRow:
    """A row of an answer that the actor may still grade blind."""
    bare = _row(row, criterion, None, None)
    return replace(bare, value=None, word="", source="pending", reason=say("results.still_blind"))


def _part_means(
    scope: Scope, project: Project, criterion: CriterionRow, model: str, filters: Mapping[str, str]
) -> list[PartMean]:
    """The mean of the final values of each named part of a criterion."""
    parts = criterion.criterion.parts
    if not parts or not criterion.scale.is_ordered:
        return []
    found = reports.part_sums(scope.ws.db, project, model, criterion.id, filters)
    made = []
    for part in parts:
        cells, n, pending, total = found.get(part, (0, 0, 0, 0.0))
        shown = grid_cells.number_words(criterion.scale, total / n) if n else ""
        guide = criterion.criterion.part_guides.get(part, "")
        made.append(PartMean(part, guide, shown, n, cells, pending))
    return made


def _words(scale: Scale, value: Value | None) -> str:
    return "" if value is None else scale.word(value)


def _count(counts: Sequence[tuple[str, str | None, int]], value: str) -> int:
    return sum(count for _, found, count in counts if found == value)


def _once_an_answer(ws: Workspace, criterion: CriterionRow) -> bool:
    return not (
        criterion.criterion.parts
        or criterion.criterion.by_question
        or reports.compares_pairs(ws.db, criterion.id)
    )


# -- arguments


def _filters(found: Mapping[str, str] | None) -> dict[str, str]:
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
