"""JSON routes of Questions: references that were elected or appointed, and the detail that is asked
for."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.web.session import scope_of
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.results import detail, questions, references
from graders.workflows.scope.permissions import Scope

router = APIRouter()


@router.get("/api/questions")
def listing(request: Request, project: str, kind: str = "", page: int = 1) -> questions.Questions:
    """A page of questions."""
    return questions.listing(scope_of(request), project, kind, page)


@router.get("/api/questions/one")
def one(request: Request, project: str, question: str) -> references.OneReference:
    """One question with the candidates for its reference."""
    return references.one(scope_of(request), project, question)


@router.post("/api/questions/appoint")
def appoint(request: Request, body: dict[str, Any]) -> references.Appointed:
    """Appoint a reference: {project, question, model}; an empty model gives the question back to
    the numbers."""
    scope = scope_of(request)
    project, question, model = _words(body, "project", "question", "model")
    return references.appoint(scope, project, question, model, _encoder(request, scope))


@router.post("/api/questions/count")
def count(request: Request, body: dict[str, Any]) -> references.Renewed:
    """Count the votes on a question as they stand now: {project, question}."""
    scope = scope_of(request)
    project, question = _words(body, "project", "question")
    return references.renew(scope, project, [question], _encoder(request, scope))


@router.post("/api/questions/detail")
def change_detail(request: Request, body: dict[str, Any]) -> detail.Changed:
    """Say how much detail a question asks for: {project, question, detail}; "" goes back to what
    counted before."""
    project, question, said = _words(body, "project", "question", "detail")
    return detail.change(scope_of(request), project, question, said)


def _words(body: dict[str, Any], *names: str) -> list[str]:
    return [str(body.get(name) or "") for name in names]


def _encoder(request: Request, scope: Scope) -> Any:
    return encoder_for(request.app.state.settings.models(), scope.ws)
