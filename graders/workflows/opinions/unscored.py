"""Cells on which judges gave no verdict: how many for which reason, and which answers they are
of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.errors import NotFound
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.figures import overview
from graders.store.opinions import unscored as store
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.paging import ANSWERS_A_PAGE, page_of
from graders.workflows.scope.permissions import Scope, needs


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why cells have no value, in words, and of how many cells."""

    reason: str
    why: str
    cells: int


@dataclass(frozen=True, slots=True)
class UnscoredCell:
    """A cell on which a judge gave no verdict: why, and what the judge brought instead."""

    judge: str
    part: str
    reason: str
    detail: str
    question_id: str
    question: str
    model: str
    why: str
    criterion: str


@dataclass(frozen=True, slots=True)
class Unscored:
    """Cells on which judges gave no verdict: all reasons, and a page of the cells of some."""

    judge: str
    reason: str
    total: int
    reasons: Sequence[Reason]
    rows: Sequence[UnscoredCell]
    page: int
    pages: int


@needs("look")
def unscored(
    scope: Scope, project_name: str, judge: str = "", reason: str = "", page: int = 1
) -> Unscored:
    """Reasons with their counts of cells, and one page of the cells of one `reason`, of all where
    none is named.

    `judge` is the name under which verdicts are stored; empty for all judges.
    """
    project = scope.project(project_name)
    known = overview.judges(scope.ws.db, project)
    if judge and judge not in known:
        names = (
            say("opinions.no_judge.one_of", names=", ".join(known))
            if known
            else say("opinions.no_judge.none")
        )
        raise NotFound(**error_parts("opinions.no_judge", judge=repr(judge), names=names))
    counts = store.reasons(scope.ws.db, project, judge)
    total = sum(count for name, count in counts if reason in ("", name))
    page, pages, _ = page_of(range(total), page, ANSWERS_A_PAGE)
    titles = {row.id: row.criterion.title for row in projects.criteria(scope.ws, project)}
    rows = store.rows(
        scope.ws.db,
        project,
        judge,
        reason,
        limit=ANSWERS_A_PAGE,
        offset=(page - 1) * ANSWERS_A_PAGE,
    )
    return Unscored(
        judge=judge,
        reason=reason,
        total=total,
        reasons=[Reason(name, reason_words(name), count) for name, count in counts],
        rows=[
            UnscoredCell(
                judge=row.judge,
                part=row.part,
                reason=row.reason,
                detail=row.detail,
                question_id=row.question_id,
                question=row.question,
                model=row.model,
                why=reason_words(row.reason),
                criterion=titles.get(row.criterion_id, ""),
            )
            for row in rows
        ],
        page=page,
        pages=pages,
    )
