"""Position bias of a judge that says which of two answers is better."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from graders.core.preference import outcome
from graders.core.scale import Scale
from graders.statistics import bias
from graders.statistics.resampling import Array, Interval, undefined
from graders.workflows._diagnose_figures import UNMET, Beside
from graders.workflows._pair_orders import Orders

#: (question, first model, second model, number of the value)
Compared = tuple[int, str, str, float]
#: (question, what was said in each order)
Asked = tuple[int, Orders]
ONE_ORDER = "no pair was compared in both orders"


def position(scale: Scale, of: Beside, compared: Iterable[Compared], asked: Iterable[Asked] = ()) -> dict[str, Interval]:
    """``first``: how much more the answer shown first wins; ``changed``: share of pairs whose winner changes with the order.

    From pairs that are there in both orders (`compared`) and those that the judge was `asked` about in both, which need no label; where
    there are none, ``first`` is what it wins more often than people say.
    """
    first, second, question = _both_orders(scale, compared, asked)
    if len(first):
        found = bias.position(first, second, question)
        return {"first": bias.severity(first, second, question), "changed": found.changed}
    changed = undefined(ONE_ORDER)
    if not len(of.f):
        return {"first": undefined(UNMET), "changed": changed}
    judged, human = (_outcomes(scale)[values.astype(int)] for values in (of.f, of.y))
    return {"first": bias.position_from_one_order(judged, human, of.g, w=of.w), "changed": changed}


def _outcomes(scale: Scale) -> Array:
    return np.array([outcome(label) for label in scale.labels])


def _both_orders(scale: Scale, compared: Iterable[Compared], asked: Iterable[Asked]) -> tuple[Array, Array, Array]:
    """What one answer of each pair gets when it stands first, and when it stands second, and the question."""
    won = _outcomes(scale)
    known = {(question, a, b): won[int(number)] for question, a, b, number in compared}
    rows = [(*orders, question) for question, orders in asked]
    rows += [
        (value, 1 - known[question, b, a], question) for (question, a, b), value in known.items() if a < b and (question, b, a) in known
    ]
    one, two, question = np.array(rows, float).reshape(-1, 3).T
    return one, two, question
