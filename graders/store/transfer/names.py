"""What a new project is called while its first import waits: the name is free until the import is
done, and the first that is gets it."""

from __future__ import annotations

import sqlite3

from graders.core.errors import Conflict
from graders.core.words import error_parts
from graders.store.desk.seeded import SEEDED_OF, SUFFIX, project_of_copies
from graders.store.projects import (
    BEGUN,
    Project,
    find_project,
    get_project,
    has_begun,
    remove_empty,
    set_settings,
    set_title,
)
from graders.store.transfer.imports import STALE_SECONDS, sweep, waiting
from graders.store.workspace import Workspace


def held(ws: Workspace) -> set[str]:
    """Names that a new project cannot have: of projects that have begun, and of those whose first
    import is being written right now."""
    writing = (
        "EXISTS (SELECT 1 FROM import w WHERE w.project_id = p.id AND w.state = 'staging' "
        "AND w.heartbeat >= ?)"
    )
    return {
        row[0]
        for row in ws.db.execute(
            f"SELECT name FROM project p WHERE {BEGUN} OR {writing}", (ws.clock() - STALE_SECONDS,)
        )
    }


def free(ws: Workspace, name: str) -> None:
    """Let a new project have this name: one that has it and has not begun waits under another."""
    with ws.write() as db:
        project = find_project(db, name)
        if project is not None and name not in held(ws):
            _rename(ws, db, project, _another(db, name))


def clear(ws: Workspace, name: str) -> None:
    """Take away the project of that name where there is no more of it than an import that
    no person accepted."""
    project = find_project(ws.db, name)
    if project is None or has_begun(ws.db, project):
        return
    for import_id in waiting(ws, project):
        sweep(ws, import_id)
    remove_empty(ws, project)


def rename(ws: Workspace, project: Project, name: str, title: str) -> Project:
    """Give a project that has begun, with its copies, another name and title. Conflict where
    another project has the name, or that of the copies."""
    with ws.write() as db:
        if name != project.name:
            free(ws, name)
            copies = project_of_copies(db, project)
            for one in (name, *([name + SUFFIX] if copies else [])):
                other = find_project(db, one)
                if other is not None and other.id not in (project.id, copies and copies.id):
                    raise Conflict(**error_parts("store.projects.taken", name=one))
            project = _rename(ws, db, project, name)
        if title != project.title:
            set_title(ws, project, title, project.notice)
    return get_project(ws, name)


def claim(ws: Workspace, project: Project, name: str) -> Project:
    """The project, which if it has not begun gets this name, with a number behind it where another
    that has begun is called so."""
    with ws.write() as db:
        if has_begun(db, project):
            return project
        taken = held(ws)
        name = next(one for one in _numbered(name, len(taken)) if one not in taken)
        if name == project.name:
            return project
        free(ws, name)
        return _rename(ws, db, project, name)


def _rename(ws: Workspace, db: sqlite3.Connection, project: Project, name: str) -> Project:
    copies = project_of_copies(db, project)
    db.execute("UPDATE project SET name = ? WHERE id = ?", (name, project.id))
    if copies is not None:
        db.execute("UPDATE project SET name = ? WHERE id = ?", (name + SUFFIX, copies.id))
        renamed = find_project(db, name + SUFFIX)
        assert renamed is not None
        set_settings(ws, renamed, {SEEDED_OF: name})
    found = find_project(db, name)
    assert found is not None
    return found


def _another(db: sqlite3.Connection, name: str) -> str:
    """The name with a number, free with its copies' too."""
    known = {row[0] for row in db.execute("SELECT name FROM project")}
    return next(
        one
        for one in _numbered(name, 2 * len(known))
        if one not in known and one + SUFFIX not in known
    )


def _numbered(name: str, most: int) -> list[str]:
    return [name, *(f"{name}-{n}" for n in range(2, most + 3))]
