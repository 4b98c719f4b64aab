"""JSON routes of imports: upload, look, stage in a thread, then finish or drop."""

from __future__ import annotations

import re
from dataclasses import replace

import anyio
from fastapi import APIRouter, Request
from fastapi.responses import Response

from graders.core.contracts import OF_ONE_MODEL, ROLES, Chosen, Column, Look
from graders.core.errors import CogradeError, InputError
from graders.core.records import TASK_TYPES
from graders.core.rubric import Rubric, read_rubric
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts
from graders.store.projects import present_name
from graders.web.routes._receiving import received, uploads
from graders.web.session import scope_of
from graders.web.uploads import Job, JobState, Uploads
from graders.web.worker import supervisor
from graders.workflows.home import overview
from graders.workflows.home.cards import ImportReport
from graders.workflows.importing import bad_rows, named_criteria, take_back
from graders.workflows.importing import look as importing_look
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.look_choices import with_annotator
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.routing.route import route
from graders.workflows.scope import named_rubrics
from graders.workflows.scope.permissions import Scope, allowed

router = APIRouter()

#: Columns that a table may have on the page; wider ones are read on the command line.
WIDEST = 4_000


@router.post("/api/import/upload")
async def upload(request: Request) -> JSON:
    """Take in a file, its bytes as the body, its name in the header x-file-name (percent-encoded);
    returns the first look."""
    scope, token = await received(request, uploads(request))
    try:
        return await anyio.to_thread.run_sync(_seen, scope, uploads(request), token, None)
    except BaseException:
        uploads(request).drop(token)
        raise


@router.post("/api/import/look")
def look(request: Request, body: JSON) -> JSON:
    """Look again: {token, look, project, rubric} with changed choices; without `look` as at the
    first time. Its `chosen` are the indexes of the columns whose role or model a person chose: what
    they mean for the others is guessed anew, and with `project` and `rubric`, as `stage` takes
    them, which columns are ratings by their criteria."""
    choices = _choices(body)
    if choices is not None:
        choices = replace(choices, columns=with_annotator(choices.columns, choices.chosen or ()))
    try:
        rubric = _rubric(body.get("rubric") or {})
    except InputError:  # staging says what is wrong with it
        rubric = None
    token, project = str(body.get("token") or ""), str(body.get("project") or "")
    return _seen(scope_of(request), uploads(request), token, choices, project, rubric)


@router.post("/api/import/stage")
def stage(request: Request, body: JSON) -> JSON:
    """Write the rows unseen: {token, look, project, title, blind, chosen, labels_blind, rubric:
    {kind: guess|bundled|file, name, text}}; `chosen`: all, random or unknown."""
    scope, kept, token = scope_of(request), uploads(request), str(body.get("token") or "")
    allowed(scope, "import")
    path, _ = kept.find(scope.ws, token)
    choices = _choices(body)
    title = " ".join(str(body.get("title") or "").split())[:120]
    project = str(body.get("project") or "")
    if project:
        scope.project(project)
    else:
        project = overview.free_name(scope, title)
    rubric = _rubric(body.get("rubric") or {})
    chosen = _chosen(body.get("chosen"))
    models = request.app.state.settings.models()

    def work(listener: importing_stage.Listener) -> int:
        _, seen = importing_look.look_at(scope, path, choices)
        encoder = encoder_for(models, scope.ws)
        return importing_stage.stage(
            scope,
            project,
            path,
            seen,
            blind=bool(body.get("blind", True)),
            rubric=rubric,
            staging=importing_stage.Staging(
                title=title,
                encoder=encoder,
                listener=listener,
                chosen=chosen,
                labels_blind=body.get("labels_blind") is True,
            ),
        ).import_id

    return as_dict(kept.stage(token, work, scope.ws.close))


@router.get("/api/import/progress")
def progress(request: Request, token: str) -> JSON:
    """How far the staging of an upload is: {state: none, staging, staged or failed, rows, doing,
    done, total, error, import}."""
    kept = uploads(request)
    kept.find(scope_of(request).ws, token)
    return as_dict(kept.job(token) or Job(JobState.NONE))


@router.get("/api/import/report")
def report(request: Request, id: int) -> JSON:
    """A staged or finished import."""
    return _reported(overview.import_report(scope_of(request), id))


def _reported(found: ImportReport) -> JSON:
    """The report with the import's number under the name that requests give it."""
    return {"import": found.id, **as_dict(found)}


@router.post("/api/import/finish")
def finish(request: Request, body: JSON) -> JSON:
    """Bring in the good rows: {import, token}."""
    scope, number = scope_of(request), _number(body)
    importing_stage.finish(scope, number)
    uploads(request).drop(str(body.get("token") or ""))
    return _reported(overview.import_report(scope, number))


@router.post("/api/import/drop")
def drop(request: Request, body: JSON) -> JSON:
    """Drop an upload, a staged import, or both: {import, token}."""
    scope = scope_of(request)
    allowed(scope, "import")
    if body.get("import"):
        importing_stage.drop(scope, _number(body))
    uploads(request).drop(str(body.get("token") or ""))
    return {"dropped": True}


@router.get("/api/import/bad")
def bad(request: Request, id: int) -> Response:
    """The bad rows of an import as a CSV file."""
    text = bad_rows.bad_rows_csv(scope_of(request), id)
    headers = {"content-disposition": f'attachment; filename="bad-rows-{id}.csv"'}
    return Response("\ufeff" + text, media_type="text/csv; charset=utf-8", headers=headers)


def _seen(
    scope: Scope,
    kept: Uploads,
    token: str,
    choices: Look | None,
    project: str = "",
    rubric: Rubric | None = None,
) -> JSON:
    """What is in an upload, as the page shows it, for a project (empty: a new one) and a rubric."""
    path, label = kept.find(scope.ws, token)
    found: JSON = {
        "token": token,
        "label": label,
        "bytes": path.stat().st_size,
        "stem": path.stem,
        "error": "",
    }
    lists = {
        "roles": ROLES,
        "of_one_model": OF_ONE_MODEL,
        "task_types": TASK_TYPES,
        "rubrics": sorted(named_rubrics.bundled_rubrics()),
    }
    try:
        importer, seen = importing_look.look_at(scope, path, choices)
        if choices is None or choices.chosen is not None:  # else each role is a person's choice
            seen = named_criteria.with_criteria(scope, project, path, seen, rubric)
    except CogradeError as error:
        if choices is None:
            raise
        return {**found, **lists, "error": str(error), "importer": "", "look": None}
    columns = [
        {"index": c.index, "header": c.header, "role": c.role, "model": c.model}
        for c in seen.columns
    ]
    names = (
        "layout",
        "encoding",
        "separator",
        "has_header",
        "skip",
        "header_rows",
        "sheet",
        "sheets",
        "rows",
        "notes",
        "chosen",
    )
    plain = {name: getattr(seen, name) for name in names}
    if len(columns) > WIDEST:
        raise InputError(
            **error_parts("importing.page.wide", file=path.name, n=len(columns), most=WIDEST)
        )
    # whose bad rows they are
    mends = seen.mended.project if seen.mended is not None else ""
    found["project"] = present_name(scope.ws, mends)
    return {
        **found,
        **lists,
        "importer": importer,
        "look": {**plain, "columns": columns, "first_rows": seen.first_rows},
    }


def _choices(body: JSON) -> Look | None:
    """The choices of a page as a look; only what may be chosen is taken over."""
    given = body.get("look")
    if given is None:
        return None
    try:
        columns = tuple(
            Column(
                index=int(c["index"]),
                header=str(c["header"]),
                role=str(c["role"]),
                model=str(c.get("model") or "")[:200],
            )
            for c in list(given.get("columns") or [])[:WIDEST]
        )
        layout, encoding, separator, sheet = (
            str(given.get(name) or "") for name in ("layout", "encoding", "separator", "sheet")
        )
        skip, header_rows = (
            None if given.get(name) is None else max(0, int(given[name]))
            for name in ("skip", "header_rows")
        )
        has_header = bool(given.get("has_header", True)) and header_rows != 0
        chosen = (
            None if given.get("chosen") is None else tuple(int(index) for index in given["chosen"])
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        parts = error_parts("importing.page.choices", error=type(error).__name__)
        raise InputError(**parts) from error
    wrong = next((c.role for c in columns if c.role not in ROLES), None)
    if wrong is not None:
        roles = ", ".join(ROLES)
        raise InputError(**error_parts("importing.page.role", role=repr(wrong[:40]), roles=roles))
    return Look(
        layout=layout,
        encoding=encoding,
        separator=separator,
        sheet=sheet,
        has_header=has_header,
        skip=skip,
        header_rows=header_rows,
        columns=columns,
        chosen=chosen,
    )


def _chosen(given: object) -> Chosen | None:
    """How the labelled answers were chosen; None where the page does not say."""
    if not given:
        return None
    if given not in tuple(Chosen):
        choices = ", ".join(Chosen)
        raise InputError(**error_parts("importing.chosen", value=repr(given)[:60], choices=choices))
    return Chosen(str(given))


def _rubric(given: JSON) -> Rubric | None:
    kind = given.get("kind", "guess")
    if kind == "bundled":
        name = str(given.get("name") or "")
        if name not in named_rubrics.bundled_rubrics():
            known = ", ".join(named_rubrics.bundled_rubrics())
            raise InputError(
                **error_parts("importing.page.rubric", rubric=repr(name[:60]), rubrics=known)
            )
        return named_rubrics.read_named_rubric(name)
    if kind == "file":
        return read_rubric(
            str(given.get("text") or "")[:1_000_000],
            where=str(given.get("name") or "rubric file")[:120],
        )
    return None


def _number(body: JSON) -> int:
    number = str(body.get("import"))
    if not re.fullmatch("[0-9]{1,18}", number):
        raise InputError(**error_parts("importing.page.number"))
    return int(number)


@router.get("/api/imports")
def listed(request: Request, project: str) -> JSON:
    """The imports of a project that are finished or were taken back, newest first: {imports}."""
    return {"imports": take_back.listed_imports(scope_of(request), project)}


@router.post("/api/import/take-back")
def take_one_back(request: Request, body: JSON) -> JSON:
    """Take an import back as a whole: {import}."""
    scope = scope_of(request)
    done = take_back.take_back(scope, _number(body))
    if done.unplaced:
        route(scope, done.project)
        supervisor(request.app).sort(scope.ws, done.project)
    return as_dict(done)
