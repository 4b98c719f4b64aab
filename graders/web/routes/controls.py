"""JSON routes of authors' own texts among the answers."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.web.session import scope_of
from graders.workflows.diagnostics import author_texts

router = APIRouter()

FIELDS = ("project", "question", "author", "text", "source")


@router.get("/api/author-texts")
def texts(request: Request, project: str) -> author_texts.Card:
    """Creative questions of a project and the authors' texts among its answers."""
    return author_texts.card(scope_of(request), project)


@router.post("/api/author-text")
def add(request: Request, body: dict[str, Any]) -> author_texts.Card:
    """Mix one in: {project, question, author, text, source}; returns what `texts` does."""
    for name in FIELDS:
        if not isinstance(body.get(name, ""), str):
            raise InputError(
                f"field {name}",
                found=repr(body[name])[:60],
                expected="a text",
                remedy="Reload the page.",
            )
    project, question, author, text, source = (body.get(name, "") for name in FIELDS)
    scope = scope_of(request)
    author_texts.add_text(scope, project, question, author, text, source)
    return author_texts.card(scope, project)
