"""Anchor questions: a lead names a few, or lets them be drawn; a judge that changed grades their
answers again, which shows its drift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.errors import InputError
from graders.core.hashing import seeded
from graders.core.words import error_parts
from graders.store import projects
from graders.store.answers import content
from graders.store.projects import Project
from graders.workflows.runs._anchor_figures import SETTING
from graders.workflows.scope.permissions import Scope, needs

#: So many questions a figure of drift needs, and the most that may be anchors: each change of a
#: judge grades all of their answers twice.
ENOUGH, MOST = 20, 200
#: Characters of a question that lists show.
SHOWN = 90


@dataclass(frozen=True, slots=True)
class Anchor:
    """An anchor question: its id, the beginning of its text, how many answers it has."""

    id: str
    text: str
    answers: int


@dataclass(frozen=True, slots=True)
class Anchors:
    """The anchor questions, how many are `enough` for a figure of drift, and `of` how many
    questions they are."""

    questions: list[Anchor]
    enough: int
    of: int


@needs("look")
def listed(scope: Scope, project_name: str) -> Anchors:
    """The anchor questions, in the order of the project's questions."""
    project = scope.project(project_name)
    asked = content.questions(scope.ws.db, project)
    rows = {question.id: row for row, question in asked.items()}
    found = []
    for key in sorted(set(_chosen(project)) & set(rows), key=lambda key: rows[key]):
        text = asked[rows[key]].text
        shown = text if len(text) <= SHOWN else text[:SHOWN] + "…"
        found.append(Anchor(key, shown, len(content.subjects_of(scope.ws.db, [rows[key]]))))
    return Anchors(found, ENOUGH, len(asked))


@needs("settings")
def name(scope: Scope, project_name: str, keys: Sequence[str]) -> Anchors:
    """Make these questions (ids) the anchors, instead of those that were; none ends it. Returns
    what `listed` does; logged.

    InputError names an id that is no question's, or says that there are too many.
    """
    return _keep(scope, project_name, keys, None)


@needs("settings")
def change(
    scope: Scope, project_name: str, add: Sequence[str] = (), remove: Sequence[str] = ()
) -> Anchors:
    """Make these questions (ids) anchors beside those that are, or take some of those out: two who
    do so at once undo nothing of each other's. Returns what `listed` does; logged; errors as
    `name`."""
    return _keep(scope, project_name, add, remove)


@needs("settings")
def draw(scope: Scope, project_name: str, count: int = ENOUGH) -> Anchors:
    """Let chance choose so many anchor questions, the same for the same project and questions;
    returns what `listed` does."""
    project = scope.project(project_name)
    if not 1 <= count <= MOST:
        raise InputError(**error_parts("runs.error.anchor_count", count=str(count), most=MOST))
    keys = sorted(
        (q.id for q in content.questions(scope.ws.db, project).values()),
        key=lambda key: seeded(project.seed, SETTING, key),
    )
    return name(scope, project_name, keys[:count])


def _keep(
    scope: Scope, project_name: str, add: Sequence[str], remove: Sequence[str] | None
) -> Anchors:
    """Add to the anchors and take out of them, all of them for None; read and written in one
    transaction."""
    with scope.ws.write() as db:
        project = scope.project(project_name)
        present, added = _chosen(project), [str(key) for key in add]
        stay = [] if remove is None else [key for key in present if key not in set(remove)]
        known = content.question_ids(db, project, [*stay, *added])
        unknown = next((key for key in added if key not in known), None)
        if unknown is not None:
            raise InputError(**error_parts("runs.error.anchor_id", found=repr(unknown)[:80]))
        chosen = [key for key in dict.fromkeys([*stay, *added]) if key in known]
        if len(chosen) > MOST:
            raise InputError(**error_parts("runs.error.many_anchors", most=MOST, count=len(chosen)))
        if chosen != present:
            projects.set_settings(scope.ws, project, {SETTING: chosen})
            projects.log_event(
                scope.ws, project, scope.actor.person_id, "anchors", {"questions": chosen}
            )
    return listed(scope, project_name)


def _chosen(project: Project) -> list[str]:
    return [str(key) for key in project.settings.get(SETTING) or ()]
