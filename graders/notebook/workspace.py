"""The way into a workspace from Python: `open_workspace`, then `project` or `create`."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

import pandas as pd

from graders.core.errors import Conflict, InputError
from graders.core.rubric import Rubric
from graders.core.shapes import as_dict
from graders.core.words import error_parts
from graders.notebook.project import Project
from graders.notebook.tables import frame
from graders.store import projects
from graders.store import workspace as store
from graders.workflows.cells import earlier_rulings
from graders.workflows.report import rows
from graders.workflows.scope.named_rubrics import read_named_rubric
from graders.workflows.scope.permissions import Actor, Scope
from graders.workflows.scope.typed_names import person_named


def open_workspace(path: str | Path, person: str = "", code: str = "") -> Workspace:
    """The workspace in a file, made if there is none; an older one is backed up and brought up to
    date.

    `person` is the name under which what is done here is noted; without it, it is the machine's
    owner. A person who grades on the page has a `code`, which goes with the name. InputError if the
    file is something else, damaged, or of a newer version.
    """
    found = store.open_workspace(path)
    earlier_rulings.weigh_again(found)
    who = ""
    if person:
        who = person_named(Scope(Actor(), found), person, make=True, code=code)[0].id
    return Workspace(Scope(Actor(who), found))


class Workspace:
    """An open workspace. Use it as a context manager, or `close` it."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in projects.begun_projects(self.scope.ws))
        return f"<Workspace {self.scope.ws.path.name}: {names or 'no project'}>"

    @property
    def projects(self) -> pd.DataFrame:
        """One row per project; columns: `graders.notebook.tables.TABLES`."""
        return frame("projects", map(as_dict, rows.projects(self.scope)))

    def project(self, name: str = "") -> Project:
        """A project by name; without one the only project. InputError where there is none."""
        if not name:
            names = [one.name for one in projects.begun_projects(self.scope.ws)]
            if len(names) != 1:
                raise InputError(
                    **error_parts("notebook.no_name", names=", ".join(names))
                    if names
                    else error_parts("notebook.no_project")
                )
            (name,) = names
        return Project(self.scope, self.scope.project(name).name)

    def create(self, name: str, rubric: str | Path | Rubric = "answer-quality") -> Project:
        """A project that begins with the first frame that is added to it. `rubric` is the name of
        one that ships with Cograde, a file, or a Rubric. Conflict where a project has that name."""
        if name in [one.name for one in projects.begun_projects(self.scope.ws)]:
            raise Conflict(**error_parts("notebook.taken", name=name))
        chosen = rubric if isinstance(rubric, Rubric) else read_named_rubric(str(rubric))
        return Project(self.scope, name, chosen)

    def check(self) -> list[str]:
        """What SQLite complains about in the file; empty when all is well."""
        return self.scope.ws.check()

    def close(self) -> None:
        """Close the file."""
        self.scope.ws.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
