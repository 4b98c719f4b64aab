"""Gold questions: a lead marks settled cells, whose right value and reason are known, to check
people by or for them to practise on."""

from __future__ import annotations

from typing import Any

from graders.core.errors import InputError, NotFound
from graders.store import projects
from graders.store.desk import gold as store
from graders.store.opinions import cells
from graders.workflows.agreement import people
from graders.workflows.scope.permissions import Scope, needs

#: What a cell may be marked for, and no more.
USES = {"check": False, "practice": True, "none": None}


@needs("adjudicate")
def mark(scope: Scope, project_name: str, cell_id: int, use: str) -> dict[str, Any]:
    """Mark a settled cell as a ``check`` or for ``practice``, or take the mark off (``none``);
    logged. Returns {cell, use}.

    NotFound where there is no such cell; InputError where the cell has no adjudicated verdict with
    a reason under the present wording.
    """
    project = scope.project(project_name)
    if use not in USES:
        raise InputError(
            "use of a gold question",
            found=repr(use)[:60],
            expected="one of " + ", ".join(USES),
            remedy="Choose one of these.",
        )
    cell = cells.load_cells(scope.ws.db, [cell_id]).get(cell_id)
    if cell is None or cell.criterion_id not in {
        row.id for row in projects.criteria(scope.ws, project)
    }:
        raise NotFound(
            f"cell {cell_id}",
            found="no such cell",
            expected="a cell of this project",
            remedy="Choose one from the list.",
        )
    with scope.ws.write() as db:
        before = store.uses(db, [cell_id]).get(cell_id, "")
        store.put(db, project, cell_id, USES[use], scope.actor.person_id, scope.ws.now())
        if use != "none" and not any(
            one.cell_id == cell_id and one.why
            for one in store.in_force(db, project, [cell.subject_id])
        ):
            raise InputError(
                f"cell {cell_id}",
                found="no adjudicated value with a reason",
                expected="a settled cell: its value and reason are what is right and why",
                remedy="Settle it under Adjudicate first.",
            )
        if store.uses(db, [cell_id]).get(cell_id, "") != before:
            projects.log_event(
                scope.ws, project, scope.actor.person_id, "gold", {"cell": cell_id, "use": use}
            )
    return {"cell": cell_id, "use": use}


@needs("adjudicate")
def listed(scope: Scope, project_name: str) -> dict[str, Any]:
    """The gold cells in force: {cell, question_id, question, model, criterion, value, why, use,
    answered, right}; `people`: for each who answered some, the share right with its interval."""
    project = scope.project(project_name)
    found = store.in_force(scope.ws.db, project)
    criteria = {row.id: row for row in projects.criteria(scope.ws, project)}
    words = store.words_of(scope.ws.db, [cell.cell_id for cell in found])
    said = store.checked(scope.ws.db, project)
    rows = [
        {
            "cell": cell.cell_id,
            **words[cell.cell_id],
            "criterion": criteria[cell.criterion_id].criterion.title,
            "value": cell.value,
            "why": cell.why,
            "use": "practice" if cell.practice else "check",
            "answered": sum(one[2] == cell.cell_id for one in said),
            "right": sum(one[2] == cell.cell_id and one[3] for one in said),
        }
        for cell in found
        if cell.criterion_id in criteria
    ]
    asked = [
        row
        for row in people.people_report(scope, project_name)["people"]
        if row["gold"]["value"] is not None
    ]
    return {
        "cells": rows,
        "people": [
            {"person": row["person"], "name": row["name"], "gold": row["gold"]} for row in asked
        ],
    }
