"""Task types by category: the lead says what kind of task a category is, which decides who grades
its cells."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.errors import InputError
from graders.core.records import TASK_TYPES
from graders.core.words import error_parts
from graders.store import projects
from graders.store.answers import content
from graders.store.answers import task_types as store
from graders.store.opinions import cells, tallies
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.cells.state import refresh_all
from graders.workflows.promise.rulings import log_moves, settle
from graders.workflows.scope.permissions import Scope, needs


@dataclass(frozen=True, slots=True)
class CategoryTypes:
    """The task types of a category's questions.

    `stated` counts the questions whose type the file's own column states (by type in
    `stated_types`); `chosen` is the type of the others, which a lead may change.
    """

    category: str
    questions: int
    stated: int
    stated_types: Mapping[str, int]
    chosen: str


@needs("look")
def categories(scope: Scope, project_name: str) -> list[CategoryTypes]:
    """The task types of a project, by category."""
    return categories_of(scope.ws, scope.project(project_name))


def categories_of(ws: Workspace, project: Project) -> list[CategoryTypes]:
    """`categories` of a project whose import may not be finished yet."""
    stated: dict[str, dict[str, int]] = {}
    open_: dict[str, dict[str, int]] = {}
    for category, task_type, by_file, count in store.by_category(ws.db, project):
        for kinds in (stated, open_):
            kinds.setdefault(category, {})
        (stated if by_file else open_)[category][task_type] = count
    return [
        CategoryTypes(
            category,
            sum(types.values()) + sum(open_[category].values()),
            sum(types.values()),
            types,
            # Of several the one that most have, which comes first.
            next(filter(None, open_[category]), "unknown"),
        )
        for category, types in stated.items()
    ]


@needs("settings")
def map_categories(scope: Scope, project_name: str, mapping: Mapping[str, str]) -> int:
    """Give the questions of categories a task type and route their cells anew; returns how many
    questions changed.

    A type that the file states for a question stays. Questions that come later take the type of
    their category.
    """
    project = scope.project(project_name)
    for category, task_type in mapping.items():
        if task_type not in TASK_TYPES:
            types = ", ".join(TASK_TYPES)
            raise InputError(
                **error_parts(
                    "projects.no_task_type",
                    category=repr(category),
                    task_type=repr(task_type),
                    types=types,
                )
            )
    changes = store.questions_to_retype(scope.ws.db, project, mapping)

    def work(db: sqlite3.Connection, rows: Sequence[tuple[int, str]]) -> None:
        subjects = content.subjects_of(db, [row for row, _ in rows])
        tallies.count_cells(db, subjects, -1)
        store.set_task_types(db, rows)
        tallies.count_cells(db, subjects, +1)

    chosen = {**store.chosen_types(project), **mapping}
    kept = {category: task_type for category, task_type in chosen.items() if task_type != "unknown"}
    if kept != store.chosen_types(project):
        project = projects.set_settings(scope.ws, project, {"task_types": kept})
    if changes:
        before = store.kinds_of_questions(scope.ws.db, [row for row, _ in changes])
        log_moves(
            scope, project, before, {row: (task_type, before[row][1]) for row, task_type in changes}
        )
        scope.ws.background(changes, work)
        subjects = content.subjects_of(scope.ws.db, [row for row, _ in changes])
        ids = [cell.id for cell in cells.cells_of(scope.ws.db, subjects)]
        settle(scope, project)
        refresh_all(scope.ws, project, ids, route=bool(project.settings.get("routed")))
        projects.log_event(scope.ws, project, scope.actor.person_id, "task_types", dict(mapping))
    return len(changes)
