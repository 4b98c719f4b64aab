"""Every verdict."""

from __future__ import annotations

from graders.web.caller import Caller, span_of
from graders.workflows.report import rows as tables
from graders.workflows.report.rows import VerdictRow


def call(caller: Caller, project: str, page: int = 1, rows: int = 500) -> list[VerdictRow]:
    """Every verdict as it was given: people's first, then judges', then rules'. Verdicts that were
    amended or retracted are rows too.

    Args:
        project: the project's name
        page: which rows, from 1; a page with fewer than `rows` is the last
        rows: how many rows a page has, at most 1000
    """
    return tables.verdicts(caller.scope, project, span_of(page, rows))
