"""JSON routes of a sheet that comes back: upload, see what would change, take it in."""

from __future__ import annotations

import anyio
from fastapi import APIRouter, Request

from graders.core.shapes import JSON, as_dict
from graders.web.routes._receiving import received, uploads
from graders.web.session import scope_of
from graders.workflows.scope.permissions import Scope
from graders.workflows.sheet import sheet

router = APIRouter()

#: Changes and bad values that are listed; all are counted.
LISTED = 100


@router.post("/api/sheet/upload")
async def upload(request: Request, project: str, person: str) -> JSON:
    """Take in a workbook, its bytes as the body, its name in the header x-file-name
    (percent-encoded); returns what would change."""
    kept = uploads(request)
    scope, token = await received(request, kept)
    try:
        return await anyio.to_thread.run_sync(_looked, request, scope, token, project, person)
    except BaseException:
        kept.drop(token)
        raise


@router.post("/api/sheet/look")
def look(request: Request, body: JSON) -> JSON:
    """What would change if these were another person's values: {token, project, person}."""
    return _looked(request, scope_of(request), *_words(body))


@router.post("/api/sheet/take")
def take(request: Request, body: JSON) -> JSON:
    """Take the changed values in as verdicts of a person, and forget the file: {token, project,
    person}."""
    scope = scope_of(request)
    token, project, person = _words(body)
    path, _ = uploads(request).find(scope.ws, token)
    made = sheet.read(scope, project, sheet.book_at(str(path)), person)
    uploads(request).drop(token)
    return _told(made)


def _looked(request: Request, scope: Scope, token: str, project: str, person: str) -> JSON:
    path, label = uploads(request).find(scope.ws, token)
    made, changes = sheet.look(scope, project, sheet.book_at(str(path)), person)
    return {
        "token": token,
        "label": label,
        **_told(made),
        "changes": changes[:LISTED],
    }


def _told(made: sheet.Brought) -> JSON:
    shown = {"bad": len(made.bad_rows), "bad_rows": made.bad_rows[:LISTED]}
    return {**as_dict(made), **shown}


def _words(body: JSON) -> tuple[str, str, str]:
    return (
        str(body.get("token") or ""),
        str(body.get("project") or ""),
        str(body.get("person") or ""),
    )
