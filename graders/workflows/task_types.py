"""Task types by category: the lead says what kind of task a category is, which decides who grades its cells."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from graders.core.errors import InputError
from graders.core.records import TASK_TYPES
from graders.store import cells, content, projects, tallies
from graders.workflows.cells import refresh_all
from graders.workflows.permissions import Scope, needs


@needs("settings")
def map_categories(scope: Scope, project_name: str, mapping: Mapping[str, str]) -> int:
    """Give the questions of categories a task type and route their cells anew; returns how many questions changed."""
    project = scope.project(project_name)
    for category, task_type in mapping.items():
        if task_type not in TASK_TYPES:
            raise InputError(f"category {category!r}", found=repr(task_type), expected="one of " + ", ".join(TASK_TYPES))
    changes = content.questions_to_retype(scope.ws.db, project, mapping)

    def work(db: sqlite3.Connection, rows: Sequence[tuple[int, str]]) -> None:
        subjects = content.subjects_of(db, [row for row, _ in rows])
        tallies.count_cells(db, subjects, -1)
        content.set_task_types(db, rows)
        tallies.count_cells(db, subjects, +1)

    if changes:
        scope.ws.background(changes, work)
        subjects = content.subjects_of(scope.ws.db, [row for row, _ in changes])
        ids = [cell.id for cell in cells.cells_of(scope.ws.db, subjects)]
        refresh_all(scope.ws, project, ids, route=bool(project.settings.get("routed")))
        projects.log_event(scope.ws, project, scope.actor.person_id, "task_types", dict(mapping))
    return len(changes)
