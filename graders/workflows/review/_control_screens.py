"""Screens with a copy that has a known fault: the copy stands in the place of its answer, what is
said of it is kept with the copies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from graders.store import projects
from graders.store.answers import content
from graders.store.answers.content import StoredSubject
from graders.store.desk import seeded
from graders.store.desk.assignments import Assignment
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace


def home_of(ws: Workspace, project: Project, given: Assignment) -> Project:
    """The project that the cells of a screen belong to: that of the copies for a screen with one,
    read by the settings of `project`."""
    if given.design != seeded.CONTROL:
        return project
    copies = seeded.project_of_copies(ws.db, project)
    return project if copies is None else replace(copies, settings=project.settings)


def criteria_of(ws: Workspace, project: Project, given: Assignment) -> dict[int, CriterionRow]:
    """The criteria of the cells of a screen by row, in the order in which `project` asks."""
    mine = projects.criteria(ws, project)
    if given.design != seeded.CONTROL:
        return {row.id: row for row in mine}
    place = {row.key: at for at, row in enumerate(mine)}
    theirs = projects.criteria(ws, home_of(ws, project, given))
    return {row.id: row for row in sorted(theirs, key=lambda row: place.get(row.key, len(place)))}


def subjects_of(ws: Workspace, project: Project, given: Assignment) -> list[StoredSubject]:
    """The subjects of a screen; a copy has the question and the model's name of its answer, so that
    nothing tells it from others.

    So it stays when that answer changes while somebody has the screen, or looks at it again.
    """
    found = content.subjects(ws.db, given.subjects)
    return (
        [_in_place(ws, project, one) for one in found] if given.design == seeded.CONTROL else found
    )


def _in_place(ws: Workspace, project: Project, copy: StoredSubject) -> StoredSubject:
    question, answer = copy.subject.question, copy.subject.answer
    of = answer.metadata.get("seeded")
    row = content.question_ids(ws.db, project, [question.id]).get(question.id, copy.question_id)
    shown = content.questions_by_row(ws.db, [row]).get(row, question)
    named = replace(answer, model=str(of.get("model") or "") if isinstance(of, Mapping) else "")
    return replace(
        copy, question_id=row, subject=replace(copy.subject, question=shown, answer=named)
    )
