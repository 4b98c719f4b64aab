"""What figures of agreement stand on: whose verdicts under which criteria, as a view asks for them, read once and kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graders.core.errors import InputError, NotFound
from graders.core.records import TASK_TYPES
from graders.statistics.resampling import Array
from graders.store import controls as control_store
from graders.store import filters as filter_store
from graders.store import projects, reports
from graders.store.filters import ACTIONS, EVERYTHING, NEIGHBOURS, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows import _opinions
from graders.workflows._circle import circle_of, watermark
from graders.workflows._memory import Memory
from graders.workflows._named import known_values
from graders.workflows.permissions import Scope
from graders.workflows.results import criteria_of

#: How many grounds are kept in memory: the views that a page shows one after the other.
KEPT = 4
#: Filters whose values are a closed list.
LISTED: Mapping[str, Sequence[str]] = {"task_type": TASK_TYPES, "action": ACTIONS, "neighbours": NEIGHBOURS}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class View:
    """Which verdicts count: blind ones or all, of which draw (empty: the widest there is), which of them; `everyone`: also of those
    who are set aside."""

    blind_only: bool = True
    population: str = ""
    filters: Filters = EVERYTHING
    everyone: bool = False

    def __post_init__(self) -> None:
        if self.population not in ("", *_opinions.POPULATIONS):
            expected = "one of " + ", ".join(_opinions.POPULATIONS)
            raise InputError("population", found=repr(self.population), expected=expected, remedy="Choose one of these.")


@dataclass(frozen=True, slots=True)
class Ground:
    """The opinions that a view asks for, one entry of `loaded` for each of `criteria`; `population` is the one that was chosen."""

    project: Project
    view: View
    circle: _opinions.Circle
    criteria: tuple[CriterionRow, ...]
    loaded: tuple[_opinions.Opinions, ...]
    population: str

    def one(self, key: str) -> tuple[CriterionRow, _opinions.Opinions]:
        """A criterion with its opinions; NotFound lists what there is."""
        for row, opinions in zip(self.criteria, self.loaded, strict=True):
            if row.key == key:
                return row, opinions
        raise NotFound(f"criterion {key!r}", found="no such criterion", expected="one of " + ", ".join(c.key for c in self.criteria))

    def used(self, opinions: _opinions.Opinions) -> Array:
        """Which opinions count, bool[m]."""
        return opinions.of_population(self.population) if self.view.blind_only else np.ones(len(opinions.author), bool)


_kept = Memory(KEPT)


def filters_of(found: Mapping[str, Sequence[str]]) -> Filters:
    """Filters from the parameters of an address or a command. InputError for names, dates and values that there are not."""
    known = set(Filters.__dataclass_fields__)
    made: dict[str, Any] = {}
    for name, values in found.items():
        kept = tuple(dict.fromkeys(value for value in values if value))
        if name not in known:
            raise InputError(f"filter {name[:40]!r}", found="no such filter", expected="one of " + ", ".join(sorted(known)))
        if not kept:
            continue
        for value in kept:
            if name in LISTED and value not in LISTED[name]:
                expected = "one of " + ", ".join(LISTED[name])
                raise InputError(f"filter {name}", found=repr(value[:60]), expected=expected, remedy="Choose one of these.")
        if name in ("since", "until"):
            if not _DATE.fullmatch(kept[-1]):
                raise InputError(f"filter {name}", found=repr(kept[-1][:60]), expected="a date such as 2026-11-21")
            made[name] = kept[-1]
        elif name == "wording":
            if not kept[-1].isdecimal() or len(kept[-1]) > 12:
                raise InputError("filter wording", found=repr(kept[-1][:60]), expected="the number of a version of a rubric")
            made[name] = int(kept[-1])
        else:
            made[name] = kept
    return Filters(**made)


def ground(scope: Scope, project: Project, view: View) -> Ground:
    """The ground of a view, kept until a verdict, an import, a rubric, a setting or a person changes."""
    key = (str(scope.ws.path.resolve()), project.id, view)
    return _kept.get(key, watermark(scope, project), lambda: _read(scope, project, view))


def forget() -> None:
    """Drop what is kept in memory."""
    _kept.forget()


def criteria_under(scope: Scope, project: Project, wording: int) -> list[CriterionRow]:
    """The criteria in force, or those of an earlier version of a rubric, with the scales they had then."""
    if not wording:
        return criteria_of(scope, project)
    found = next((row for row in filter_store.wordings(scope.ws.db, project) if row["id"] == wording), None)
    if found is None:
        raise NotFound(f"version {wording} of a rubric", found="no such version", expected="one that this project has had")
    rubric = projects.known_rubric(found["source"], found["name"])
    rows = filter_store.criterion_rows(scope.ws.db, project, [c.key for c in rubric.criteria])
    return [CriterionRow(rows[c.key], c.key, c.criterion_hash, c.scale, c, rubric) for c in rubric.criteria if c.key in rows]


def _read(scope: Scope, project: Project, view: View) -> Ground:
    circle = circle_of(scope, project)
    if view.everyone:
        circle = replace(circle, aside=frozenset())
    if view.filters.annotator:
        unknown = [name for name in view.filters.annotator if name not in circle.people.values()]
        if unknown:
            raise NotFound(f"annotator {unknown[0][:60]!r}", found="nobody of that id", expected="a person who gave verdicts here")
        circle = replace(circle, people={i: name for i, name in circle.people.items() if name in view.filters.annotator})
    criteria = criteria_under(scope, project, view.filters.wording)
    known_values(scope, project, {name: getattr(view.filters, name) for name in filter_store.OF_CELL})
    everyone = [*circle.people, *([circle.adjudicated] if circle.adjudicated is not None else [])]
    # Neither superseded answers nor authors' own texts are answers of the models that the figures are about.
    apart = np.array([*reports.superseded(scope.ws.db, project), *control_store.control_cells(scope.ws.db, project)], int)

    def opinions_of(criterion: CriterionRow) -> _opinions.Opinions:
        given = reports.people_opinions(scope.ws.db, criterion, everyone, view.filters)
        judged = reports.judge_opinions(scope.ws.db, criterion, list(circle.judges), everyone, view.filters)
        return _opinions.Opinions.of(given, judged, apart)

    loaded = tuple(scope.ws.read_beside(criteria, opinions_of))
    population = (view.population or _opinions.widest(loaded)) if view.blind_only else ""
    return Ground(project, view, circle, tuple(criteria), loaded, population)
