"""What each project holds and what waits in it: the figures of `cograde status`.

The command starts often, so this file imports nothing that its figures do not need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.shapes import as_dict
from graders.store import projects
from graders.store.answers import content
from graders.store.desk import queue
from graders.store.figures import reading
from graders.store.projects import Project
from graders.workflows.opinions.fast_work import fast_sentences
from graders.workflows.routing.labels_missing import LabelsMissing, labels_missing
from graders.workflows.runs import shown_run
from graders.workflows.runs.shown_run import Phase, ShownRun
from graders.workflows.scope.permissions import Scope, needs


@dataclass(frozen=True, slots=True)
class RunAt(ShownRun):
    """A run, and what it is at."""

    phase: Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What a project holds, who decided its `cells`, the `screens` that wait, how far
    labels are, its latest run, whose work was very `fast` to have read (sentences)."""

    project: str
    title: str
    questions: int
    answers: int
    models: int
    languages: Sequence[str]
    cells: Mapping[str, int]
    screens: int
    labels_missing: LabelsMissing
    run: RunAt | None
    fast: Sequence[str]


@needs("look")
def status(scope: Scope, project_name: str = "") -> list[Status]:
    """Per project that holds something (or of the named one): content, who decided its cells,
    screens that wait, its latest run.

    The run tells its `phase` too.
    """
    found = [scope.project(project_name)] if project_name else projects.begun_projects(scope.ws)
    return [_status(scope, project) for project in found]


def _status(scope: Scope, project: Project) -> Status:
    db, counts = scope.ws.db, content.counts(scope.ws, project)
    run = shown_run.status(scope, project.name)
    return Status(
        project=project.name,
        title=project.title,
        questions=counts.questions,
        answers=counts.answers,
        models=counts.models,
        languages=counts.languages,
        cells=reading.project_totals(db, project),
        screens=queue.open_screens(db, project),
        labels_missing=labels_missing(scope, project.name),
        run=None if run is None else RunAt(**as_dict(run), phase=shown_run.phase(run)),
        fast=fast_sentences(scope, project),
    )
