"""Downloads of results."""

from __future__ import annotations

import tempfile
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from graders.web.session import scope_of
from graders.workflows.report import export

router = APIRouter()


@router.get("/api/export")
def download(request: Request, project: str, format: str = "csv") -> FileResponse:
    """A project as CSV, XLSX, a sheet to grade in, or the exchange format (zip)."""
    scope = scope_of(request)
    folder = tempfile.TemporaryDirectory(prefix="cograde-export-")
    path = Path(folder.name) / f"{export.file_stem(project)}{export.suffix_of(format)}"
    export.export(scope, project, format, path)
    return FileResponse(path, filename=path.name, background=BackgroundTask(folder.cleanup))
