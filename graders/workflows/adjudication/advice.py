"""Advice for whoever settles a cell: the value that people's answers point to once each is weighed
by how he or she errs.

Dawid-Skene, offered only where it was found to help: five people with fifty cells each on a scale
of more than two values (section 9 of the house's statistics). It is no verdict: nothing is settled
by it, and judges have no part in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graders.core.errors import NotFound
from graders.statistics.arrays import Array, find, ints
from graders.statistics.truth import MIN_CELLS, MIN_PEOPLE, dawid_skene, ratings_of, worth_it
from graders.store import projects
from graders.store.figures import leaderboard as counts
from graders.store.figures import reports
from graders.store.figures.columns import numbers
from graders.store.opinions import cells
from graders.store.projects import CriterionRow
from graders.workflows.opinions.frame import Circle
from graders.workflows.opinions.participants import circle_of
from graders.workflows.scope.permissions import Scope, needs


def offered(scope: Scope, criterion: CriterionRow, circle: Circle) -> bool:
    """Whether there may be advice on a criterion: many people with many cells, and more than two
    values to choose from."""
    if not criterion.scale.is_discrete or len(criterion.scale.values) < 3:
        return False
    given = counts.opinions_by_author(scope.ws.db, criterion, _people(circle))
    return sum(count >= MIN_CELLS for count in given.values()) >= MIN_PEOPLE


@needs("adjudicate")
def advice(scope: Scope, project_name: str, cell_id: int) -> dict[str, Any]:
    """{offered, value, word, chance, people, words}: the likeliest value of a cell (None where
    nobody graded it) and its estimated chance; `offered` False, and `words` why, where too few
    people graded enough."""
    project = scope.project(project_name)
    known = {row.id: row for row in projects.criteria(scope.ws, project)}
    cell = cells.load_cells(scope.ws.db, [cell_id]).get(cell_id)
    if cell is None or cell.criterion_id not in known:
        raise NotFound(
            f"cell {cell_id}",
            found="no such cell",
            expected="a cell of this project",
            remedy="Choose one from the list.",
        )
    row, circle = known[cell.criterion_id], circle_of(scope, project)
    nothing = {"offered": False, "value": None, "word": "", "chance": None, "people": 0}
    needed = (
        f"Advice needs {MIN_PEOPLE} people with {MIN_CELLS} cells each and more than two values."
    )
    if not offered(scope, row, circle):
        return {**nothing, "words": needed}
    rated, ratings = _ratings(scope, row, _people(circle))
    K = len(row.scale.values)
    if not worth_it(ratings, K):
        return {**nothing, "words": needed}
    place, there = find(rated, ints([cell_id]))
    if not there.any():
        return {**nothing, "words": "Nobody graded this cell."}
    at = int(place[0])
    chances = dawid_skene(ratings, K)[at]
    best = int(chances.argmax())
    value, people = row.scale.values[best], int((ratings[:, at] >= 0).sum())
    who = "1 person" if people == 1 else f"{people} people"
    words = (
        f"{row.scale.full(value)}, {100 * chances[best]:.0f} % likely from {who}, "
        "each weighed by how he or she errs elsewhere."
    )
    return {
        "offered": True,
        "value": value,
        "word": row.scale.word(value),
        "chance": float(chances[best]),
        "people": people,
        "words": words,
    }


def _people(circle: Circle) -> list[int]:
    return [author for author in circle.people if circle.counts(author)]


def _ratings(scope: Scope, row: CriterionRow, people: Sequence[int]) -> tuple[Array, Array]:
    """Cells ascending int[n], and int[P, n] positions of people's values on the scale, -1 missing;
    under the present wording."""
    given = [
        (numbers(str(cell)), numbers(str(value), kind=float))
        for _, cell, _, value, _ in reports.people_opinions(scope.ws.db, row, people)
    ]
    return ratings_of(given, row.scale.numbers)
