"""From columns of cells and opinions to the standing of a criterion: which answer a cell is of,
what the judge and people say there, and answers with parts as one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from graders.core.scale import Scale
from graders.statistics.arrays import find
from graders.statistics.prediction_powered import MIN_QUESTIONS
from graders.statistics.resampling import Array
from graders.statistics.standing import Standing


class Numbered(NamedTuple):
    """Answers by subject row, ascending: the question rows that there are, and per subject its
    model (place in the list it came from) and question place."""

    questions: Array
    subject: Array
    model: Array
    question: Array


def numbered_answers(answers: Sequence[tuple[Array, Array]]) -> Numbered:
    """From (subjects, their questions) of each model."""
    nothing = np.zeros(0, int)
    subject = np.concatenate([*(subjects for subjects, _ in answers), nothing]).astype(int)
    question = np.concatenate([*(questions for _, questions in answers), nothing]).astype(int)
    model = np.repeat(np.arange(len(answers)), [len(subjects) for subjects, _ in answers])
    order = np.argsort(subject)
    questions, place = np.unique(question, return_inverse=True)
    return Numbered(questions, subject[order], model[order], place[order])


def cells_of_answers(cells: Sequence[tuple[Array, Array]], subjects: Array) -> tuple[Array, Array]:
    """(cells ascending, the position of their subject in `subjects`, ascending), without cells of
    other subjects; `cells`: (cells, their subjects)."""
    cell, subject = (np.concatenate([pair[side] for pair in cells]) for side in (0, 1))
    at, there = find(subjects, subject)
    cell = cell[there]
    order = np.argsort(cell)
    return cell[order], at[order]


def values_at(cell: Array, graded: Array, numbers: Array) -> Array:
    """The numbers of the cells `graded`, one entry per `cell` (ascending), NaN where there is
    none."""
    values = np.full(len(cell), np.nan)
    place, there = find(cell, graded)
    values[place] = numbers[there]
    return values


def counts_at(cell: Array, of: Array) -> Array:
    """How often each `cell` (ascending) is among those `of`."""
    return np.bincount(find(cell, of)[0], minlength=len(cell))


def scaled(values: Array, scale: Scale) -> Array:
    """Numbers of a scale on 0..1."""
    low, high = (0.0, len(scale.labels) - 1.0) if scale.labels else (scale.low, scale.high)
    return np.asarray((values - low) / (high - low))


@dataclass(frozen=True, slots=True)
class Labels:
    """What people say of each cell: the mean of the people who count or the adjudicated value (NaN
    for none), the probability of the draw, and how many verdicts do not count, by reason; `within`:
    nobody says how the labelled cells were chosen."""

    y: Array
    pi: Array
    left_out: Mapping[str, Array]
    within: bool = False


def labels_of(
    cell: Array,
    given: Array,
    *,
    counting: Collection[int],
    final: int | None,
    designs: Collection[int],
    unknown: int,
) -> Labels:
    """From structured rows of opinions with author, cell, number, blind, design and probability:
    blind ones of these `designs` by the people `counting`; `final` is the author of adjudicated
    values, `unknown` the design of cells that were chosen in an unknown way.

    Cells that were chosen because people differ are no sample: what was adjudicated there stands
    only where people were drawn.
    """
    size = len(cell)
    total, count, pi = np.zeros(size), np.zeros(size), np.zeros(size)
    settled, chosen = np.full(size, np.nan), np.full(size, np.nan)
    left: dict[str, list[Array]] = {"assisted": [], "other_draws": [], "unknown": []}
    for author in np.unique(given["author"]).tolist():
        if author != final and author not in counting:
            continue
        mine = given[given["author"] == author]
        place, there = find(cell, mine["cell"])
        mine = mine[there]
        value, design, blind = mine["number"], mine["design"], mine["blind"] > 0
        counts = blind & np.isin(design, list(designs))
        if author == final:
            of_chosen = blind & (design < 0)
            chosen[place[of_chosen]] = value[of_chosen]
        else:
            left["assisted"].append(place[~blind])
            left["other_draws"].append(place[blind & ~counts & (design != unknown)])
            left["unknown"].append(place[blind & ~counts & (design == unknown)])
        place, value = place[counts], value[counts]
        pi[place] = np.maximum(pi[place], mine["probability"][counts])
        if author == final:
            settled[place] = value
        else:
            total[place] += value
            count[place] += 1
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / count
    settled = np.where(np.isfinite(chosen) & (count > 0), chosen, settled)
    left_out = {name: np.concatenate([*places, np.zeros(0, int)]) for name, places in left.items()}
    return Labels(
        np.where(np.isfinite(settled), settled, mean),
        # Cells of a draw whose chance was not noted are as likely as each other.
        np.where(pi > 0, np.minimum(pi, 1.0), 1.0),
        {name: np.bincount(at, minlength=size) for name, at in left_out.items() if len(at)},
    )


def which_labels(drawn: Labels, every: Labels, model: Array, question: Array) -> Labels:
    """The labels that figures are made of: those of cells that were `drawn`, which speak for all,
    once each model has them on MIN_QUESTIONS questions that has `every` label on so many; else
    every label, for the labelled cells alone. `model`, `question`: int[n] of the cells.

    It hangs on how many labels there are, not on what they say.
    """
    if np.array_equal(np.isfinite(drawn.y), np.isfinite(every.y)):
        return drawn

    def enough(y: Array) -> set[int]:
        known = np.isfinite(y)
        pairs = np.unique(np.column_stack([model[known], question[known]]), axis=0)
        models, counts = np.unique(pairs[:, 0], return_counts=True)
        return set(models[counts >= MIN_QUESTIONS].tolist())

    sure = enough(drawn.y)
    if sure and enough(every.y) <= sure:
        return drawn
    return replace(every, pi=np.ones(len(every.pi)), within=True)


def standing_of(
    judge: str, answers: Numbered, at: Array, f: Array, labels: Labels, closed: Array | None
) -> Standing:
    """The standing of a criterion from its cells: `at` their answers (positions in `answers`), `f`
    the judge's values and `labels` people's, on 0..1.

    Where the criterion has parts, `closed` says which cells are closed (not applicable, not
    readable), and an entry is an answer; `partly` are labels of answers that people labelled in
    part.
    """
    if closed is None:
        ones = np.ones(len(at), int)
        model, question = answers.model[at], answers.question[at]
        own = (f, labels.y, labels.pi, labels.left_out, ones, labels.within)
        return Standing(judge, model, question, *own)
    rows, entry = np.unique(at, return_inverse=True)
    size = len(rows)

    def sums(values: Array, of: Array) -> Array:
        return np.bincount(entry[of], weights=values[of], minlength=size)

    open_, ones = ~closed, np.ones(len(at))
    judged, labelled = open_ & np.isfinite(f), open_ & np.isfinite(labels.y)
    cells, said = sums(ones, open_), sums(ones, labelled)
    chance = np.zeros(size)
    np.maximum.at(chance, entry[labelled], labels.pi[labelled])
    # The judge's value is the mean of the parts that it gave one; people's counts when none of the
    # parts lacks it. Closed parts are left out of both, as they are in Results.
    with np.errstate(invalid="ignore", divide="ignore"):
        machine = sums(f, judged) / sums(ones, judged)
        people = np.where(said == cells, sums(labels.y, labelled) / said, np.nan)
    left_out = {
        name: np.bincount(entry, weights=counts, minlength=size)
        for name, counts in labels.left_out.items()
    }
    left_out["partly"] = np.where(said < cells, said, 0.0)
    return Standing(
        judge=judge,
        model=answers.model[rows],
        question=answers.question[rows],
        f=machine,
        y=people,
        pi=np.where(chance > 0, chance, 1.0),
        left_out=left_out,
        cells=cells.astype(int),
        within=labels.within,
    )
