"""What a request is told where the disk or the workspace's file refuses: a sentence, a status, and
a word by which pages know what it is."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from graders.core.errors import StorageError
from graders.store.damage import ERRORS, met
from graders.store.trouble import TROUBLES, storage_error

log = logging.getLogger("cograde")


def handle_trouble(app: FastAPI) -> None:
    """Let every route answer 507 on a full disk, 503 while another program writes, and 500 with the
    way back where the workspace is damaged or gone; each as {error, trouble}."""
    app.add_exception_handler(StorageError, _refused)
    for kind in (*TROUBLES, *ERRORS):
        app.add_exception_handler(kind, _trouble)


def _trouble(request: Request, error: Exception) -> Response:
    """Any trouble of another kind goes on as a failure."""
    resolver = request.app.state.resolver
    # a visitor's copy is another file than the shared one, and expires by itself
    if resolver.copies is None and (wrong := met(resolver.shared.path, error)):
        if resolver.shared.damage != wrong:
            resolver.shared.damage = wrong  # every page of a lead says it from now on
            log.error(wrong)
        return JSONResponse({"error": wrong, "trouble": "damaged"}, 500)
    found = storage_error(error)
    if found is None:
        raise error
    return _refused(request, found)


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, StorageError)
    told = {"error": str(error), "trouble": error.kind}
    if error.kind == "busy":
        return JSONResponse(told, 503, {"retry-after": "2"})
    return JSONResponse(told, 507)
