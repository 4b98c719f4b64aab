"""The tables of the report."""

from __future__ import annotations

from itertools import islice

from graders.web.caller import Caller, span_of
from graders.workflows.report import report
from graders.workflows.report import rows as tables
from graders.workflows.report.rows import ReportRow


def call(caller: Caller, project: str, page: int = 1, rows: int = 500) -> list[ReportRow]:
    """The tables of the report, one row per cell of each: what was graded by whom, agreement,
    routing, leaderboard and costs. `report_text` has the same as a document.

    Args:
        project: the project's name
        page: which rows, from 1; a page with fewer than `rows` is the last
        rows: how many rows a page has, at most 1000
    """
    span = span_of(page, rows)
    found = tables.report(report.report(caller.scope, project))
    return list(islice(found, span.first, span.first + span.most))
