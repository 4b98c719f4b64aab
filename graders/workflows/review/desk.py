"""What the review desk needs before its first screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.errors import NotFound
from graders.core.preference import is_preference
from graders.core.scale import Value
from graders.core.words import error_parts, language, say
from graders.store import projects
from graders.store.figures import reading
from graders.store.projects import CriterionRow, Project
from graders.workflows.cells.fault_list import NamedFault, named_faults
from graders.workflows.cells.state import FAULTS
from graders.workflows.review import grading
from graders.workflows.review.grading import Counts, Held
from graders.workflows.routing.review_order import order_in_force
from graders.workflows.scope.permissions import Scope, needs, person_of
from graders.workflows.scope.sampling import Sampling

#: What a person without a name has done.
NO_COUNTS = Counts(
    done=0,
    total=0,
    waiting=0,
    held=Held(0, None),
    others=0,
    flagged=0,
    minutes_left=None,
    to_reveal=None,
    routed=None,
)
#: Categories that the desk offers to narrow the queue by.
MOST_CHOICES = 40
#: Hues of criteria on a page; they are given in turn.
HUES = 5


@dataclass(frozen=True, slots=True)
class PersonShown:
    """A person's id and name."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class DeskProject:
    """The project that is graded; `notice` says what is to be known of it, empty for nothing."""

    id: int
    name: str
    title: str
    notice: str


@dataclass(frozen=True, slots=True)
class QueueChoice:
    """A way to narrow the queue: its `key` (``category=poetry``, empty for all), and in words."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class DeskSettings:
    """Settings that the desk follows; `order`: in which order screens come, in a few words, empty
    for none yet, and in `order_words`; `controls`: copies with a fault are among the screens."""

    answers_per_screen: int
    show_models: bool
    order: str
    order_words: str
    orders: Sequence[QueueChoice]
    controls: bool


@dataclass(frozen=True, slots=True)
class ScaleShown:
    """A scale as pages show it: its `values`, worst first where they have an order, with their
    `words`; `preference`: it says which of two answers is better, so that values go by the letters
    of the answers; `low` and `high` as numbers."""

    kind: str
    values: Sequence[Value]
    words: Sequence[str]
    preference: bool
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CriterionShown:
    """A criterion as pages show it, with guides for it and for its parts; `hue`: which of the
    page's colours, from 0."""

    key: str
    name: str
    title: str
    question: str
    guide: str
    part_guides: Mapping[str, str]
    hue: int
    scale: ScaleShown


@dataclass(frozen=True, slots=True)
class DeskInfo:
    """What the desk needs before its first screen; `person` None before a name was entered."""

    person: PersonShown | None
    project: DeskProject
    language: str
    settings: DeskSettings
    criteria: Sequence[CriterionShown]
    fault_names: Sequence[NamedFault]
    counts: Counts


@needs("look")
def open_desk(scope: Scope, project_name: str) -> DeskInfo:
    """Person, project, criteria, settings and counts; the first project where none is named."""
    project = pick_project(scope, project_name)
    person = person_of(scope)
    criteria = [
        c for c in projects.criteria(scope.ws, project) if c.criterion.rubric != FAULTS.name
    ]
    sampling = Sampling.of(project.settings)
    order = order_in_force(scope, project.name)
    return DeskInfo(
        person=None if person is None else PersonShown(person.id, person.name),
        project=DeskProject(project.id, project.name, project.title, project.notice),
        language=language(),
        settings=DeskSettings(
            answers_per_screen=sampling.answers_per_screen,
            show_models=bool(project.settings.get("show_models")),
            order=say(f"runs.page.order.{order.kind}") if order.kind else "",
            order_words=order.words,
            orders=queues(scope, project),
            controls=bool(sampling.control),
        ),
        criteria=[criterion_shown(row, place) for place, row in enumerate(criteria)],
        fault_names=list(named_faults().values()),
        counts=grading.counts(scope, project.name) if person else NO_COUNTS,
    )


def queues(scope: Scope, project: Project) -> list[QueueChoice]:
    """The ways in which a person may narrow the queue: by task type, category or language, where
    there are several."""
    values = reading.filter_values(scope.ws.db, project)
    narrowed = [
        QueueChoice(f"{field}={choice.value}", say(f"review.choice.{field}", value=choice.value))
        for field in ("task_type", "category", "language")
        if len(values[field]) > 1
        for choice in values[field][:MOST_CHOICES]
    ]
    return [QueueChoice("", say("review.choice.all")), *narrowed] if narrowed else []


def pick_project(scope: Scope, name: str) -> Project:
    """The project of that name, or the first one."""
    if name:
        return scope.project(name)
    begun = projects.begun_projects(scope.ws)
    if not begun:
        raise NotFound(**error_parts("review.no_project"))
    return begun[0]


def criterion_shown(row: CriterionRow, place: int) -> CriterionShown:
    """A criterion as pages show it; its `place` in the rubric decides its hue."""
    scale, criterion = row.scale, row.criterion
    return CriterionShown(
        key=row.key,
        name=criterion.name,
        title=criterion.title,
        question=criterion.question,
        guide=criterion.guide,
        part_guides=dict(criterion.part_guides),
        hue=place % HUES,
        scale=ScaleShown(
            kind=scale.kind,
            values=list(scale.values),
            words=[scale.word(value) for value in scale.values],
            preference=is_preference(scale),
            low=scale.low,
            high=scale.high,
        ),
    )
