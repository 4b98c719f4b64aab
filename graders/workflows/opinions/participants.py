"""Who gave verdicts in a project, which draws of verdicts there are, and what every figure about
them depends on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graders.core.words import say
from graders.store import projects
from graders.store.figures import agreement as agreement_figures
from graders.store.figures.agreement import DESIGNS
from graders.store.opinions import verdicts
from graders.store.projects import Project
from graders.workflows.cells.state import ADJUDICATED
from graders.workflows.scope.people_names import labels_of
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import listed

#: The setting that names the people whose verdicts are in no figure of agreement.
SET_ASIDE = "set_aside"


@dataclass(frozen=True, slots=True)
class Population:
    """Whom a figure speaks for: the designs of the verdicts that count; `drawn` False where they
    are no sample, so that nothing is decided on them."""

    name: str
    designs: tuple[str, ...]
    drawn: bool = True

    @property
    def words(self) -> str:
        """The cells that the verdicts were drawn from."""
        return say(f"opinions.population.{self.name}")

    @property
    def places(self) -> tuple[int, ...]:
        """The designs as places in DESIGNS."""
        return tuple(DESIGNS.index(design) for design in self.designs)


#: Widest first. Verdicts of different populations are never mixed: their probabilities are chances
#: in different sets of cells.
POPULATIONS = {
    population.name: population
    for population in (
        Population("all", ("calibration", "imported", "labelled", "")),
        Population("people", ("blind_arm", "ordinary")),
        Population("audit", ("audit",)),
        Population("adaptive", ("adaptive",), drawn=False),
        Population("placed", ("placed",), drawn=False),
    )
}
#: Designs of which labels speak for all cells, as places in DESIGNS.
FOR_ALL = tuple(DESIGNS.index(name) for name in ("calibration", "imported", ""))
#: Designs of verdicts that are no sample.
NO_SAMPLE = ("adaptive", "placed")
#: Designs whose arm was drawn for each person apart, as places in DESIGNS.
ARMS = tuple(DESIGNS.index(name) for name in ("blind_arm", "adaptive"))


@dataclass(frozen=True, slots=True)
class Circle:
    """Who is there: author row -> name of judges and of people; labels and groups of people by
    name; whose verdicts count."""

    judges: Mapping[int, str]
    people: Mapping[int, str]
    adjudicated: int | None
    names: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    reference: str = ""
    aside: frozenset[str] = frozenset()

    def label(self, author: int) -> str:
        """What people read."""
        if author in self.judges:
            return self.judges[author]
        return (
            ADJUDICATED
            if author == self.adjudicated
            else self.names.get(self.people[author], self.people[author])
        )

    def ref(self, author: int) -> str:
        """The name under which pages and commands ask for an author."""
        if author in self.judges:
            return f"judge:{self.judges[author]}"
        return f"person:{ADJUDICATED if author == self.adjudicated else self.people[author]}"

    def group(self, author: int) -> str:
        """The group of a person."""
        return self.groups.get(self.people.get(author, ""), "")

    def counts(self, author: int) -> bool:
        """Whether a person's verdicts make the figures: everybody's, or the reference group's, but
        of those who are set aside."""
        return (
            author in self.people
            and self.people[author] not in self.aside
            and (not self.reference or self.group(author) == self.reference)
        )


def circle_of(scope: Scope, project: Project) -> Circle:
    """The judges and people of a project."""
    authors = verdicts.authors(scope.ws.db, project)
    people = projects.people(scope.ws)
    labels = labels_of(
        [people[name] for kind, name in authors.values() if kind == "person" and name in people]
    )
    return Circle(
        judges={i: name for i, (kind, name) in authors.items() if kind == "judge"},
        people={
            i: name
            for i, (kind, name) in authors.items()
            if kind == "person" and name != ADJUDICATED
        },
        adjudicated=next(
            (i for i, (kind, name) in authors.items() if kind == "person" and name == ADJUDICATED),
            None,
        ),
        names=labels,
        groups={
            name: people[name].group
            for kind, name in authors.values()
            if kind == "person" and name in people
        },
        reference=str(project.settings.get("reference_group") or ""),
        aside=frozenset(str(person) for person in project.settings.get(SET_ASIDE) or ()),
    )


def aside_words(circle: Circle, *, counted: bool = False) -> str:
    """Who of the circle is set aside, as a sentence with a blank before it; empty where nobody is.
    `counted`: the figures that it stands behind count their verdicts all the same, as those do that
    were drawn or decided with them."""
    away = sorted(circle.label(i) for i, name in circle.people.items() if name in circle.aside)
    if not away:
        return ""
    where = "counted" if counted else "left_out"
    return f" {say(f'opinions.aside.{where}', names=listed(away))}"


def watermark(scope: Scope, project: Project) -> tuple[Any, ...]:
    """Changes whenever verdicts, imports, rubrics, settings or people do."""
    people = tuple((p.id, p.name, p.group) for p in projects.people(scope.ws).values())
    return (
        *agreement_figures.watermark(scope.ws.db, project),
        json.dumps(dict(project.settings), sort_keys=True, default=str),
        people,
    )
