"""JSON routes of task types by category: what they are, and a lead's choice."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.web.session import scope_of
from graders.workflows.projects import task_types

router = APIRouter()


@router.get("/api/task-types")
def categories(request: Request, project: str) -> dict[str, Any]:
    """A project's categories with their task types: {categories: [...]}."""
    return {"categories": task_types.categories(scope_of(request), project)}


@router.post("/api/task-types")
def choose(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Give categories task types: {project, mapping: {category: task type}}; returns how many
    questions changed."""
    mapping = body.get("mapping")
    if not isinstance(mapping, dict):
        raise InputError(**error_parts("web.task_types"))
    changes = {str(category): str(task_type) for category, task_type in mapping.items()}
    return {
        "changed": task_types.map_categories(
            scope_of(request), str(body.get("project") or ""), changes
        )
    }
