"""Who gave verdicts in a project, and what every figure about them depends on."""

from __future__ import annotations

import json
from typing import Any

from graders.store import projects, reports, verdicts
from graders.store.projects import Project
from graders.workflows._opinions import Circle
from graders.workflows.cells import ADJUDICATED
from graders.workflows.permissions import Scope


def circle_of(scope: Scope, project: Project) -> Circle:
    """The judges and people of a project."""
    authors = verdicts.authors(scope.ws.db, project)
    people = projects.people(scope.ws)
    return Circle(
        judges={i: name for i, (kind, name) in authors.items() if kind == "judge"},
        people={i: name for i, (kind, name) in authors.items() if kind == "person" and name != ADJUDICATED},
        adjudicated=next((i for i, (kind, name) in authors.items() if kind == "person" and name == ADJUDICATED), None),
        names={name: people[name].name for kind, name in authors.values() if kind == "person" and name in people},
        groups={name: people[name].group for kind, name in authors.values() if kind == "person" and name in people},
        reference=str(project.settings.get("reference_group") or ""),
    )


def watermark(scope: Scope, project: Project) -> tuple[Any, ...]:
    """Changes whenever verdicts, imports, rubrics, settings or people do."""
    people = tuple((p.id, p.name, p.group) for p in projects.people(scope.ws).values())
    return (*reports.watermark(scope.ws.db, project), json.dumps(dict(project.settings), sort_keys=True, default=str), people)
