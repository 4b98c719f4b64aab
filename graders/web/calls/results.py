"""Final values and suggestions."""

from __future__ import annotations

from graders.web.caller import Caller, span_of
from graders.workflows.report import rows as tables
from graders.workflows.report.rows import CellRow


def call(caller: Caller, project: str, page: int = 1, rows: int = 500) -> list[CellRow]:
    """What graders suggest and the final value of each current answer on each criterion, in the
    order of the questions.

    Args:
        project: the project's name
        page: which rows, from 1; a page with fewer than `rows` is the last
        rows: how many rows a page has, at most 1000
    """
    return tables.cells(caller.scope, project, span_of(page, rows))
