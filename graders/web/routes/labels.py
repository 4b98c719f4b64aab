"""JSON route of how imported labels were chosen."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.store.transfer.labels import LabelImport
from graders.web.session import scope_of
from graders.workflows.importing.labels_chosen import state_chosen

router = APIRouter()


@router.post("/api/labels")
def state(request: Request, body: JSON) -> Sequence[LabelImport]:
    """State how the labelled answers of an import were chosen, or take back that its labels were
    given blind: {project, import, chosen, blind: false}."""
    number = body.get("import")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < 2**53:
        raise InputError(**error_parts("importing.page.number"))
    blind = body.get("blind")
    return state_chosen(
        scope_of(request),
        str(body.get("project") or ""),
        str(body.get("chosen") or ""),
        number,
        blind=blind if isinstance(blind, bool) else None,
    )
