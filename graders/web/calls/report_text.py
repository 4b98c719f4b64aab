"""The report as a document."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Literal

from graders.web.caller import Caller
from graders.workflows.report.report import write_report


def call(caller: Caller, project: str, format: Literal["md", "html"] = "md") -> str:
    """The report as one document: what was graded by whom, agreement, routing, leaderboard and
    costs.

    Args:
        project: the project's name
        format: md for Markdown, html for a page that stands by itself
    """
    with tempfile.TemporaryDirectory(prefix="cograde-report-") as folder:
        path = Path(folder) / f"report.{format}"
        write_report(caller.scope, project, path, format)
        return path.read_text("utf-8")
