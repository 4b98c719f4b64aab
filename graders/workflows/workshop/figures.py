"""A judge before and after a change, beside people's blind verdicts: what its stored replies say,
and the paired difference.

Nothing of this is a recorded verdict: replies are read from the ledger each time, so that a try
changes no suggestion and no figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from graders.statistics import ceiling, pair_figures
from graders.statistics.opinions import Columns, Opinions
from graders.statistics.pair_figures import Part
from graders.statistics.resampling import Array, Estimate, Interval, shown
from graders.store.opinions import cells as cell_store
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.agreement.ground import Ground
from graders.workflows.calling import judging
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.known_replies import replies


@dataclass(frozen=True, slots=True)
class Said:
    """What a judge's stored replies say: criterion row -> cell row -> number; `calls` it makes
    there, `known` of them answered."""

    numbers: Mapping[int, Mapping[int, float]]
    calls: int
    known: int


def said(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    only: Sequence[int],
    criteria: Sequence[CriterionRow],
) -> Said:
    """What a judge said of those subjects (rows), read from the ledger: what a reply about several
    lost, from the calls about it alone."""
    asked = list(judging.tasks(ws, project, setup, only, afresh=True))
    together = replies(ws, setup, asked)
    again = (
        list(judging.tasks(ws, project, setup, afresh=True, lost=together.lost))
        if together.lost
        else []
    )
    alone = replies(ws, setup, again)
    rows = {row.key: row for row in criteria}
    values: dict[tuple[int, int, str], float] = {}
    for task, verdict in (*together.said, *alone.said):
        if verdict.mark.value is not None and verdict.criterion in rows:
            row = rows[verdict.criterion]
            values[task.subjects[verdict.subject][0].id, row.id, verdict.part] = row.scale.number(
                verdict.mark.value
            )
    cells = cell_store.find(ws.db, list(values))
    numbers: dict[int, dict[int, float]] = {}
    for place, value in values.items():
        if place in cells:
            numbers.setdefault(place[1], {})[cells[place]] = value
    return Said(numbers, len(asked) + len(again), together.known + alone.known)


class Outcome(StrEnum):
    """What a paired difference says of a change."""

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no difference shown"
    INCONCLUSIVE = "INCONCLUSIVE"


@dataclass(frozen=True, slots=True)
class PartFigures:
    """Both sides of a try on the same cells and people.

    Counts of cells and questions, and the cells on which the value `changed`; agreement with people
    `before` and `after` and their paired `difference`, as intervals; raw agreement of both sides
    from 0 to 1, None where nobody is compared; the difference in a word, and all of it as a
    sentence, empty where there is none.
    """

    cells: int
    questions: int
    changed: int
    before: Estimate
    after: Estimate
    raw: list[float] | None
    difference: Estimate
    word: Outcome
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class CriterionFigures:
    """The figures of a try on a criterion (its key): the name of the headline figure, whom it
    compares with, and both parts by name (looked_at, held_out)."""

    key: str
    title: str
    figure: str
    people: list[str]
    parts: Mapping[str, PartFigures]


def criterion_figures(
    found: Ground,
    criterion: CriterionRow,
    opinions: Opinions,
    before: Said,
    after: Said,
    parts: Mapping[str, Array],
    tries: int,
) -> CriterionFigures | None:
    """Per part (name -> bool[n] of cells) agreement with people before and after and their
    difference; None where nobody is compared."""
    one, two = (_column(side.numbers.get(criterion.id, {}), opinions) for side in (before, after))
    used = found.used(opinions)
    planned, _ = found.planned(opinions)
    columns = Columns.of(opinions, used)
    both = ~np.isnan(one) & ~np.isnan(two)
    made = {
        name: _compared(criterion, opinions, columns, planned, one, two, both & inside, tries)
        for name, inside in parts.items()
    }
    if not any(part.cells for part in made.values()):
        return None
    return CriterionFigures(
        key=criterion.key,
        title=criterion.criterion.title,
        figure=pair_figures.lead_name(criterion.scale),
        people=[found.circle.label(person) for person in planned],
        parts=made,
    )


def _column(numbers: Mapping[int, float], opinions: Opinions) -> Array:
    """float[n] of the cells that people graded, NaN where the judge gave no value."""
    return np.array([numbers.get(int(cell), np.nan) for cell in opinions.cells], float)


def _compared(
    criterion: CriterionRow,
    opinions: Opinions,
    columns: Columns,
    planned: Sequence[int],
    one: Array,
    two: Array,
    inside: Array,
    tries: int,
) -> PartFigures:
    """Both sides on the same cells and people, each cell weighted by 1/probability; the difference
    pairs them question by question."""
    sides: tuple[list[Part], list[Part]] = ([], [])
    alike: tuple[list[float], list[float]] = ([], [])
    seen = np.zeros(len(inside), bool)
    for person in planned:
        y = columns.numbers[person]
        mine = inside & ~np.isnan(y)
        if not mine.any():
            continue
        seen |= mine
        w = 1 / columns.probability[person][mine]
        shared = (y[mine], opinions.question[mine], opinions.groups, w)
        for x, parts, raw in zip((one, two), sides, alike, strict=True):
            parts.append(ceiling.part(criterion.scale, x[mine], *shared, intervals=True))
            raw.append(float(np.average(x[mine] == y[mine], weights=w)))
    difference = pair_figures.difference(sides[1], sides[0])
    questions = len(np.unique(opinions.question[seen]))
    return PartFigures(
        cells=int(seen.sum()),
        questions=questions,
        changed=int((one != two)[seen].sum()),
        before=shown(pair_figures.mean(sides[0])),
        after=shown(pair_figures.mean(sides[1])),
        raw=[float(np.mean(raw)) for raw in alike] if sides[0] else None,
        difference=shown(difference),
        word=word(difference, tries),
    )


def word(difference: Interval, tries: int) -> Outcome:
    """``better`` where the interval lies above 0 even when it is widened for the best of so many
    tries (Bonferroni: level 1 - .05/tries); ``worse`` where it lies below 0; ``INCONCLUSIVE`` where
    there is too little; else ``no difference shown``."""
    if (
        difference.value is None
        or difference.low is None
        or difference.high is None
        or difference.status != "OK"
    ):
        return Outcome.INCONCLUSIVE
    freedom = max(1, difference.n_questions - 1)
    # scipy takes half a second to load, which no other command should wait for
    from scipy.special import (
        stdtrit,
    )

    wider = float(stdtrit(freedom, 1 - 0.025 / max(1, tries)) / stdtrit(freedom, 0.975))
    if difference.value - wider * (difference.value - difference.low) > 0:
        return Outcome.BETTER
    return Outcome.WORSE if difference.high < 0 else Outcome.NO_DIFFERENCE
