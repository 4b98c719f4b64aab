"""Practice before a first queue: answers of which a lead knows the value and why. What is said
there counts nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.errors import ScaleError
from graders.core.scale import Scale, Value
from graders.store import projects
from graders.store.desk import assignments, gold, queue, saves
from graders.store.desk.assignments import Assignment
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.review import _elsewhere
from graders.workflows.scope.permissions import Scope, needs


def save(
    scope: Scope, project: Project, given: Assignment, save_id: str, body: Mapping[str, Any]
) -> dict[str, Any]:
    """Take in a practice screen: no verdict is written, and the reply explains the answer under
    ``explained``."""
    kept = {key: value for key, value in body.items() if key != "save_id"}
    with scope.ws.write() as db:
        if saves.known_save(db, save_id) is None:
            given = assignments.find(db, given.screen_id, given.person_id) or given
            if (aside := _elsewhere.keep_aside(db, scope.ws, given, save_id, body)) is not None:
                return {
                    **aside,
                    **explained(scope.ws, project, given.screen_id, given.person_id, body),
                }
            state = "skipped" if body.get("skipped") else "practised"
            saves.store_save(db, scope.ws, given, save_id, kept, state=state)
            # what is right is told now: no check with it comes later
            queue.mark_seen(db, scope.ws, given.person_id, given.subjects)
    told = explained(scope.ws, project, given.screen_id, given.person_id, body)
    return {"ok": True, "save_id": save_id, "stored": True, "extra": False, "message": "", **told}


def explained(
    ws: Workspace, project: Project, screen_id: int, person_id: str, body: Mapping[str, Any]
) -> dict[str, Any]:
    """``explained`` for a saved practice screen: per gold cell {criterion, part, said, right, why,
    same}; nothing for any other screen."""
    given = assignments.find(ws.db, screen_id, person_id)
    if given is None or given.design != gold.PRACTICE or body.get("skipped"):
        return {}
    criteria = {row.id: row for row in projects.criteria(ws, project)}
    marks = {
        str(one.get("cell")): one for one in body.get("verdicts") or [] if isinstance(one, Mapping)
    }
    told = []
    for cell in gold.in_force(ws.db, project, given.subjects):
        if not cell.practice or cell.criterion_id not in criteria:
            continue
        row, mark = criteria[cell.criterion_id], marks.get(str(cell.cell_id))
        value = _parsed(row.scale, mark.get("value")) if mark else None
        told.append(
            {
                "criterion": row.criterion.title,
                "part": cell.part,
                "said": "" if mark is None else _word(row.scale, value),
                "right": _word(row.scale, cell.value),
                "why": cell.why,
                "same": mark is not None and value == cell.value,
            }
        )
    return {"explained": told}


@needs("review")
def leave_out(scope: Scope, project_name: str) -> None:
    """Leave out the actor's practice; the queue begins."""
    project = scope.project(project_name)
    with scope.ws.write() as db:
        gold.leave_out(db, project, scope.actor.person_id)


def _parsed(scale: Scale, found: Any) -> Value | None:
    try:
        return None if found is None else scale.parse(found)
    except ScaleError:
        return None


def _word(scale: Scale, value: Value | None) -> str:
    return "not applicable" if value is None else scale.full(value)
