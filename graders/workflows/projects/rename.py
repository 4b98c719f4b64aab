"""Another title and name for a project. The earlier name goes on leading to it until another
project takes it, so links and open desks keep working."""

from __future__ import annotations

from dataclasses import dataclass

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.desk import seeded
from graders.store.projects import RENAMED
from graders.store.transfer import names
from graders.workflows.scope.permissions import Scope, needs

#: At most so many characters has a name or title.
LONGEST = 120


@dataclass(frozen=True, slots=True)
class Renamed:
    """A project's new `name` and `title`, and what they were."""

    name: str
    title: str
    was_name: str
    was_title: str


@needs("settings")
def rename(scope: Scope, project_name: str, title: str = "", name: str = "") -> Renamed:
    """Give a project another title, another name, or both; what is empty stays as it is. A title
    that another project has gets a number.

    Conflict where another project has the name; InputError for a name that cannot be one, and for
    copies, which are named after their project.
    """
    project = scope.project(project_name)
    if project.settings.get(seeded.SEEDED_OF):
        of = str(project.settings[seeded.SEEDED_OF])
        raise InputError(**error_parts("projects.rename_copies", name=project.name, of=of))
    title = " ".join(title.split()) or project.title
    name = " ".join(name.split()) or project.name
    for given in (title, name):
        if len(given) > LONGEST or not given.isprintable():
            parts = error_parts("projects.rename_name", name=given[:60], most=LONGEST)
            raise InputError(**parts)
    with scope.ws.write() as db:
        found = names.rename(scope.ws, project, name, title)
        copies = seeded.project_of_copies(db, found)
        if copies is not None:
            own = say("importing.copies_title", title=found.title)
            projects.set_title(scope.ws, copies, own, copies.notice)
        if (found.name, found.title) != (project.name, project.title):
            body = {"name": [project.name, found.name], "title": [project.title, found.title]}
            projects.log_event(scope.ws, found, scope.actor.person_id, RENAMED, body)
    return Renamed(found.name, found.title, project.name, project.title)
