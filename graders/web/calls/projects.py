"""All projects."""

from __future__ import annotations

from graders.web.caller import Caller
from graders.workflows.report import rows
from graders.workflows.report.rows import ProjectRow


def call(caller: Caller) -> list[ProjectRow]:
    """All projects of the workspace."""
    return rows.projects(caller.scope)
