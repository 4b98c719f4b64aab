"""Advice for a person who settles a cell: the value that people's answers point to once each is
weighed by how he or she errs.

Dawid-Skene, offered only where it was found to help: five people with fifty cells each on a scale
of more than two values (section 9 of the house's statistics). It settles nothing, and judges have
no part in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.errors import NotFound
from graders.core.scale import Value
from graders.core.words import error_parts, say
from graders.statistics.arrays import Array, distinct
from graders.statistics.truth import (
    MIN_CELLS,
    MIN_PEOPLE,
    likeliest_value,
    ratings_of,
    worth_it,
)
from graders.store import projects
from graders.store.figures import leaderboard as counts
from graders.store.figures.agreement import people_opinions
from graders.store.opinions import cells
from graders.store.projects import CriterionRow
from graders.workflows.adjudication.cell_list import people_of
from graders.workflows.opinions.participants import Circle, circle_of
from graders.workflows.scope.permissions import Scope, needs


def offered(scope: Scope, criterion: CriterionRow, circle: Circle) -> bool:
    """Whether there may be advice on a criterion: many people with many cells, and more than two
    values to choose from."""
    if not criterion.scale.is_discrete or len(criterion.scale.values) < 3:
        return False
    given = counts.opinions_by_author(scope.ws.db, criterion, people_of(circle))
    return sum(count >= MIN_CELLS for count in given.values()) >= MIN_PEOPLE


@dataclass(frozen=True, slots=True)
class Advice:
    """The likeliest value of a cell (None where no person graded it), as a word, with its estimated
    `chance` from 0 to 1, from so many `people`, as a sentence (`words`). `offered` False where too
    few people graded enough: then `words` say what is needed."""

    offered: bool
    value: Value | None
    word: str
    chance: float | None
    people: int
    words: str


@needs("adjudicate")
def advice(scope: Scope, project_name: str, cell_id: int) -> Advice:
    """The value that people's answers point to, each person weighed by how he or she errs."""
    project = scope.project(project_name)
    criteria = {row.id: row for row in projects.criteria(scope.ws, project)}
    cell = cells.load_cells(scope.ws.db, [cell_id]).get(cell_id)
    if cell is None or cell.criterion_id not in criteria:
        raise NotFound(**error_parts("adjudication.no_cell", cell=cell_id))
    row, circle = criteria[cell.criterion_id], circle_of(scope, project)
    needed = say("adjudication.advice.needed", people=MIN_PEOPLE, cells=MIN_CELLS)
    if not offered(scope, row, circle):
        return _none(needed)
    rated, ratings = _ratings(scope, row, people_of(circle))
    values = row.scale.values
    if not worth_it(ratings, len(values)):
        return _none(needed)
    likeliest = likeliest_value(rated, ratings, len(values), cell_id)
    if likeliest is None:
        return _none(say("adjudication.advice.ungraded"))
    value = values[likeliest.position]
    words = say(
        "adjudication.advice.words",
        n=likeliest.people,
        value=row.scale.full(value),
        percent=100 * likeliest.chance,
    )
    return Advice(True, value, row.scale.word(value), likeliest.chance, likeliest.people, words)


def _none(words: str) -> Advice:
    return Advice(False, None, "", None, 0, words)


def _ratings(scope: Scope, row: CriterionRow, people: Sequence[int]) -> tuple[Array, Array]:
    """Cells ascending int[n], and int[P, n] positions of people's values on the scale, -1 missing;
    under the present wording."""
    given = people_opinions(scope.ws.db, row, people)
    by_person = [given[given["author"] == author] for author in distinct(given["author"])]
    return ratings_of([(of["cell"], of["number"]) for of in by_person], row.scale.numbers)
