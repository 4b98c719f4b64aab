"""The cells of one criterion as the leaderboard counts them: whose answer, what the judge says,
what people said blind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graders.core.derived_judges import LEARNED
from graders.core.preference import is_preference
from graders.core.words import say
from graders.statistics.arrays import among, blank, ints
from graders.statistics.resampling import Array
from graders.statistics.standing import Standing
from graders.statistics.standing_cells import (
    Labels,
    Numbered,
    cells_of_answers,
    counts_at,
    labels_of,
    numbered_answers,
    scaled,
    standing_of,
    values_at,
    which_labels,
)
from graders.store.figures import leaderboard as stored
from graders.store.figures.agreement import LABELLED, people_opinions
from graders.store.figures.results import compares_pairs
from graders.store.opinions import uncounted
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.opinions import grid_cells
from graders.workflows.opinions.narrowing import criteria_under
from graders.workflows.opinions.participants import FOR_ALL, Circle
from graders.workflows.scope.permissions import Scope

#: So many judges are named where each criterion has its own.
NAMED = 3


@dataclass(frozen=True, slots=True)
class Field:
    """The answers that are ranked: models, question rows ascending, and per subject row (ascending)
    its model and question place.

    `versions`: (model, version) of the earlier answers that stand beside the current ones.
    """

    models: tuple[str, ...]
    questions: Array
    subject: Array
    model: Array
    question: Array
    versions: tuple[tuple[str, int], ...] = ()

    @property
    def numbered(self) -> Numbered:
        """The answers as arrays."""
        return Numbered(self.questions, self.subject, self.model, self.question)


def field(scope: Scope, project: Project, versions: Sequence[tuple[str, int]] = ()) -> Field:
    """The current answers, and the earlier ones of these `versions` (model, version) as if they
    were further models'."""
    rows = stored.current_answers(scope.ws.db, project)
    rows += [
        (version_name(*version), *stored.earlier_answers(scope.ws.db, project, *version))
        for version in versions
    ]
    answers = numbered_answers([(subjects, questions) for _, subjects, questions in rows])
    return Field(tuple(model for model, _, _ in rows), *answers, tuple(versions))


def version_name(model: str, version: int) -> str:
    """What the answers of an earlier version are called."""
    return f"{model}@{version}"


def standing(
    scope: Scope,
    criterion: CriterionRow,
    answers: Field,
    circle: Circle,
    judge: str = "",
    filters: Filters = EVERYTHING,
) -> Standing:
    """The cells of a criterion, judged by `judge` or, where that one gave nothing, by the judge
    with most verdicts.

    `filters` narrow down which verdicts of the people in `circle` count, by how and when they were
    given; of the judge they choose the wording alone.
    """
    db, scale = scope.ws.db, criterion.scale
    cell, at = cells_of_answers(
        [
            stored.cells(db, criterion),
            *(stored.earlier_cells(db, criterion, *version) for version in answers.versions),
        ],
        answers.subject,
    )
    author, name = _judge(scope, criterion, circle, judge, filters)
    f = blank(len(cell))
    if author:
        f = scaled(values_at(cell, *stored.judged(db, criterion, author, filters)), scale)
    of = answers.model[at], answers.question[at]
    labels = which_labels(*_labels(scope, criterion, circle, cell, filters), *of)
    if not filters.wording:
        people = [person for person in circle.people if circle.counts(person)]
        reworded = {
            "wordings": uncounted.reworded_cells(db, criterion, people, filters),
            "judge_wordings": uncounted.reworded_cells(db, criterion, [author] if author else []),
        }
        counts = {name: counts_at(cell, ints(cells)) for name, cells in reworded.items() if cells}
        labels = replace(labels, left_out={**labels.left_out, **counts})
    closed = (
        among(cell, stored.closed_parts(db, criterion))
        if criterion.criterion.parts or criterion.criterion.elements
        else None
    )
    return standing_of(name, answers.numbered, at, f, labels, closed)


def _judge(
    scope: Scope, criterion: CriterionRow, circle: Circle, wanted: str, filters: Filters
) -> tuple[int, str]:
    """The judge that is asked for, else the one with most values; (0, "") for none."""
    graders = [i for i, name in sorted(circle.judges.items()) if name in judges(circle)]
    counts = stored.opinions_by_author(scope.ws.db, criterion, graders, filters)
    chosen = max(
        counts, key=lambda i: (circle.judges[i] == wanted, counts[i], circle.judges[i]), default=0
    )
    return chosen, circle.judges.get(chosen, "")


def _labels(
    scope: Scope, criterion: CriterionRow, circle: Circle, cell: Array, filters: Filters
) -> tuple[Labels, Labels]:
    """What people say blind of each cell, on 0..1: of a draw for all, and of any that is no draw
    of another population."""
    final = circle.adjudicated
    everyone = [*circle.people, *([final] if final is not None else [])]
    given = people_opinions(scope.ws.db, criterion, everyone, filters)

    def of(designs: tuple[int, ...]) -> Labels:
        labels = labels_of(
            cell,
            given,
            counting=[person for person in circle.people if circle.counts(person)],
            final=final,
            designs=designs,
            unknown=LABELLED,
        )
        return replace(labels, y=scaled(labels.y, criterion.scale))

    drawn = of(FOR_ALL)
    unknown = (given["design"] == LABELLED).any()
    return drawn, of((*FOR_ALL, LABELLED)) if unknown else drawn


def judges(circle: Circle) -> list[str]:
    """The judges that people's labels can correct: not the one that was learned from these very
    labels, which errs less on them."""
    return sorted(name for name in circle.judges.values() if name != LEARNED)


def ranked(criterion: CriterionRow) -> bool:
    """Whether a criterion's values have a mean: an order, or two labels."""
    return grid_cells.axis(criterion).measure != "none"


def criteria_of_pairs(scope: Scope, project: Project, wording: int = 0) -> list[CriterionRow]:
    """The criteria that say which of two answers is better: they rank models by preference, not by
    means."""
    return [
        c
        for c in criteria_under(scope, project, wording)
        if is_preference(c.scale) and compares_pairs(scope.ws.db, c.id)
    ]


def kept_questions(
    scope: Scope, project: Project, answers: Field, filters: Filters
) -> Array | None:
    """Which question places have a category, task type and language of the filters, bool[G]; None
    where none of these is set."""
    if not (filters.category or filters.task_type or filters.language):
        return None
    return among(answers.questions, stored.questions_with(scope.ws.db, project, filters))


def common_judge(found: Sequence[Standing]) -> str:
    """The judge's name where all criteria have the same, else that each has its own, and which
    these are where they are few."""
    names = sorted({one.judge for one in found if one.judge})
    if len(names) < 2:
        return names[0] if names else ""
    if len(names) > NAMED:
        return say("opinions.own_judges.many")
    return say("opinions.own_judges.named", names=", ".join(names))
