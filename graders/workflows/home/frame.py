"""The head of every page: projects, the present one, who asks, and what waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.store import projects
from graders.store.desk import annotators, queue
from graders.workflows.home import overview
from graders.workflows.home.cards import Step
from graders.workflows.scope.permissions import Scope, needs


@dataclass(frozen=True, slots=True)
class Named:
    """A project: its name and its title."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What the head of every page shows: projects, the present one, who asks, screens that wait;
    `mine` those of them that the actor can do (None without a name), the same figure as on the
    desk."""

    projects: Sequence[Named]
    project: str
    person: Person | None
    waiting: int
    mine: int | None
    notice: str


@needs("look")
def frame(scope: Scope, project_name: str = "", first: str = "") -> Frame:
    """What the head of every page shows.

    Where none is named, `first` is the present one if it is there, else the first of all.
    """
    project_name = projects.present_name(scope.ws, project_name)
    known = projects.begun_projects(scope.ws, also=project_name)
    chosen = next(
        (p for p in known if p.name == (project_name or first)),
        known[0] if known and not project_name else None,
    )
    person = projects.people(scope.ws).get(scope.actor.person_id)
    db = scope.ws.db
    return Frame(
        projects=[Named(p.name, p.title) for p in known],
        project=chosen.name if chosen else "",
        person=None if person is None else Person(person.id, person.name),
        waiting=queue.open_screens(db, chosen) if chosen else 0,
        mine=annotators.within_reach(db, chosen, person.id) if chosen and person else None,
        notice=chosen.notice if chosen else "",
    )


#: Pages that say by themselves what to do: the projects with a button each, the desk.
SAY_IT = ("/", "/review")


def next_for(scope: Scope, project_name: str, path: str) -> Step | None:
    """What a lead does next in a project, for the page at `path`; None where that page is the
    step, or shows it already."""
    if not project_name or path in SAY_IT or scope.actor.role == "annotator":
        return None
    step = overview.next_step(scope, project_name)
    return None if step.href.partition("?")[0].partition("#")[0] == path else step
