"""Practice before a first queue: answers of which a lead knows the value and why. What is said
there counts nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graders.core.errors import ScaleError
from graders.core.scale import Scale, Value
from graders.core.shapes import JSON
from graders.core.words import say
from graders.store import projects
from graders.store.desk import assignments, gold, own_screens, queue, saves
from graders.store.desk.assignments import Assignment
from graders.store.desk.gold import GoldCell
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.review import save_replies
from graders.workflows.review.save_replies import Explained, SaveReply
from graders.workflows.scope.permissions import Scope, needs


def save(scope: Scope, project: Project, given: Assignment, save_id: str, body: JSON) -> SaveReply:
    """Take in a practice screen: no verdict is written, and the reply explains the answer."""
    kept = {key: value for key, value in body.items() if key != "save_id"}
    reply = SaveReply(save_id=save_id, stored=True)
    with scope.ws.write() as db:
        if saves.known_save(db, save_id) is None:
            given = assignments.find(db, given.screen_id, given.person_id) or given
            aside = save_replies.keep_aside(db, scope.ws, given, save_id, body)
            if aside is None:
                state = "skipped" if body.get("skipped") else "practised"
                saves.store_save(db, scope.ws, given, save_id, kept, state=state)
                # what is right is told now: no check with it comes later
                queue.mark_seen(db, scope.ws, given.person_id, given.subjects)
            reply = aside or reply
    told = explained(scope.ws, project, given.screen_id, given.person_id, body)
    return replace(reply, explained=told)


def explained(
    ws: Workspace, project: Project, screen_id: int, person_id: str, body: JSON
) -> list[Explained] | None:
    """What is right in a saved practice screen, per gold cell; None for any other screen."""
    given = assignments.find(ws.db, screen_id, person_id)
    if given is None or given.design != own_screens.PRACTICE or body.get("skipped"):
        return None
    criteria = {row.id: row for row in projects.criteria(ws, project)}
    marks = {
        str(item.get("cell")): item
        for item in body.get("verdicts") or []
        if isinstance(item, Mapping)
    }
    return [
        _explained(cell, criteria[cell.criterion_id], marks.get(str(cell.cell_id)))
        for cell in gold.in_force(ws.db, project, given.subjects)
        if cell.practice and cell.criterion_id in criteria
    ]


def _explained(
    cell: GoldCell, criterion: CriterionRow, mark: Mapping[str, Any] | None
) -> Explained:
    value = _parsed(criterion.scale, mark.get("value")) if mark else None
    return Explained(
        criterion=criterion.criterion.title,
        part=cell.part,
        said="" if mark is None else _word(criterion.scale, value),
        right=_word(criterion.scale, cell.value),
        why=cell.why,
        same=mark is not None and value == cell.value,
    )


@needs("review")
def leave_out(scope: Scope, project_name: str) -> None:
    """Leave out the actor's practice; the queue begins."""
    project = scope.project(project_name)
    with scope.ws.write() as db:
        own_screens.leave_out(db, project, scope.actor.person_id)


def _parsed(scale: Scale, found: Any) -> Value | None:
    try:
        return None if found is None else scale.parse(found)
    except ScaleError:
        return None


def _word(scale: Scale, value: Value | None) -> str:
    return say("review.not_applicable") if value is None else scale.full(value)
