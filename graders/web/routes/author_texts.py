"""JSON routes of authors' own texts among the answers."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.web.session import scope_of
from graders.workflows.diagnostics import author_texts

router = APIRouter()

FIELDS = ("project", "question", "author", "text", "source")


@router.get("/api/author-texts")
def texts(request: Request, project: str) -> author_texts.Card:
    """Creative questions of a project and the authors' texts among its answers."""
    return author_texts.card(scope_of(request), project)


@router.post("/api/author-text")
def add(request: Request, body: JSON) -> author_texts.Card:
    """Mix one in: {project, question, author, text, source}; returns what `texts` does."""
    for name in FIELDS:
        if not isinstance(body.get(name, ""), str):
            typed = repr(body[name])[:60]
            raise InputError(
                **error_parts("diagnostics.author_text.error.field", field=name, typed=typed)
            )
    project, question, author, text, source = (body.get(name, "") for name in FIELDS)
    scope = scope_of(request)
    author_texts.add_text(scope, project, question, author, text, source)
    return author_texts.card(scope, project)
