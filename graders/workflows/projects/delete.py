"""Deleting a project, once its own export holds all of it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from graders.core.errors import Conflict, InputError
from graders.core.words import error_parts
from graders.store import projects
from graders.store.calls import runs
from graders.store.desk import seeded
from graders.store.projects import DELETED, Project
from graders.store.transfer import project_removal
from graders.store.transfer.project_removal import Content
from graders.store.workspace import Workspace
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed


@dataclass(frozen=True, slots=True)
class Deleted:
    """A project that was deleted, and how much of each kind it held. The file keeps its size:
    `free_bytes` of it hold nothing now, and are used for what comes next."""

    name: str
    title: str
    content: Content
    free_bytes: int


@needs("delete")
def need_idle(scope: Scope, project_name: str) -> None:
    """InputError or Conflict where a project cannot be deleted now, with what to do: a run is not
    over, somebody has screens open, an import waits, a provider has calls of it in a batch."""
    project, ws = scope.project(project_name), scope.ws
    for one in _homes(ws, project):
        runs.need_none_at_work(ws, one)
        if pending := project_removal.pending(ws, one):
            parts = error_parts(
                "projects.delete_pending", name=project.name, what=listed(pending[:6])
            )
            raise Conflict(**parts)
        if held := project_removal.held(ws, one):
            names = names_of(ws)
            who = listed([called(names, one.person) for one in held[:6]])
            minutes = math.ceil(max(one.seconds for one in held) / 60)
            n = sum(one.screens for one in held)
            parts = error_parts(
                "projects.delete_open", name=project.name, who=who, n=n, minutes=minutes
            )
            raise Conflict(**parts)


@needs("export")
def state_of(scope: Scope, project_name: str) -> str:
    """A name for all that a project holds: another one as soon as anybody works in it."""
    return project_removal.state_of(scope.ws.db, _homes(scope.ws, scope.project(project_name)))


@needs("export")
def content_of(scope: Scope, project_name: str) -> Content:
    """What the export of a project must hold."""
    return project_removal.content_of(scope.ws.db, _homes(scope.ws, scope.project(project_name)))


@needs("delete")
def delete(scope: Scope, project_name: str, typed: str, state: str) -> Deleted:
    """Delete a project with its copies. `typed` is its name as the person wrote it, `state` what
    `state_of` said before its export was written.

    Conflict where it holds something else by now, which that export lacks, or where it cannot be
    deleted now (`need_idle`); then nothing is deleted. A kill leaves all of it or nothing: what is
    left of its rows is removed at the next start.
    """
    ws, project = scope.ws, scope.project(project_name)
    if typed.strip() != project.name:
        raise InputError(
            **error_parts("projects.delete_typed", name=project.name, typed=typed[:60])
        )
    with ws.write() as db:
        need_idle(scope, project.name)
        homes = _homes(ws, project)
        if not state or project_removal.state_of(db, homes) != state:
            raise Conflict(**error_parts("projects.delete_changed", name=project.name))
        content = project_removal.content_of(db, homes)
        project_removal.hide(ws, homes)
        body = {"name": project.name, "title": project.title, **asdict(content)}
        projects.log_event(ws, None, scope.actor.person_id, DELETED, body)
    project_removal.sweep(ws)
    return Deleted(project.name, project.title, content, project_removal.free_bytes(ws.db))


def _homes(ws: Workspace, project: Project) -> list[Project]:
    """The project, and that of its copies."""
    copies = seeded.project_of_copies(ws.db, project)
    return [project, *([copies] if copies is not None else [])]
