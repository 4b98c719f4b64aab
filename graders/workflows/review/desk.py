"""What the review desk needs before its first screen."""

from __future__ import annotations

from typing import Any

from graders.core.errors import NotFound
from graders.core.preference import is_preference
from graders.store import projects
from graders.store.figures import reading
from graders.store.projects import CriterionRow, Person, Project
from graders.workflows.cells.faults import named_faults
from graders.workflows.cells.state import FAULTS
from graders.workflows.review import grading
from graders.workflows.routing.form_screens import Sampling
from graders.workflows.scope.permissions import Scope, needs

#: What a person without a name has done.
NO_COUNTS = {
    **dict.fromkeys(("done", "total", "waiting", "others", "flagged"), 0),
    **dict.fromkeys(("minutes_left", "to_reveal")),
    "held": {"screens": 0, "back_in": None},
}
#: Categories that the desk offers to narrow the queue by.
MOST_CHOICES = 40


@needs("look")
def open_desk(scope: Scope, project_name: str) -> dict[str, Any]:
    """Person, project, criteria, settings and counts; the first project where none is named."""
    project = pick_project(scope, project_name)
    person = person_of(scope)
    criteria = [
        c for c in projects.criteria(scope.ws, project) if c.criterion.rubric != FAULTS.name
    ]
    sampling = Sampling.of(project.settings)
    return {
        "person": None if person is None else {"id": person.id, "name": person.name},
        "project": {
            "id": project.id,
            "name": project.name,
            "title": project.title,
            "notice": project.notice,
        },
        "language": "en",
        "settings": {
            "answers_per_screen": sampling.answers_per_screen,
            "show_models": bool(project.settings.get("show_models")),
            "orders": queues(scope, project),
            "controls": bool(sampling.control),
        },
        "criteria": [criterion_json(row, place % 5) for place, row in enumerate(criteria)],
        "fault_names": [fault.to_json() for fault in named_faults().values()],
        "counts": grading.counts(scope, project.name) if person else NO_COUNTS,
    }


def queues(scope: Scope, project: Project) -> list[dict[str, str]]:
    """The ways in which a person may narrow the queue: by task type, category or language, where
    there are several."""
    found = reading.filter_values(scope.ws.db, project)
    kinds = (("task_type", "{}"), ("category", "category: {}"), ("language", "language: {}"))
    narrowed = [
        {"key": f"{field}={one.value}", "title": words.format(one.value)}
        for field, words in kinds
        if len(found[field]) > 1
        for one in found[field][:MOST_CHOICES]
    ]
    return [{"key": "", "title": "all questions, in order"}, *narrowed] if narrowed else []


def pick_project(scope: Scope, name: str) -> Project:
    """The project of that name, or the first one."""
    if name:
        return scope.project(name)
    found = projects.begun_projects(scope.ws)
    if not found:
        raise NotFound(
            "workspace",
            found="no project yet",
            expected="a project",
            remedy="Import a file on the Projects page.",
        )
    return found[0]


def person_of(scope: Scope) -> Person | None:
    """The actor as a person of this workspace, if a name was chosen here."""
    if not scope.actor.person_id:
        return None
    try:
        return projects.get_person(scope.ws, scope.actor.person_id)
    except NotFound:
        return None


def criterion_json(row: CriterionRow, hue: int) -> dict[str, Any]:
    """A criterion as pages show it."""
    scale, criterion = row.scale, row.criterion
    return {
        "key": row.key,
        "name": criterion.name,
        "title": criterion.title,
        "question": criterion.question,
        "guide": criterion.guide,
        "part_guides": dict(criterion.part_guides),
        "hue": hue,
        "scale": {
            "kind": scale.kind,
            "values": list(scale.values),
            "words": [scale.word(v) for v in scale.values],
            # Which of two is better is read off the letters, not off places on a scale.
            "preference": is_preference(scale),
            "low": scale.low,
            "high": scale.high,
        },
    }
