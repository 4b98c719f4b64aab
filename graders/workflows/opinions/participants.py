"""Who gave verdicts in a project, and what every figure about them depends on."""

from __future__ import annotations

import json
from typing import Any

from graders.store import projects
from graders.store.figures import reports
from graders.store.opinions import verdicts
from graders.store.projects import Project
from graders.workflows.cells.state import ADJUDICATED
from graders.workflows.opinions.frame import Circle
from graders.workflows.scope.people_names import labels_of
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import listed

#: The setting that names the people whose verdicts are in no figure of agreement.
SET_ASIDE = "set_aside"


def circle_of(scope: Scope, project: Project) -> Circle:
    """The judges and people of a project."""
    authors = verdicts.authors(scope.ws.db, project)
    people = projects.people(scope.ws)
    labels = labels_of(
        [people[name] for kind, name in authors.values() if kind == "person" and name in people]
    )
    return Circle(
        judges={i: name for i, (kind, name) in authors.items() if kind == "judge"},
        people={
            i: name
            for i, (kind, name) in authors.items()
            if kind == "person" and name != ADJUDICATED
        },
        adjudicated=next(
            (i for i, (kind, name) in authors.items() if kind == "person" and name == ADJUDICATED),
            None,
        ),
        names=labels,
        groups={
            name: people[name].group
            for kind, name in authors.values()
            if kind == "person" and name in people
        },
        reference=str(project.settings.get("reference_group") or ""),
        aside=frozenset(str(person) for person in project.settings.get(SET_ASIDE) or ()),
    )


def aside_words(circle: Circle, *, counted: bool = False) -> str:
    """Who of the circle is set aside, as a sentence with a blank before it; empty where nobody is.
    `counted`: the figures that it stands behind count their verdicts all the same, as those do that
    were drawn or decided with them."""
    away = sorted(circle.label(i) for i, name in circle.people.items() if name in circle.aside)
    return (
        f" Set aside{' on Agreement, counted here' if counted else ''}: {listed(away)}."
        if away
        else ""
    )


def watermark(scope: Scope, project: Project) -> tuple[Any, ...]:
    """Changes whenever verdicts, imports, rubrics, settings or people do."""
    people = tuple((p.id, p.name, p.group) for p in projects.people(scope.ws).values())
    return (
        *reports.watermark(scope.ws.db, project),
        json.dumps(dict(project.settings), sort_keys=True, default=str),
        people,
    )
