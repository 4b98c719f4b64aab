"""The table of answers as a file."""

from __future__ import annotations

import csv
import io

from fastapi import APIRouter, Request
from fastapi.responses import Response

from graders.exporters.sheets.cells import defused
from graders.web.session import scope_of
from graders.workflows.report.export import file_stem
from graders.workflows.results.answer_list import FILTERS, all_rows

router = APIRouter()


@router.get("/api/answers")
def answers(request: Request, project: str, having: str = "", by: str = "") -> Response:
    """The answers that Results lists, as CSV; its filters narrow them down."""
    given = request.query_params
    filters = {name: given.get(f"of_{name}") or given.get(name, "") for name in FILTERS}
    out = io.StringIO()
    writer = csv.writer(out)
    for row in all_rows(scope_of(request), project, having, filters, by):
        writer.writerow([defused(text.replace("\0", "")) for text in row])
    name = f"{file_stem(project)}-{having or 'answers'}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    # the mark lets Excel read other scripts
    return Response(
        ("\ufeff" + out.getvalue()).encode("utf-8", "replace"),
        media_type="text/csv",
        headers=headers,
    )
