"""What the page of projects shows: a card per project with its next step, imports that wait, what
happened lately."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.workflows.projects.task_types import CategoryTypes
from graders.workflows.routing.labels_missing import LabelsMissing


@dataclass(frozen=True, slots=True)
class Step:
    """What to do next. `waits`: somebody must act; `minutes` that it takes, None: not known;
    `resumes`: a run goes on."""

    kind: str
    label: str
    href: str
    why: str
    waits: bool = True
    minutes: float | None = None
    resumes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What the next step follows from.

    `minutes`: how long the `screens` that wait take, None: not known; `flagged` answers; `totals`:
    cells by who decided them; `fresh`: answers that came in after the latest run; `apart`: cells on
    which people differ where nothing else waits.
    """

    screens: int
    minutes: float | None
    flagged: int
    totals: Mapping[str, int]
    fresh: int
    apart: int
    questions: int
    answers: int
    models: int
    languages: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(Progress):
    """A project as the page of projects shows it; `made` grows with the time of its making;
    `labels_missing`: how far its labels are."""

    name: str
    title: str
    notice: str
    demo: bool
    made: int
    judges: int
    criteria: int
    lines: Sequence[str]
    labels_missing: LabelsMissing
    next: Step


@dataclass(frozen=True, slots=True)
class Event:
    """What happened in a project, in words, and how long ago."""

    project: str
    title: str
    at: str
    text: str
    ago: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """An import that is not finished, as the page shows it."""

    id: int
    state: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The page of projects; `imports` wait for somebody's word."""

    title: str
    subtitle: str
    projects: Sequence[Card]
    imports: Sequence[Waiting]
    lately: Sequence[Event]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """A staged or finished import: where it comes from, its report, what it brought in words; its
    project with the task types of its categories; once it is done the `next` step."""

    id: int
    state: str
    source: str
    report: Mapping[str, Any]
    brought: str
    project: Mapping[str, str] | None
    categories: Sequence[CategoryTypes]
    next: Step | None
