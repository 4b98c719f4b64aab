"""What a person did: today's count and pace, and the person's own verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.scale import Value
from graders.core.words import say
from graders.store import projects
from graders.store.desk import adjudications, annotators, own_screens, seeded
from graders.store.desk.annotators import MyLabels, MySaves, MyVerdict
from graders.store.projects import CriterionRow
from graders.workflows.opinions.participants import circle_of
from graders.workflows.routing.labels_missing import LabelsMissing, labels_missing
from graders.workflows.scope.permissions import Scope, named_actor, needs
from graders.workflows.scope.phrases import several

#: So many characters of an answer are shown in the list.
SHOWN = 160


@dataclass(frozen=True, slots=True)
class Pace:
    """Saved screens and graded cells of a day, the minutes that they took, and cells per hour, None
    before a minute has passed."""

    screens: int
    cells: int
    minutes: float
    cells_per_hour: int | None


@dataclass(frozen=True, slots=True)
class SettledOtherwise:
    """The adjudicated value of a cell (None: not applicable), which is not the person's, and the
    reason for it."""

    value: Value | None
    why: str


@dataclass(frozen=True, slots=True)
class WorkRow:
    """One of a person's verdicts: the question's key and text, the beginning of the answer, the
    criterion's title, the value (None: not applicable) and the same in words.

    `screen` None where the verdict was given on none; `adjudicated` None unless its cell was
    settled with another value.
    """

    screen: int | None
    question_id: str
    question: str
    answer: str
    criterion: str
    value: Value | None
    word: str
    at: str
    adjudicated: SettledOtherwise | None


@dataclass(frozen=True, slots=True)
class MyWork:
    """A person's pace today, and verdicts, the latest first; what today's screens `brought`, in
    words, empty for none, and what the project's labels are on the way to."""

    today: Pace
    rows: Sequence[WorkRow]
    brought: str
    labels_missing: LabelsMissing


@needs("review")
def my_work(scope: Scope, project_name: str, query: str = "") -> MyWork:
    """Today's count and pace, and a search in the actor's own verdicts."""
    project = scope.project(project_name)
    person = named_actor(scope)
    today = scope.ws.now()[:10]
    saves = annotators.my_saves(scope.ws.db, project, person, today)
    homes = [project]
    # a person's work is whole, or the gaps would tell of copies
    if own_screens.had(scope.ws.db, project, person, seeded.CONTROL):
        homes += filter(None, [seeded.project_of_copies(scope.ws.db, project)])
    criteria = {c.id: c for home in homes for c in projects.criteria(scope.ws, home)}
    verdicts = annotators.my_verdicts(scope.ws.db, homes, person, query.strip())
    settled = adjudications.settlements(
        scope.ws.db,
        circle_of(scope, project).adjudicated,
        [verdict.cell_id for verdict in verdicts],
    )
    why = {cell: settlement.reason for cell, settlement in settled.items()}
    return MyWork(
        today=_pace(saves, sum(verdict.created_at >= today for verdict in verdicts)),
        rows=[
            _row(verdict, criteria, why.get(verdict.cell_id, ""))
            for verdict in verdicts
            if verdict.criterion_id in criteria
        ],
        brought=_brought(saves, annotators.my_labels(scope.ws.db, project, person, today)),
        labels_missing=labels_missing(scope, project_name),
    )


def _brought(saves: MySaves, labels: MyLabels) -> str:
    if not saves.screens:
        return ""
    rest = say("review.brought.others", n=labels.others) if labels.others else ""
    return say(
        "review.brought",
        n=saves.screens,
        labels=several(labels.counted, "blind label"),
        rest=rest,
    )


def _pace(saves: MySaves, cells: int) -> Pace:
    minutes = saves.seconds / 60
    return Pace(
        screens=saves.screens,
        cells=cells,
        minutes=round(minutes, 1),
        cells_per_hour=round(cells / minutes * 60) if minutes >= 1 else None,
    )


def _row(verdict: MyVerdict, criteria: Mapping[int, CriterionRow], why: str) -> WorkRow:
    """A verdict for the list; `why` is the reason of an adjudicated verdict on its cell."""
    criterion, value = criteria[verdict.criterion_id], verdict.value
    settled = None
    if verdict.final_source == "adjudicated" and verdict.final != value:
        settled = SettledOtherwise(verdict.final, why or verdict.final_reason)
    return WorkRow(
        screen=verdict.screen_id,
        question_id=verdict.question_key,
        question=verdict.question,
        answer=verdict.answer[:SHOWN],
        criterion=criterion.criterion.title,
        value=value,
        word=say("review.not_applicable") if value is None else criterion.scale.word(value),
        at=verdict.created_at,
        adjudicated=settled,
    )
