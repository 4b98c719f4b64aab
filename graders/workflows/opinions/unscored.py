"""Cells on which judges gave no verdict: how many for which reason, and which answers they are
of."""

from __future__ import annotations

from typing import Any

from graders.core.errors import NotFound
from graders.store import projects
from graders.store.figures import overview
from graders.store.opinions import unscored as store
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.paging import ANSWERS_A_PAGE, page_of
from graders.workflows.scope.permissions import Scope, needs


@needs("look")
def unscored(
    scope: Scope, project_name: str, judge: str = "", reason: str = "", page: int = 1
) -> dict[str, Any]:
    """Reasons with their counts of cells, and one page of the cells of one `reason`, of all where
    none is named.

    `judge` is the name under which verdicts are stored; empty for all judges.
    """
    project = scope.project(project_name)
    known = overview.judges(scope.ws.db, project)
    if judge and judge not in known:
        raise NotFound(
            f"judge {judge!r}",
            found="no such judge",
            expected="one of " + ", ".join(known) if known else "a judge of this project",
        )
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
    return {
        "judge": judge,
        "reason": reason,
        "total": total,
        "reasons": [
            {"reason": name, "why": reason_words(name), "cells": count} for name, count in counts
        ],
        "rows": [
            {
                **row,
                "why": reason_words(row["reason"]),
                "criterion": titles.get(row.pop("criterion_id"), ""),
            }
            for row in rows
        ],
        "page": page,
        "pages": pages,
    }
