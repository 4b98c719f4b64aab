"""JSON routes of imports: upload, look, stage in a thread, then finish or drop."""

from __future__ import annotations

import anyio
from fastapi import APIRouter, Request
from fastapi.responses import Response

from graders.core.contracts import OF_ONE_MODEL, ROLES
from graders.core.errors import CogradeError
from graders.core.records import TASK_TYPES
from graders.core.shapes import JSON, as_dict
from graders.web import import_choices
from graders.web.routes._receiving import received, uploads
from graders.web.session import scope_of
from graders.web.uploads import Job, JobState, Uploads
from graders.workflows.home import overview
from graders.workflows.importing import bad_rows
from graders.workflows.importing import stage as importing_stage
from graders.workflows.scope import named_rubrics
from graders.workflows.scope.permissions import Scope, allowed

router = APIRouter()


@router.post("/api/import/upload")
async def upload(request: Request) -> JSON:
    """Take in a file, its bytes as the body, its name in the header x-file-name (percent-encoded);
    returns the first look."""
    scope, token = await received(request, uploads(request))
    try:
        return await anyio.to_thread.run_sync(_seen, scope, uploads(request), token, {})
    except BaseException:
        uploads(request).drop(token)
        raise


@router.post("/api/import/look")
def look(request: Request, body: JSON) -> JSON:
    """Look again: {token, look, project, rubric} with changed choices; without `look` as at the
    first time."""
    return _seen(scope_of(request), uploads(request), str(body.get("token") or ""), body)


@router.post("/api/import/stage")
def stage(request: Request, body: JSON) -> JSON:
    """Write the rows unseen: {token, look, project, title, blind, chosen, rubric: {kind:
    guess|bundled|file, name, text}}; `chosen`: all, random or unknown."""
    models, token = request.app.state.settings.models(), str(body.get("token") or "")
    return as_dict(import_choices.stage(scope_of(request), uploads(request), token, body, models))


@router.get("/api/import/progress")
def progress(request: Request, token: str) -> JSON:
    """How far the staging of an upload is: {state: none, staging, staged or failed, rows, doing,
    done, total, error, import}."""
    kept = uploads(request)
    kept.find(scope_of(request).ws, token)
    return as_dict(kept.job(token) or Job(JobState.NONE))


@router.post("/api/import/finish")
def finish(request: Request, body: JSON) -> JSON:
    """Bring in the good rows: {import, token}; returns what came in."""
    scope, number = scope_of(request), import_choices.import_number(body.get("import"))
    importing_stage.finish(scope, number)
    uploads(request).drop(str(body.get("token") or ""))
    found = overview.import_report(scope, number)
    # under the name that requests give it
    return {"import": found.id, **as_dict(found)}


@router.post("/api/import/drop")
def drop(request: Request, body: JSON) -> JSON:
    """Drop an upload, a staged import, or both: {import, token}."""
    scope = scope_of(request)
    allowed(scope, "import")
    if body.get("import"):
        importing_stage.drop(scope, import_choices.import_number(body["import"]))
    uploads(request).drop(str(body.get("token") or ""))
    return {"dropped": True}


@router.get("/api/import/bad")
def bad(request: Request, id: int) -> Response:
    """The bad rows of an import as a CSV file."""
    text = bad_rows.bad_rows_csv(scope_of(request), id)
    headers = {"content-disposition": f'attachment; filename="bad-rows-{id}.csv"'}
    return Response("\ufeff" + text, media_type="text/csv; charset=utf-8", headers=headers)


def _seen(scope: Scope, kept: Uploads, token: str, body: JSON) -> JSON:
    """What is in an upload under the choices `body`."""
    path, label = kept.find(scope.ws, token)
    told: JSON = {
        "token": token,
        "label": label,
        "bytes": path.stat().st_size,
        "stem": path.stem,
        "error": "",
        "roles": ROLES,
        "of_one_model": OF_ONE_MODEL,
        "task_types": TASK_TYPES,
        "rubrics": sorted(named_rubrics.bundled_rubrics()),
    }
    try:
        found = import_choices.seen(scope, kept, token, body)
    except CogradeError as error:
        if body.get("look") is None:
            raise
        return {**told, "error": str(error), "importer": "", "look": None}
    shown = {
        **import_choices.look_json(found.look),
        **{name: getattr(found.look, name) for name in ("sheets", "rows", "notes", "first_rows")},
    }
    return {**told, "importer": found.importer, "project": found.project, "look": shown}
