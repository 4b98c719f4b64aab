"""The route of a project's export as a whole."""

from __future__ import annotations

import tempfile
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from graders.web.session import scope_of
from graders.workflows.projects import delete
from graders.workflows.report.export import ZIP, file_stem
from graders.workflows.report.export_whole import export_whole

router = APIRouter()


@router.get("/api/project/export")
def export_project(request: Request, project: str) -> FileResponse:
    """All of a project as one zip, which an import brings back; the header x-cograde-state names
    the state that it holds. Refused where the project could not be deleted now."""
    scope = scope_of(request)
    delete.need_idle(scope, project)
    folder = tempfile.TemporaryDirectory(prefix="cograde-export-")
    try:
        written = export_whole(scope, project, Path(folder.name) / f"{file_stem(project)}{ZIP}")
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        written.output,
        filename=written.output.name,
        headers={"x-cograde-state": written.state},
        background=BackgroundTask(folder.cleanup),
    )
