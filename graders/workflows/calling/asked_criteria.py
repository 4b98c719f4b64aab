"""What judges are asked about in a project: the criteria, and a recipe of each."""

from __future__ import annotations

from collections.abc import Sequence

from graders.core.contracts import Judge
from graders.core.faults import FaultList
from graders.core.preference import compares
from graders.core.records import Subject
from graders.core.rubric import Criterion, Rubric
from graders.store import projects
from graders.store.opinions import made_cells
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.cells.fault_list import judged_list
from graders.workflows.cells.rule_values import closing_rules, open_parts


def recipes(setup: JudgeSetup, row: CriterionRow) -> dict[str, str]:
    """A judge's recipe of a criterion, under "", and of each named fault of a list."""
    judge, criterion = setup.judge, row.criterion
    found = {"": judge.recipe_of(row.rubric, criterion)}
    if isinstance(criterion, FaultList):
        found |= {
            part: judge.recipe_of_part(row.rubric, criterion, part) for part in criterion.parts
        }
    return found


def judged_criteria(ws: Workspace, project: Project, faults: bool = False) -> list[Criterion]:
    """What a judge is asked about in a project; with `faults` the named ones too."""
    return [row.criterion for row in judged_rows(ws, project, faults)]


def reachable(subject: Subject, criteria: Sequence[Criterion]) -> bool:
    """Whether some judge could be asked about a single answer: under one of `criteria` a cell of it
    is closed by no rule."""
    mine = [c for c in criteria if not compares(c.scale) and c.parts_of(subject.question)]
    return any(open_parts(subject, c, closing_rules(c)) != () for c in mine)


def judged_rows(ws: Workspace, project: Project, faults: bool = False) -> list[CriterionRow]:
    """What a judge is asked about: criteria that name ``judge`` (of those that pairs are graded by,
    the ones with A, tie and B), and the named faults if wanted."""
    paired = made_cells.pair_criteria(ws.db, project)
    known = projects.criteria(ws, project)
    asked = [
        c
        for c in known
        if c.criterion.grader("judge") is not None and (c.id not in paired or compares(c.scale))
    ]
    return asked + (judged_list(known) if faults else [])


def answerable(
    judge: Judge, subject: Subject, rubric: Rubric, criteria: Sequence[Criterion]
) -> list[Criterion]:
    """Those of the criteria on which a judge would say anything about a subject: it makes a call
    for a part of each."""
    return [
        c
        for c in criteria
        if any(
            judge.cannot(subject, rubric, c, part) is None for part in c.parts_of(subject.question)
        )
    ]
