"""What figures of agreement stand on: whose verdicts under which criteria, as a view asks for them,
read once and kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graders.core.errors import InputError, NotFound
from graders.core.words import error_parts
from graders.statistics.opinions import Opinions, called_in
from graders.statistics.repeats import Twice
from graders.statistics.resampling import Array
from graders.store.desk import repeats
from graders.store.figures.agreement import judge_opinions, people_opinions, set_apart
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.opinions import narrowing
from graders.workflows.opinions.participants import (
    ARMS,
    POPULATIONS,
    Circle,
    circle_of,
    watermark,
)
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope

#: How many grounds are kept in memory: the views that a page shows one after the other.
KEPT = 4


@dataclass(frozen=True, slots=True)
class View:
    """Which verdicts count: blind ones or all, of which draw (empty: the widest there is), which of
    them; `everyone`: also of those who are set aside."""

    blind_only: bool = True
    population: str = ""
    filters: Filters = EVERYTHING
    everyone: bool = False

    def __post_init__(self) -> None:
        if self.population not in ("", *POPULATIONS):
            raise InputError(
                **error_parts(
                    "agreement.no_population",
                    name=repr(self.population),
                    names=", ".join(POPULATIONS),
                )
            )


@dataclass(frozen=True, slots=True)
class Ground:
    """The opinions that a view asks for, one entry of `loaded` for each of `criteria`; `population`
    is the one that was chosen; `only` are the filters that are set, in words."""

    project: Project
    view: View
    circle: Circle
    criteria: tuple[CriterionRow, ...]
    loaded: tuple[Opinions, ...]
    population: str
    only: str

    def one(self, key: str) -> tuple[CriterionRow, Opinions]:
        """A criterion with its opinions; NotFound lists what there is."""
        for row, opinions in zip(self.criteria, self.loaded, strict=True):
            if row.key == key:
                return row, opinions
        keys = ", ".join(row.key for row in self.criteria)
        raise NotFound(**error_parts("agreement.no_criterion", key=repr(key), keys=keys))

    def of_people(self) -> list[int]:
        """The authors whose verdicts are people's word here: the people who count and, unless
        filters name people, adjudication."""
        final = (
            []
            if self.circle.adjudicated is None or self.view.filters.annotator
            else [self.circle.adjudicated]
        )
        return [*self.counting(), *final]

    def counting(self) -> list[int]:
        """The people whose verdicts make the figures."""
        return [author for author in self.circle.people if self.circle.counts(author)]

    def used(self, opinions: Opinions) -> Array:
        """Which opinions count, bool[m]."""
        if not self.view.blind_only:
            return opinions.everything()
        return opinions.drawn(POPULATIONS[self.population].places)

    def assisted(self, opinions: Opinions) -> Array:
        """Which opinions of people who count were given with suggestions in view, bool[m]."""
        return opinions.by(self.counting()) & ~opinions.blind

    def planned(self, opinions: Opinions) -> tuple[list[int], set[int]]:
        """The people whose opinions make the figures of a criterion, and those who were called in
        on disagreements and are in no mean."""
        used = self.used(opinions)
        counting = [author for author in opinions.graders(used) if self.circle.counts(author)]
        called = called_in(opinions, used, counting)
        return [author for author in counting if author not in called], called


_kept = Memory(KEPT)


def ground(scope: Scope, project: Project, view: View) -> Ground:
    """The ground of a view, kept until a verdict, an import, a rubric, a setting or a person
    changes."""
    key = (str(scope.ws.path.resolve()), project.id, view)
    return _kept.get(key, watermark(scope, project), lambda: _read(scope, project, view))


def forget() -> None:
    """Drop what is kept in memory."""
    _kept.forget()


def _read(scope: Scope, project: Project, view: View) -> Ground:
    circle = circle_of(scope, project)
    if view.everyone:
        circle = replace(circle, aside=frozenset())
    only = narrowing.words_of(scope, project, view.filters, circle)
    circle = narrowing.narrowed(circle, view.filters)
    criteria = narrowing.criteria_under(scope, project, view.filters.wording)
    narrowing.there(scope, project, view.filters)
    final = [] if circle.adjudicated is None else [circle.adjudicated]
    everyone, judges = [*circle.people, *final], list(circle.judges)
    apart = set_apart(scope.ws.db, project)

    def opinions_of(criterion: CriterionRow) -> Opinions:
        db = scope.ws.db
        given = people_opinions(db, criterion, everyone, view.filters)
        judged = judge_opinions(db, criterion, judges, everyone, view.filters)
        return Opinions.of(given, judged, apart, ARMS)

    loaded = tuple(scope.ws.read_beside(criteria, opinions_of))
    population = (view.population or widest(loaded)) if view.blind_only else ""
    return Ground(project, view, circle, tuple(criteria), loaded, population, only)


def widest(loaded: Sequence[Opinions]) -> str:
    """The widest population that was drawn and has blind verdicts; `all` where none has."""
    return next(
        (
            name
            for name, population in POPULATIONS.items()
            if population.drawn
            and any(opinions.drawn(population.places).any() for opinions in loaded)
        ),
        "all",
    )


def second_looks(scope: Scope, basis: Ground, place: int) -> Twice:
    """What people said twice, under the criterion at a `place` of the ground, of cells whose first
    verdict counts there."""
    row, opinions = basis.criteria[place], basis.loaded[place]
    looks = [
        (author, cell, question, first, row.scale.number(json.loads(again)))
        for author, cell, question, first, again in repeats.said_twice(
            scope.ws.db, basis.project, row
        )
    ]
    return Twice.of(opinions, basis.used(opinions), basis.circle.people, looks)
