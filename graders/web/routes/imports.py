"""Download of the rows of an import that could not be used."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from graders.web.session import scope_of
from graders.workflows.importing import bad_rows

router = APIRouter()


@router.get("/api/import/bad")
def bad(request: Request, id: int) -> Response:
    """The bad rows of an import as a CSV file."""
    text = bad_rows.bad_rows_csv(scope_of(request), id)
    headers = {"content-disposition": f'attachment; filename="bad-rows-{id}.csv"'}
    return Response("\ufeff" + text, media_type="text/csv; charset=utf-8", headers=headers)
