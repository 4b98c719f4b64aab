"""The best constant answer."""

from __future__ import annotations

import numpy as np
import pytest

from graders.statistics.constant import best_constant
from tests.statistics.routing_data import PANEL, summeval
from tests.statistics.values import same, same_row


def test_by_hand():
    found = best_constant([0, 2, 2, -1], [0, 0, 1, 1], [1, 2, 3])
    assert (found.code, found.right.value, found.right.n_cells) == (2, pytest.approx(2 / 3), 3)
    # within 1 the middle is right on all three
    assert best_constant([0, 2, 2], [0, 0, 1], [1, 2, 3], 1).code == 1
    # cells drawn with probability 1/3 stand for three
    assert best_constant([0, 2, 2], [0, 1, 2], [1, 2, 3], w=[3, 1, 1]).right.value == pytest.approx(
        3 / 5
    )


def test_ties_go_to_the_middle():
    assert best_constant([0, 1, 2], [0, 1, 2], [1, 2, 3]).code == 1


def test_nothing_to_be_right_about():
    found = best_constant([-1], [0], [1, 2])
    assert (found.code, found.right.status, found.right.reason) == (None, "UNDEFINED", "no cells")


def test_one_question_is_inconclusive():
    assert (
        best_constant(np.zeros(20, int), np.zeros(20, int), [0, 1]).right.status == "INCONCLUSIVE"
    )


@pytest.mark.parametrize(
    ("criterion", "constant", "judge"), [("relevance", ".106", ".264"), ("fluency", ".037", ".096")]
)
def test_a_tolerance_that_a_constant_passes(criterion, constant, judge):
    data = summeval(criterion)
    found = best_constant(data.human - 1, data.g, [1, 2, 3, 4, 5], tolerance=1)
    verdict = data.verdicts[PANEL.index("gpt-4-0314/rts")]
    same(f"3 summeval {criterion}, best constant within 1", found.code + 1, "4")
    errors = 1 - found.right.value, (np.abs(verdict - data.human) > 1).mean()
    same_row(
        f"3 summeval {criterion}, error within 1",
        "constant, gpt4-rts",
        errors,
        f"{constant} {judge}",
    )
