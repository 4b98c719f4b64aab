"""A project's tables as records, for Python and for programs: what each field holds is in
`columns.TABLES`, under the same names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any, TypeVar

from graders.core.shapes import JSON, as_dict
from graders.store.projects import Project, begun_projects
from graders.store.transfer import snapshot
from graders.store.transfer.snapshot import EVERY, Span
from graders.store.workspace import Workspace
from graders.workflows.agreement.records import Agreement
from graders.workflows.leaderboard.board import Board
from graders.workflows.report._parts import Report
from graders.workflows.report.columns import TABLES
from graders.workflows.scope.permissions import Scope, needs

#: A label or a number, as on the criterion's scale.
Value = str | float | None
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """A project."""

    name: str
    title: str
    notice: str


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """A verdict of a person, a judge or a rule, as it was given; those that were amended or
    retracted are rows too."""

    verdict_id: str
    question_id: str
    model: str
    answer_version: int
    criterion: str
    part: str | None
    author: str
    author_kind: str
    value: Value
    status: str
    reason: str | None
    kind: str
    amends: str | None
    confidence: float | None
    confidence_kind: str | None
    rationale: str | None
    evidence: list[str] | None
    arm: str | None
    design: str | None
    probability: float | None
    action: str | None
    seconds: float | None
    cost: float | None
    grader_version: str | None
    recipe_hash: str | None
    criterion_hash: str | None
    inputs: str | None
    created_at: str


@dataclass(frozen=True, slots=True)
class CellRow:
    """A current answer on a criterion: what graders suggest, and the final value."""

    question_id: str
    category: str | None
    task_type: str | None
    language: str | None
    model: str
    answer_version: int
    criterion: str
    part: str | None
    final: Value
    final_source: str | None
    final_reason: str | None
    suggestion: Value
    suggestion_confidence: float | None
    suggestion_reason: str | None


@dataclass(frozen=True, slots=True)
class RouteRow:
    """A current answer on a criterion: who decides it, and why."""

    question_id: str
    model: str
    answer_version: int
    criterion: str
    part: str | None
    route: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A judge on a criterion: how far it agrees with people, beside how far people agree."""

    criterion: str
    judge: str
    figure: str
    against: str
    value: float | None
    low: float | None
    high: float | None
    status: str | None
    reason: str | None
    cells: int | None
    questions: int | None
    method: str | None
    ceiling: float | None
    ceiling_low: float | None
    ceiling_high: float | None
    ceiling_people: int | None
    ceiling_cells: int | None
    ceiling_questions: int | None
    raw: float | None
    assisted: float | None
    verdict: str | None
    verdict_reason: str | None
    counted: str | None


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A model overall, or on a criterion."""

    model: str
    criterion: str
    unit: str
    rank_low: int | None
    rank_high: int | None
    value: float | None
    low: float | None
    high: float | None
    status: str | None
    reason: str | None
    cells: int | None
    questions: int | None
    method: str | None
    counted: str | None


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A cell of a table of the report."""

    section: str
    table: str
    row: int
    column: str
    value: float | None
    low: float | None
    high: float | None
    cells: int | None
    questions: int | None
    text: str | None


#: Table -> its record.
RECORDS: dict[str, type[Any]] = {
    "projects": ProjectRow,
    "verdicts": VerdictRow,
    "cells": CellRow,
    "routes": RouteRow,
    "agreement": AgreementRow,
    "leaderboard": LeaderboardRow,
    "report": ReportRow,
}


@needs("look")
def projects(scope: Scope) -> list[ProjectRow]:
    """All projects."""
    found = begun_projects(scope.ws)
    return [ProjectRow(one.name, one.title, one.notice) for one in found]


@needs("export")
def verdicts(scope: Scope, project_name: str, span: Span = EVERY) -> list[VerdictRow]:
    """Every verdict, or some: people's first, then judges', then rules', each as they were
    given."""
    found = each_verdict(scope.ws, scope.project(project_name), span)
    return [_record(VerdictRow, "verdicts", row) for row in found]


@needs("export")
def cells(scope: Scope, project_name: str, span: Span = EVERY) -> list[CellRow]:
    """One record per current answer and criterion, or some of them."""
    found = snapshot.each_cell(scope.ws, scope.project(project_name), span)
    return [_record(CellRow, "cells", row) for row in found]


@needs("export")
def routes(scope: Scope, project_name: str, span: Span = EVERY) -> list[RouteRow]:
    """Who decides each current answer on each criterion, or some of them."""
    found = snapshot.routes(scope.ws, scope.project(project_name), span)
    return [_record(RouteRow, "routes", row) for row in found]


def each_verdict(ws: Workspace, project: Project, span: Span = EVERY) -> Iterator[JSON]:
    """Every verdict, or some, as a row of the exchange format with its author."""
    first, most = span.first, span.most
    for table, (kind, name) in snapshot.OPINIONS.items():
        if first and first >= (count := snapshot.count_opinions(ws, project, table)):
            first -= count
            continue
        for _, row in snapshot.opinions(ws, project, table, Span(first, most)):
            most -= 1
            yield {
                "status": "ok",
                "kind": "given",
                **row,
                "author": row[name],
                "author_kind": kind,
            }
        first = 0
        if span.most >= 0 and most <= 0:
            return


def agreement(found: Agreement) -> Iterator[AgreementRow]:
    """One record per criterion and judge."""
    for criterion in found.criteria:
        for judge in criterion.judges:
            yield AgreementRow(
                **_interval(judge.shown),
                criterion=criterion.key,
                judge=judge.name,
                figure=criterion.figure
                if judge.shown_against == "people"
                else criterion.pair_figure,
                against=judge.shown_against,
                ceiling=judge.ceiling.value,
                ceiling_low=judge.ceiling.low,
                ceiling_high=judge.ceiling.high,
                ceiling_people=criterion.people.graders,
                ceiling_cells=judge.ceiling.n_cells,
                ceiling_questions=judge.ceiling.n_questions,
                raw=judge.raw,
                assisted=judge.assisted.figure.value if judge.assisted else None,
                verdict=judge.verdict.word,
                verdict_reason=judge.verdict.reason,
                counted=criterion.counted,
            )


def leaderboard(board: Board) -> Iterator[LeaderboardRow]:
    """One record per model overall, and one per model and criterion, the best first."""
    for row in board.models:
        low, high = row.ranks or (None, None)
        yield LeaderboardRow(
            **_interval(row.figure),
            model=row.model,
            criterion="overall",
            unit=board.axis.words,
            rank_low=low,
            rank_high=high,
            counted=board.rests_on,
        )
    for criterion in board.criteria:
        for model, found in criterion.cells.items():
            low, high = (found and found.ranks) or (None, None)
            yield LeaderboardRow(
                **_interval(found),
                model=model,
                criterion=criterion.key,
                unit=criterion.words,
                rank_low=low,
                rank_high=high,
                counted=criterion.ground,
            )


def report(found: Report) -> Iterator[ReportRow]:
    """One record per cell of each table of the report."""
    for section in found.sections:
        for table in section.tables:
            for number, row in enumerate(table.rows, 1):
                for column, cell in zip(table.columns, row, strict=True):
                    place = {"section": section.key, "table": table.title, "column": column.name}
                    yield _record(ReportRow, "report", {**place, "row": number, **_shown(cell)})


def _record(kind: type[Record], table: str, row: Mapping[str, Any]) -> Record:
    columns = TABLES[table]
    return kind(**{name: row.get(column.of or name) for name, column in columns.items()})


_INTERVAL = ("value", "low", "high", "status", "reason", "method")


def _interval(found: Any) -> JSON:
    """The fields that every figure has; all None where there is none."""
    counts = {
        "cells": found and found.n_cells,
        "questions": found and found.n_questions,
    }
    return {**{name: getattr(found, name, None) for name in _INTERVAL}, **counts}


def _shown(cell: Any) -> JSON:
    if is_dataclass(cell):
        return as_dict(cell)
    if isinstance(cell, (int, float)) and not isinstance(cell, bool):
        return {"value": cell, "text": f"{cell:,}"}
    return {"text": None if cell is None else str(cell)}
