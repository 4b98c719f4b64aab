"""What a report says of a project's data as such: its name, who gave verdicts, under which recipes,
and what that cost.

Verdicts are read one after the other: a project of a million cells has more of them than memory has
room for.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.hashing import digest_tables
from graders.core.words import say
from graders.exporters.sheets.costs import Cost, Costs
from graders.statistics.arrays import latest_counts
from graders.store import projects
from graders.store.projects import Project
from graders.store.transfer import snapshot
from graders.workflows.cells.state import ADJUDICATED
from graders.workflows.scope.people_names import labels_of
from graders.workflows.scope.permissions import Scope

#: Tables that hold what was brought in and said; the rest follows from them.
FINGERPRINTED = (
    "people",
    "questions",
    "answers",
    "human",
    "judge",
    "rules",
    "metrics",
    "routes",
    "screens",
    "assignments",
    "confidence_orders",
    "calls",
    "events",
)
#: What an author's latest verdict on a cell is.
_RETRACTED, _VALUE, _BLIND, _NONE = range(4)


@dataclass(frozen=True, slots=True)
class Author:
    """Who gave verdicts: the name, the kind in a word, cells with a value, those of them graded
    blind (None but for people), and cells without a value; by present verdicts."""

    name: str
    kind: str
    cells: int
    blind: int | None
    without: int


@dataclass(frozen=True, slots=True, order=True)
class Recipe:
    """A judge or rule with the recipe and the version under which it graded these criteria."""

    kind: str
    name: str
    recipe: str
    version: str
    criteria: str


@dataclass(frozen=True, slots=True)
class Data:
    """`name` is the same for all that a project holds wherever it is imported; `latest`: when the
    latest verdict was given, empty where there is none."""

    name: str
    latest: str
    authors: Sequence[Author]
    recipes: Sequence[Recipe]
    costs: Sequence[Cost]


def read_data(scope: Scope, project: Project, rubrics: Mapping[str, str]) -> Data:
    """Read a project's data once, row by row."""
    reading = _Reading(scope, project)
    head = [project.seed, dict(project.settings), dict(rubrics)]
    name = digest_tables(head, ((table, reading.rows(table)) for table in FINGERPRINTED), length=24)
    return Data(name, reading.latest, reading.authors(), reading.recipes(), reading.costs.rows())


class _Given:
    """An author's verdicts: the cell and the state of each, in the order in which they were
    given."""

    def __init__(self) -> None:
        self.cells, self.states = array("q"), bytearray()

    def counts(self) -> list[int]:
        """Cells by what the latest verdict there is."""
        return latest_counts(self.cells, self.states, 4)


class _Reading:
    def __init__(self, scope: Scope, project: Project) -> None:
        self.scope, self.project = scope, project
        self.latest = ""
        self.costs = Costs()
        self._given: dict[tuple[str, str], _Given] = {}
        self._criteria: dict[tuple[str, str, str, str], dict[str, None]] = {}
        self._not_known = say("report.not_known")
        self._people: list[str] = []

    def rows(self, table: str) -> Iterator[Mapping[str, Any]]:
        """The rows of a table, each looked at as it goes by."""
        if table in snapshot.OPINIONS:
            yield from self._verdicts(table, snapshot.opinions(self.scope.ws, self.project, table))
            return
        for row in snapshot.rows(self.scope.ws, self.project, table):
            if table == "people":
                self._people.append(row["id"])
            elif table == "calls":
                self.costs.call(row)
            yield row

    def _verdicts(
        self, table: str, rows: Iterable[tuple[int, Mapping[str, Any]]]
    ) -> Iterator[Mapping[str, Any]]:
        kind, field = snapshot.OPINIONS[table]
        for cell, row in rows:
            name = str(row[field])
            given = self._given.get((kind, name)) or self._given.setdefault((kind, name), _Given())
            blind = _BLIND if row.get("arm") == "blind" else _VALUE
            given.cells.append(cell)
            given.states.append(
                _RETRACTED if row.get("kind") == "retracts" else _NONE if "status" in row else blind
            )
            self.latest = max(self.latest, str(row.get("created_at", "")))
            if kind != "person":
                self._note_recipe(kind, name, row)
            if kind == "judge":
                self.costs.verdict(row)
            yield row

    def _note_recipe(self, kind: str, name: str, row: Mapping[str, Any]) -> None:
        recipe = "" if kind == "rule" else str(row.get("recipe_hash") or self._not_known)
        version = str(row.get("grader_version") or self._not_known)
        self._criteria.setdefault((kind, name, recipe, version), {})[str(row["criterion"])] = None

    def recipes(self) -> list[Recipe]:
        """The judges and rules that spoke, in order."""
        return sorted(
            Recipe(*key, ", ".join(sorted(criteria))) for key, criteria in self._criteria.items()
        )

    def authors(self) -> list[Author]:
        """Who gave verdicts, in the order in which they are stored."""
        people = projects.people(self.scope.ws)
        labels = labels_of([people[row] for row in self._people if row in people])
        rows = []
        for (kind, name), given in self._given.items():
            counts = given.counts()
            with_value = counts[_VALUE] + counts[_BLIND]
            if name == ADJUDICATED and kind == "person":
                who = say("report.author.adjudicated"), say("report.author.adjudication")
                rows.append(Author(*who, with_value, None, counts[_NONE]))
            else:
                blind = counts[_BLIND] if kind == "person" else None
                rows.append(Author(labels.get(name, name), kind, with_value, blind, counts[_NONE]))
        return rows
