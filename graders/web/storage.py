"""What a request is told where the disk or the workspace's file refuses: a sentence, a status, and
a word by which pages know what it is."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from graders.core.errors import StorageError
from graders.store.damage import ERRORS, met
from graders.store.trouble import TROUBLES, storage_error
from graders.web.session import Resolver

log = logging.getLogger("cograde")


def handle_trouble(app: FastAPI) -> None:
    """Let every route answer 507 on a full disk, 503 while another program writes, and 500 with the
    way back where the workspace is damaged or gone; each as {error, trouble}."""
    app.add_exception_handler(StorageError, _refused)
    for kind in (*TROUBLES, *ERRORS):
        app.add_exception_handler(kind, _trouble)


def _trouble(request: Request, error: Exception) -> Response:
    """Any trouble of another kind goes on as a failure."""
    wrong = _damage(request.app.state.resolver, error)
    if wrong:
        return JSONResponse({"error": wrong, "trouble": "damaged"}, 500)
    found = storage_error(error)
    if found is None:
        raise error
    return _refused(request, found)


def told_of(resolver: Resolver, error: Exception) -> str | None:
    """The sentence for trouble with the disk or the workspace's file; None for another error."""
    wrong = _damage(resolver, error) if isinstance(error, (*TROUBLES, *ERRORS)) else None
    if wrong:
        return wrong
    found = storage_error(error)
    return None if found is None else str(found)


def _damage(resolver: Resolver, error: Exception) -> str | None:
    """What is wrong with the shared workspace, noted for its pages; None for another trouble."""
    # a visitor's copy is another file than the shared one, and expires by itself
    wrong = met(resolver.shared.path, error) if resolver.copies is None else None
    if wrong and resolver.shared.damage != wrong:
        resolver.shared.damage = wrong  # every page of a lead says it from now on
        log.error(wrong)
    return wrong or None


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, StorageError)
    told = {"error": str(error), "trouble": error.kind}
    if error.kind == "busy":
        return JSONResponse(told, 503, {"retry-after": "2"})
    return JSONResponse(told, 507)
