"""The answers behind a cell of the grid, a page at a time, with their final values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.records import MetricValue, Subject
from graders.core.scale import Scale, Value
from graders.core.words import say
from graders.store.answers import content, metric_values
from graders.store.figures import results as results_figures
from graders.store.projects import CriterionRow, Project
from graders.workflows.cells.criteria import criterion_named
from graders.workflows.cells.outputs import outputs_of
from graders.workflows.opinions import grid_cells
from graders.workflows.opinions.grid_cells import Axis
from graders.workflows.results import answer as results_answer
from graders.workflows.results.grid import filters_of
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.paging import ANSWERS_A_PAGE, page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.seen import mark_seen, still_blind


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
    filters = filters_of(filters)
    counts = results_figures.answer_counts(scope.ws.db, project, model, criterion.id, filters)
    total = sum(count for _, _, count in counts)
    page, pages, _ = page_of(range(total), page, ANSWERS_A_PAGE)
    rows = results_figures.answer_page(
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


def _row(
    row: results_figures.CellOfAnswer,
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


def _without_marks(row: results_figures.CellOfAnswer, criterion: CriterionRow) -> CellRow:
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
    found = results_figures.part_sums(scope.ws.db, project, model, criterion.id, filters)
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
