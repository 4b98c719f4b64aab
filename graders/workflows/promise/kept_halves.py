"""Imported labels that wait for their test: what is shown of them before they are opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.words import say
from graders.store.opinions import kept_labels as store
from graders.store.projects import Project
from graders.store.transfer import labels
from graders.store.transfer.labels import LabelImport
from graders.store.workspace import Workspace
from graders.workflows.promise.kinds import Kind
from graders.workflows.promise.promise_tests import Try
from graders.workflows.promise.risk import stake
from graders.workflows.scope.permissions import Scope


@dataclass(frozen=True, slots=True)
class KeptHalf:
    """Labels that an import has kept for a test: its number (`id`), file and `labels`, on so
    many `questions`; `ready`: whether a machine has a value on one of them, so that there is
    something to test. All that in `words`; `stake`: the proofs that end once they are opened, as a
    sentence, empty for none."""

    id: int
    source: str
    labels: int
    questions: int
    ready: bool
    words: str
    stake: str


def waiting_imports(ws: Workspace, project: Project) -> list[LabelImport]:
    """The imports with labels that wait for their test."""
    found = labels.with_labels(ws.db, project)
    return [one for one in found if one.kept and one.stated_blind]


def kept_halves(
    scope: Scope, project: Project, kinds: Sequence[Kind], tries: Mapping[str, Try]
) -> list[KeptHalf]:
    """The labels of a project that wait for their test, by import."""
    db, halves = scope.ws.db, []
    for one in waiting_imports(scope.ws, project):
        counted, tasks = store.counted(db, project, one.id), store.tasks(db, project, one.id)
        ready, first = counted.suggested > 0, tries[tasks[0]]
        words = say(
            f"promise.kept.{'ready' if ready else 'early'}",
            labels=counted.labels,
            n=counted.questions,
            source=one.source,
            **({"alpha": first.alpha, "level": 1 - first.delta} if ready else {}),
        )
        anew = [task for task in tasks if has_draw(tries[task])]
        halves.append(
            KeptHalf(
                one.id,
                one.source,
                counted.labels,
                counted.questions,
                ready,
                words,
                stake(kinds, anew) if anew else "",
            )
        )
    return halves


def has_draw(one: Try) -> bool:
    """Whether a try has a draw, so that another one begins with the labels that are opened."""
    return bool(one.drawn or one.opened or one.ranges)
