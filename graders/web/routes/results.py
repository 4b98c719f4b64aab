"""JSON routes of Results."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.shapes import as_dict
from graders.web.markdown import render
from graders.web.session import scope_of
from graders.workflows.opinions.unscored import Unscored, unscored
from graders.workflows.results import answer as results_answer
from graders.workflows.results import cell_answers, score_means
from graders.workflows.results import grid as results_grid

router = APIRouter()


@router.get("/api/results")
def grid(
    request: Request,
    project: str,
    category: str = "",
    task_type: str = "",
    language: str = "",
    page: int = 1,
    search: str = "",
    sort: str = "best",
) -> results_grid.Grid:
    """The grid, a page of models at a time."""
    filters = {"category": category, "task_type": task_type, "language": language}
    return results_grid.grid(scope_of(request), project, filters, page, search, sort)


@router.get("/api/results/answers")
def answers(
    request: Request,
    project: str,
    model: str,
    criterion: str,
    category: str = "",
    task_type: str = "",
    language: str = "",
    state: str = "",
    page: int = 1,
) -> cell_answers.Answers:
    """The answers behind a cell of the grid."""
    filters = {"category": category, "task_type": task_type, "language": language, "state": state}
    return cell_answers.answers(scope_of(request), project, model, criterion, filters, page)


@router.get("/api/results/scores")
def text_scores(
    request: Request,
    project: str,
    category: str = "",
    task_type: str = "",
    language: str = "",
    page: int = 1,
    search: str = "",
) -> score_means.Scores:
    """The mean of every text score by model, a page of models at a time."""
    filters = {"category": category, "task_type": task_type, "language": language}
    return score_means.means(scope_of(request), project, filters, page, search)


@router.get("/api/results/unscored")
def without_verdict(
    request: Request, project: str, judge: str = "", reason: str = "", page: int = 1
) -> Unscored:
    """Cells on which judges gave no verdict, by reason."""
    return unscored(scope_of(request), project, judge, reason, page)


@router.get("/api/results/answer")
def answer(
    request: Request, project: str, question: str, model: str, version: int | None = None
) -> dict[str, Any]:
    """One answer; its text and its question as sanitised HTML."""
    found = as_dict(results_answer.answer(scope_of(request), project, question, model, version))
    text = found.pop("text")
    return {**found, "html": render(text)}
