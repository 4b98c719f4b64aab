"""A judge before and after a change, beside people's blind verdicts: what its stored replies say,
and the paired difference.

Nothing of this is a recorded verdict: replies are read from the ledger each time, so that a try
changes no suggestion and no figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.statistics import pair_figures
from graders.statistics.opinions import Columns, Opinions
from graders.statistics.paired_change import (
    Change,
    Outcome,
    column,
    on_both,
    outcome,
    paired_change,
)
from graders.statistics.resampling import Array, Estimate, shown
from graders.store.opinions import made_cells
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
        list(judging.tasks_of_lost(ws, project, setup, together.lost, afresh=True))
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
    cells = made_cells.find(ws.db, list(values))
    numbers: dict[int, dict[int, float]] = {}
    for place, value in values.items():
        if place in cells:
            numbers.setdefault(place[1], {})[cells[place]] = value
    return Said(numbers, len(asked) + len(again), together.known + alone.known)


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
    sides = (
        column(before.numbers.get(criterion.id, {}), opinions),
        column(after.numbers.get(criterion.id, {}), opinions),
    )
    used = found.used(opinions)
    planned, _ = found.planned(opinions)
    columns = Columns.of(opinions, used)
    both = on_both(*sides)
    made = {
        name: _part_figures(
            paired_change(criterion.scale, opinions, columns, planned, sides, both & inside), tries
        )
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


def _part_figures(change: Change, tries: int) -> PartFigures:
    return PartFigures(
        cells=change.cells,
        questions=change.questions,
        changed=change.changed,
        before=shown(change.before),
        after=shown(change.after),
        raw=change.raw,
        difference=shown(change.difference),
        word=outcome(change.difference, tries),
    )
