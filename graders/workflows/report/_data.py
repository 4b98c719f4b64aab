"""What a report says of a project's data as such: its name, who gave verdicts, under which recipes,
and what that cost.

Verdicts are read one after the other: a project of a million cells has more of them than memory has
room for.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.core.hashing import digest_tables
from graders.core.scale import Value
from graders.exporters.sheets.costs import Costs
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


@dataclass(frozen=True)
class Data:
    """`name` is the same for all that a project holds wherever it is imported; `latest`: when the
    latest verdict was given, empty where there is none; `who`: rows of who gave verdicts (name,
    kind, cells with a value, of them blind, without a value); `graders`: (kind, name, recipe hash,
    version, criteria) of judges and rules; `costs`: as in the exporters."""

    name: str
    latest: str
    who: list[list[Any]]
    graders: list[tuple[str, ...]]
    costs: list[tuple[Value, ...]]


def read_data(scope: Scope, project: Project, rubrics: Mapping[str, str]) -> Data:
    """Read a project's data once, row by row."""
    reading = _Reading(scope, project)
    head = [project.seed, dict(project.settings), dict(rubrics)]
    name = digest_tables(head, ((table, reading.rows(table)) for table in FINGERPRINTED), length=24)
    return Data(name, reading.latest, reading.who(), reading.graders(), reading.costs.rows())


class _Author:
    """An author's verdicts: the cell and the state of each, in the order in which they were
    given."""

    def __init__(self) -> None:
        self.cells, self.states = array("q"), bytearray()

    def counts(self) -> Any:
        """int[4]: cells by what the latest verdict there is."""
        _, last = np.unique(np.frombuffer(self.cells, np.int64)[::-1], return_index=True)
        return np.bincount(np.frombuffer(self.states, np.uint8)[::-1][last], minlength=4)


class _Reading:
    def __init__(self, scope: Scope, project: Project) -> None:
        self.scope, self.project = scope, project
        self.latest = ""
        self.costs = Costs()
        self._authors: dict[tuple[str, str], _Author] = {}
        self._recipes: dict[tuple[str, str, str, str], dict[str, None]] = {}
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
        self, table: str, found: Iterable[tuple[int, Mapping[str, Any]]]
    ) -> Iterator[Mapping[str, Any]]:
        kind, field = snapshot.OPINIONS[table]
        for cell, row in found:
            name = str(row[field])
            author = self._authors.get((kind, name)) or self._authors.setdefault(
                (kind, name), _Author()
            )
            blind = _BLIND if row.get("arm") == "blind" else _VALUE
            author.cells.append(cell)
            author.states.append(
                _RETRACTED if row.get("kind") == "retracts" else _NONE if "status" in row else blind
            )
            self.latest = max(self.latest, str(row.get("created_at", "")))
            if kind != "person":
                recipe, made = (
                    str(row.get("recipe_hash") or "not known"),
                    str(row.get("grader_version") or "not known"),
                )
                key = (kind, name, "" if kind == "rule" else recipe, made)
                self._recipes.setdefault(key, {})[str(row["criterion"])] = None
            if kind == "judge":
                self.costs.verdict(row)
            yield row

    def graders(self) -> list[tuple[str, ...]]:
        """(kind, name, recipe hash, version, criteria) of the judges and rules that spoke."""
        return sorted(
            (*key, ", ".join(sorted(criteria))) for key, criteria in self._recipes.items()
        )

    def who(self) -> list[list[Any]]:
        """Rows of who gave verdicts: name, kind, cells with a value, of them blind (people only),
        without a value; by present verdicts."""
        people = projects.people(self.scope.ws)
        labels = labels_of([people[row] for row in self._people if row in people])
        rows: list[list[Any]] = []
        for (kind, name), author in self._authors.items():
            found = author.counts().tolist()
            adjudicated = name == ADJUDICATED and kind == "person"
            shown, words = (
                ("Adjudicated", "adjudication") if adjudicated else (labels.get(name, name), kind)
            )
            rows.append(
                [
                    shown,
                    words,
                    found[_VALUE] + found[_BLIND],
                    found[_BLIND] if words == "person" else None,
                    found[_NONE],
                ]
            )
        return rows
