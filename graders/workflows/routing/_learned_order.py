"""How likely each of the machine's values is right, learned from the blind labels of earlier draws
and imports.

That is the order from sure to doubtful where judges are severe or lenient, which only labels
remove. It is learned before a label of the draw is opened that will test it, so it is no more than
a confidence that was fixed before. Answers that carry one of the labels are not tested by it: the
others of the draw are a simple random sample of those without a label, whatever was learned.
Where imported labels test that a coin split by question, whole questions are set apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any, Protocol

from graders.core.derived_judges import LEARNED
from graders.core.hashing import digest
from graders.core.records import KnownCell
from graders.core.scale import Value
from graders.core.shapes import JSON
from graders.judges.learned import LearnedJudge
from graders.statistics import learned
from graders.statistics.arrays import Array, among
from graders.statistics.learned import MIN_LABELS
from graders.statistics.voices import learned_order
from graders.store.answers import content
from graders.store.opinions import lessons
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.learning.known_of_cells import TO_OTHERS, TO_QUESTION, Gathered
from graders.workflows.learning.learn import values_of
from graders.workflows.promise.counted_cells import Cells

#: Where labels are on more of the cells than this, too little is left to be tested: the stated
#: confidence sorts them.
MOST_LABELLED = 0.5


class Gather(Protocol):
    """Reads what machines know of the `wanted` cells of a criterion (bool over its cells), to learn
    from or to sort them."""

    def __call__(self, wanted: Array, *, learning: bool = False) -> Iterator[Gathered]:
        """Some questions at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Earlier:
    """Blind labels to learn from. `values`: cell -> what people said; `answers`: bool over the
    criterion's cells, those of answers that carry a label, also one that is not learned from;
    `body`: how many, by design, and their name, as plain data."""

    values: Mapping[int, Value]
    answers: Array
    body: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        ws: Workspace,
        project: Project,
        criterion: CriterionRow,
        cells: Cells,
        apart: Set[int],
        upto: str = "",
        tests: Callable[[str], bool] | None = None,
    ) -> Earlier | None:
        """The labels of answers (subjects) that are not `apart`, given `upto` a time; None where
        they are too few. `tests`: which questions (ids) a coin gave to a test of imported labels:
        then whole questions are set apart, see `_questions_apart`."""
        given = lessons.labels(ws.db, project, criterion, upto)
        read = cells.those({label.cell_id for label in given})
        usable = frozenset(cells.cell[read & ~cells.of_answers(apart)].tolist())
        found, _, _ = values_of(
            ws, project, criterion.scale, [label for label in given if label.cell_id in usable]
        )
        if len(found) < MIN_LABELS:
            return None
        values = {cell: value for cell, (_, value) in sorted(found.items())}
        designs = Counter(
            {
                label.cell_id: label.design or "imported"
                for label in given
                if label.cell_id in values
            }.values()
        )
        questions = len({question for question, _ in found.values()})
        body = {
            "labels": len(values),
            "questions": questions,
            "designs": dict(sorted(designs.items())),
            "digest": digest(list(values.items())),
        }
        if tests is None:
            return cls(values, cells.of_answers(set(cells.subject[read].tolist())), body)
        used = read & ~cells.of_answers(apart)
        return cls(values, _questions_apart(ws, project, cells, used, tests), body)

    def leaves(self, population: Array) -> bool:
        """Whether enough of some cells is without a label."""
        return bool(
            (population & ~self.answers).sum() >= (1 - MOST_LABELLED) * population.sum() > 0
        )


def _questions_apart(
    ws: Workspace, project: Project, cells: Cells, read: Array, tests: Callable[[str], bool]
) -> Array:
    """bool over the cells: those of questions with a label that was `read`. The others are like the
    questions whose labels test, since a coin chose these. Where questions have different numbers of
    answers that holds of the coin's half alone: a question with many is rarely without a label."""
    found = among(cells.question, cells.question[read])
    answers = set(zip(cells.question.tolist(), cells.subject.tolist(), strict=True))
    if len(set(Counter(question for question, _ in answers).values())) == 1:
        return found
    half = [row for row, key in content.question_keys(ws.db, project).items() if tests(key)]
    return found | ~among(cells.question, half)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What was learned of the wanted cells: `sure` and `chance`, float[n] in the order of the
    cells; and from what, as plain data."""

    sure: Array
    chance: Array
    body: Mapping[str, Any]


def learn_order(
    criterion: CriterionRow,
    cells: Cells,
    wanted: Array,
    earlier: Earlier,
    steps: int,
    gather: Gather,
) -> Found | None:
    """Learn how likely people's value lies within `steps` of the machine's, for the `wanted` cells;
    None where nothing can be learned."""
    judge = LearnedJudge(learner=learned.learn, tolerance=float(steps), label=LEARNED)
    known: list[KnownCell] = []
    for some in gather(cells.those(earlier.values), learning=True):
        known += [replace(cell, people=earlier.values[id_]) for id_, cell in some.known.items()]
    lesson = judge.study(known, criterion.criterion)
    if lesson.refused:
        return None
    chance_of: dict[int, float] = {}
    for some in gather(wanted):
        values = [some.cells[cell].state.suggestion for cell in some.known]
        chances = judge.chances(lesson, list(some.known.values()), values, criterion.criterion)
        chance_of.update(zip(some.known, chances, strict=True))
    sure, chance = learned_order(cells.cell, chance_of, cells.testable(), earlier.answers)
    columns = lesson.columns
    body: JSON = {
        "judges": columns.judges,
        "rules": columns.rules,
        "metrics": columns.metrics,
        "siblings": False,
    }
    body["vectors"] = not {TO_QUESTION, TO_OTHERS}.isdisjoint(columns.metrics)
    return Found(
        sure[wanted], chance[wanted], {**body, "learned": {**earlier.body, "within": steps}}
    )
