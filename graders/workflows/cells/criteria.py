"""The criteria of a project that can be asked for."""

from __future__ import annotations

from graders.core.errors import NotFound
from graders.core.words import error_parts
from graders.store import projects
from graders.store.projects import CriterionRow, Project
from graders.workflows.cells.state import FAULTS
from graders.workflows.scope.permissions import Scope


def criteria_of(scope: Scope, project: Project) -> list[CriterionRow]:
    """The active criteria of a project, faults apart."""
    return [c for c in projects.criteria(scope.ws, project) if c.criterion.rubric != FAULTS.name]


def criterion_named(scope: Scope, project: Project, key: str) -> CriterionRow:
    """The active criterion with that key; NotFound lists what there is."""
    known = criteria_of(scope, project)
    found = next((c for c in known if c.key == key), None)
    if found is None:
        keys = ", ".join(c.key for c in known)
        raise NotFound(**error_parts("cells.no_criterion", key=repr(key), keys=keys))
    return found
