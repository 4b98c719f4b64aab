"""The questions on which one side of a comparison did worst, with both answers and what was said of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graders.statistics.resampling import Array
from graders.store import content
from graders.store.projects import CriterionRow
from graders.workflows._compare import Compared, Side
from graders.workflows._leaderboard import Axis
from graders.workflows._leaderboard_ground import Ground
from graders.workflows._paging import page_of
from graders.workflows._standings import Field, Standing
from graders.workflows.leaderboard import axis_of
from graders.workflows.permissions import Scope
from graders.workflows.seen import mark_seen

CASES_A_PAGE = 10
#: So much of a text stands beside the other; the whole is one click away.
TEXT_LENGTH = 3_000
#: A difference smaller than this is none: sums of fractions leave a rest.
NOTHING = 1e-9


def page_of_cases(
    scope: Scope,
    ground: Ground,
    counted: Sequence[Compared],
    sides: tuple[Side, Side],
    at: tuple[int, int],
    show: str,
    order: str,
    page: int,
) -> dict[str, Any]:
    """A page of questions with both answers, those first where `a` lost most (or won most)."""
    apart, each = differences_of([(one.cells, one.weight if len(counted) > 1 else 1.0) for one in counted], ground.answers, *at, show)
    known = np.flatnonzero(np.isfinite(apart))
    known = known[np.lexsort((known, np.round(apart[known] if order == "worse" else -apart[known], 9)))]
    page, pages, shown = page_of(known.tolist(), page, CASES_A_PAGE)
    place = {(int(q), int(m)): int(s) for q, m, s in zip(*_of_sides(ground, at), strict=True)}
    subjects = {s.id: s.subject for s in content.subjects(scope.ws.db, [place[int(q), side] for q in shown for side in at])}
    mark_seen(scope, subjects)
    rows = []
    for q in shown:
        pair = [subjects[place[int(q), side]] for side in at]
        values = [_values(one, [column[q] for column in found]) for one, found in zip(counted, each, strict=True)]
        rows.append(
            {
                "question_id": pair[0].question.id,
                "question": pair[0].question.text[:400],
                "apart": 100 * float(apart[q]),
                "values": [value for value in values if value is not None],
                **{
                    name: {**side.json(), "text": one.answer.text[:TEXT_LENGTH], "cut": len(one.answer.text) > TEXT_LENGTH}
                    for name, side, one in zip("ab", sides, pair, strict=True)
                },
            }
        )
    told = apart[known]
    return {
        "worse": int((told < -NOTHING).sum()),
        "better": int((told > NOTHING).sum()),
        "same": int((np.abs(told) <= NOTHING).sum()),
        "rows": rows,
        "page": page,
        "pages": pages,
    }


def _of_sides(ground: Ground, at: tuple[int, int]) -> tuple[Any, Any, Any]:
    """Question place, side and subject of both sides' answers."""
    answers = ground.answers
    kept = np.isin(answers.model, at)
    return answers.question[kept], answers.model[kept], answers.subject[kept]


def _values(one: Compared, found: Sequence[Any]) -> dict[str, Any] | None:
    """Both sides' values on one criterion in words, and who gave them; None where one side has none."""
    a, b, people = found
    if not (np.isfinite(a) and np.isfinite(b)):
        return None
    axis = axis_of(one.criterion)
    shown = [_value(one.criterion, axis, float(value)) for value in (a, b)]
    named = {"key": one.criterion.key, "title": one.criterion.criterion.title}
    return {**named, "a": shown[0], "b": shown[1], "apart": axis.by(float(a - b)), "by": "people" if people else one.cells.judge}


def _value(criterion: CriterionRow, axis: Axis, value: float) -> str:
    """A value on 0..1 as the label or number that it is, or as a mean of several."""
    scale = criterion.scale
    if scale.labels and abs(value * (len(scale.labels) - 1) - round(value * (len(scale.labels) - 1))) < NOTHING:
        return scale.labels[round(value * (len(scale.labels) - 1))]
    number = axis.at(value) or 0.0
    return f"{number:.0f} %" if len(scale.labels) == 2 else f"{number:.{axis.decimals}f}".rstrip("0").rstrip(".")


def differences_of(
    found: Sequence[tuple[Standing, float]], answers: Field, a: int, b: int, show: str
) -> tuple[Array, list[tuple[Array, Array, Array]]]:
    """(difference by question, of each criterion (values of a, of b, whether people gave them)), on 0..1, NaN where there is none.

    `found`: cells and weight of each criterion. A side's value is the mean over its cells. With `show` corrected people's values
    count where they labelled both sides and the judge's elsewhere: never one against the other.
    """
    G = len(answers.questions)
    total, weights = np.zeros(G), np.zeros(G)
    each = []
    for cells, weight in found:
        y, f = ([_by_question(cells, values, side, G) for side in (a, b)] for values in (cells.y, cells.f))
        people = np.isfinite(y[0]) & np.isfinite(y[1]) & (show != "judge")
        other = np.full(G, np.nan)
        one, two = (np.where(people, y[side], other if show == "people" else f[side]) for side in (0, 1))
        known = np.isfinite(one) & np.isfinite(two)
        total[known] += weight * (one - two)[known]
        weights[known] += weight
        each.append((one, two, people))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(weights > 0, total / weights, np.nan), each


def _by_question(cells: Standing, values: Array, side: int, G: int) -> Array:
    kept = (cells.model == side) & np.isfinite(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(
            np.bincount(cells.question[kept], weights=values[kept], minlength=G) / np.bincount(cells.question[kept], minlength=G)
        )
