"""The cells of one criterion as the leaderboard counts them: whose answer, what the judge says,
what people said blind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graders.core.derived_judges import LEARNED
from graders.core.preference import is_preference
from graders.statistics.resampling import Array
from graders.statistics.standing import Standing
from graders.store.figures import leaderboard as stored
from graders.store.figures import reports
from graders.store.opinions import opinions
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.opinions import grid_cells
from graders.workflows.opinions.narrowing import criteria_under
from graders.workflows.opinions.participants import POPULATIONS, Circle
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


def field(scope: Scope, project: Project, versions: Sequence[tuple[str, int]] = ()) -> Field:
    """The current answers, and the earlier ones of these `versions` (model, version) as if they
    were further models'."""
    counts, current = stored.current_answers(scope.ws.db, project)
    earlier = [stored.earlier_answers(scope.ws.db, project, *one) for one in versions]
    models = [model for model, _ in counts] + [version_name(*one) for one in versions]
    sizes = [count for _, count in counts] + [len(rows) for rows in earlier]
    rows = np.concatenate([current, *earlier])
    order = np.argsort(rows["subject"])
    names, place = np.unique(rows["question"], return_inverse=True)
    return Field(
        tuple(models),
        names,
        rows["subject"][order],
        np.repeat(np.arange(len(models)), sizes)[order],
        place[order],
        tuple(versions),
    )


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
    db = scope.ws.db
    rows = np.concatenate(
        [
            stored.cells(db, criterion),
            *(stored.earlier_cells(db, criterion, *one) for one in answers.versions),
        ]
    )
    at, known = _places(answers.subject, rows["subject"])
    cell = rows["cell"][known]
    order = np.argsort(cell)
    cell, at = cell[order], at[order]
    axis = _ends(criterion)
    author, name = _judge(scope, criterion, circle, judge, filters)
    f = np.full(len(cell), np.nan)
    if author:
        given = stored.judged(db, criterion, author, filters)
        place, there = _places(cell, given["cell"])
        f[place] = _unit(given["number"][there], axis)
    y, pi, left_out = _people(scope, criterion, circle, cell, filters)
    if not filters.wording:
        people = [one for one in circle.people if circle.counts(one)]
        reworded = {
            "wordings": opinions.reworded_cells(db, criterion, people, filters),
            "judge_wordings": opinions.reworded_cells(db, criterion, [author] if author else []),
        }
        left_out |= {
            name: _counts(_places(cell, np.array(cells, int))[0], len(cell))
            for name, cells in reworded.items()
            if cells
        }
    y = _unit(y, axis)
    if not (criterion.criterion.parts or criterion.criterion.elements):
        return Standing(
            name,
            answers.model[at],
            answers.question[at],
            f,
            y,
            pi,
            left_out,
            np.ones(len(cell), int),
        )
    closed = np.isin(cell, stored.closed_parts(db, criterion))
    at, f, y, pi, size, left_out = _by_answer(at, f, y, pi, closed, left_out)
    return Standing(name, answers.model[at], answers.question[at], f, y, pi, left_out, size)


def _by_answer(
    at: Array, f: Array, y: Array, pi: Array, closed: Array, left_out: Mapping[str, Array]
) -> tuple[Array, Array, Array, Array, Array, dict[str, Array]]:
    """(answers, judge, people, probability, cells, left out) with one entry per answer; `partly`
    are labels of answers that people labelled in part.

    The judge's value is the mean of the parts that it gave one; people's counts when none of the
    parts lacks it. Parts that are closed (not applicable, not readable) are left out of both, as
    they are in Results.
    """
    answers, entry = np.unique(at, return_inverse=True)
    count = len(answers)

    def sums(values: Array, of: Array) -> Array:
        return np.bincount(entry[of], weights=values[of], minlength=count)

    open_, ones = ~closed, np.ones(len(at))
    judged, labelled = open_ & np.isfinite(f), open_ & np.isfinite(y)
    size, said = sums(ones, open_), sums(ones, labelled)
    chance = np.zeros(count)
    np.maximum.at(chance, entry[labelled], pi[labelled])
    with np.errstate(invalid="ignore", divide="ignore"):
        machine = sums(f, judged) / sums(ones, judged)
        people = np.where(said == size, sums(y, labelled) / said, np.nan)
    left = {
        name: np.bincount(entry, weights=counts, minlength=count)
        for name, counts in left_out.items()
    }
    left["partly"] = np.where(said < size, said, 0.0)
    return answers, machine, people, np.where(chance > 0, chance, 1.0), size.astype(int), left


def _judge(
    scope: Scope, criterion: CriterionRow, circle: Circle, wanted: str, filters: Filters
) -> tuple[int, str]:
    known = [i for i, name in sorted(circle.judges.items()) if name in judges(circle)]
    counts = stored.opinions_by_author(scope.ws.db, criterion, known, filters)
    chosen = max(
        counts, key=lambda i: (circle.judges[i] == wanted, counts[i], circle.judges[i]), default=0
    )
    return chosen, circle.judges.get(chosen, "")


def _people(
    scope: Scope,
    criterion: CriterionRow,
    circle: Circle,
    cell: Array,
    filters: Filters = EVERYTHING,
) -> tuple[Array, Array, dict[str, Array]]:
    """(mean of the people who count or the adjudicated value, probability, what was left out), one
    entry per cell.

    Cells that were chosen because people differ are no sample: what was adjudicated there stands
    only where people were drawn.
    """
    final = circle.adjudicated
    everyone = [*circle.people, *([final] if final is not None else [])]
    total, count = np.zeros(len(cell)), np.zeros(len(cell))
    settled, chosen = np.full(len(cell), np.nan), np.full(len(cell), np.nan)
    pi = np.zeros(len(cell))
    left: dict[str, list[Array]] = {"assisted": [], "other_draws": []}
    designs = [reports.DESIGNS.index(design) for design in POPULATIONS["all"].designs]
    given = reports.people_opinions(scope.ws.db, criterion, everyone, filters)
    for author in np.unique(given["author"]).tolist():
        if author != final and not circle.counts(author):
            continue
        mine = given[given["author"] == author]
        place, there = _places(cell, mine["cell"])
        mine = mine[there]
        value, design, probability = mine["number"], mine["design"], mine["probability"]
        blind = mine["blind"] > 0
        counts = blind & np.isin(design, designs)
        if author == final:
            of_chosen = blind & (design < 0)
            chosen[place[of_chosen]] = value[of_chosen]
        if author != final:
            left["assisted"].append(place[~blind])
            left["other_draws"].append(place[blind & ~counts])
        place, value = place[counts], value[counts]
        pi[place] = np.maximum(pi[place], probability[counts])
        if author == final:
            settled[place] = value
        else:
            total[place] += value
            count[place] += 1
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / count
    settled = np.where(np.isfinite(chosen) & (count > 0), chosen, settled)
    y = np.where(np.isfinite(settled), settled, mean)
    # Cells of a draw whose chance was not noted are as likely as each other.
    left_out = {name: np.concatenate([*places, np.zeros(0, int)]) for name, places in left.items()}
    return (
        y,
        np.where(pi > 0, np.minimum(pi, 1.0), 1.0),
        {name: _counts(at, len(cell)) for name, at in left_out.items() if len(at)},
    )


def _counts(at: Array, size: int) -> Array:
    """How often each of `size` positions is among `at`."""
    return np.bincount(at, minlength=size)


def _places(cell: Array, wanted: Array) -> tuple[Array, Array]:
    """Positions in `cell` (ascending) of those `wanted` that are there, and which of `wanted` these
    are."""
    if not len(cell):
        return np.zeros(0, int), np.zeros(len(wanted), bool)
    at = np.minimum(np.searchsorted(cell, wanted), len(cell) - 1)
    there = cell[at] == wanted
    return at[there], there


def _ends(criterion: CriterionRow) -> tuple[float, float]:
    scale = criterion.scale
    return (0.0, len(scale.labels) - 1.0) if scale.labels else (scale.low, scale.high)


def _unit(values: Array, ends: tuple[float, float]) -> Array:
    return np.asarray((values - ends[0]) / (ends[1] - ends[0]))


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
        if is_preference(c.scale) and reports.compares_pairs(scope.ws.db, c.id)
    ]


def kept_questions(
    scope: Scope, project: Project, answers: Field, filters: Filters
) -> Array | None:
    """Which question places have a category, task type and language of the filters, bool[G]; None
    where none of these is set."""
    if not (filters.category or filters.task_type or filters.language):
        return None
    return np.isin(answers.questions, stored.questions_with(scope.ws.db, project, filters))


def common_judge(found: Sequence[Standing]) -> str:
    """The judge's name where all criteria have the same, else that each has its own, and which
    these are where they are few."""
    names = sorted({one.judge for one in found if one.judge})
    if len(names) < 2:
        return names[0] if names else ""
    return "each criterion's own judge" + (f" ({', '.join(names)})" if len(names) <= NAMED else "")
