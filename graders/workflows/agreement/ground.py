"""What figures of agreement stand on: whose verdicts under which criteria, as a view asks for them,
read once and kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graders.core.errors import InputError, NotFound
from graders.statistics.arrays import Array, all_of, ints
from graders.store.answers import controls as control_store
from graders.store.figures import reports
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.opinions import frame as opinions_frame
from graders.workflows.opinions import narrowing
from graders.workflows.opinions.participants import circle_of, watermark
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
        if self.population not in ("", *opinions_frame.POPULATIONS):
            expected = "one of " + ", ".join(opinions_frame.POPULATIONS)
            raise InputError(
                "population",
                found=repr(self.population),
                expected=expected,
                remedy="Choose one of these.",
            )


@dataclass(frozen=True, slots=True)
class Ground:
    """The opinions that a view asks for, one entry of `loaded` for each of `criteria`; `population`
    is the one that was chosen; `only` are the filters that are set, in words."""

    project: Project
    view: View
    circle: opinions_frame.Circle
    criteria: tuple[CriterionRow, ...]
    loaded: tuple[opinions_frame.Opinions, ...]
    population: str
    only: str

    def one(self, key: str) -> tuple[CriterionRow, opinions_frame.Opinions]:
        """A criterion with its opinions; NotFound lists what there is."""
        for row, opinions in zip(self.criteria, self.loaded, strict=True):
            if row.key == key:
                return row, opinions
        raise NotFound(
            f"criterion {key!r}",
            found="no such criterion",
            expected="one of " + ", ".join(c.key for c in self.criteria),
        )

    def of_people(self) -> list[int]:
        """The authors whose verdicts are people's word here: the people who count and, unless
        filters name people, adjudication."""
        final = (
            []
            if self.circle.adjudicated is None or self.view.filters.annotator
            else [self.circle.adjudicated]
        )
        return [*(author for author in self.circle.people if self.circle.counts(author)), *final]

    def used(self, opinions: opinions_frame.Opinions) -> Array:
        """Which opinions count, bool[m]."""
        return (
            opinions.of_population(self.population)
            if self.view.blind_only
            else all_of(len(opinions.author))
        )


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
    everyone = [*circle.people, *([circle.adjudicated] if circle.adjudicated is not None else [])]
    # Neither superseded answers nor authors' own texts are answers of the models that the figures
    # are about.
    apart = ints(
        [
            *reports.superseded(scope.ws.db, project),
            *control_store.control_cells(scope.ws.db, project),
        ]
    )

    def opinions_of(criterion: CriterionRow) -> opinions_frame.Opinions:
        given = reports.people_opinions(scope.ws.db, criterion, everyone, view.filters)
        judged = reports.judge_opinions(
            scope.ws.db, criterion, list(circle.judges), everyone, view.filters
        )
        return opinions_frame.Opinions.of(given, judged, apart)

    loaded = tuple(scope.ws.read_beside(criteria, opinions_of))
    population = (view.population or opinions_frame.widest(loaded)) if view.blind_only else ""
    return Ground(project, view, circle, tuple(criteria), loaded, population, only)
