"""Download of the report."""

from __future__ import annotations

import tempfile
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from graders.web.routes._viewing import view_of
from graders.web.session import scope_of
from graders.workflows.report import report as use
from graders.workflows.report.export import file_stem
from graders.workflows.report.scope import Wanted

router = APIRouter()


@router.get("/api/report")
def report(
    request: Request, project: str, format: str = "html", blind: int = 1, population: str = ""
) -> FileResponse:
    """A project's report as one HTML file, Markdown or a workbook, to be saved: never shown under
    the app's own address.

    The filters of Agreement narrow it down, as ``cograde report --only`` does.
    """
    scope = scope_of(request)
    folder = tempfile.TemporaryDirectory(prefix="cograde-report-")
    # an ending would have to be the format's, which is not known to be one yet
    path = Path(folder.name) / "report"
    use.write_report(
        scope, project, path, format, wanted=Wanted(**view_of(request, blind, population))
    )
    return FileResponse(
        path,
        filename=f"{file_stem(project)}-report.{format}",
        background=BackgroundTask(folder.cleanup),
    )
