"""Means of cells with intervals by questions."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.statistics.means import mean_interval

T_9 = 2.262157


def test_one_cell_a_question_is_the_textbook_interval():
    found = mean_interval(np.arange(10.0), np.arange(10))
    # s/sqrt(10) = .957427
    assert (found.value, found.low, found.high) == pytest.approx(
        (4.5, 4.5 - T_9 * 0.957427, 4.5 + T_9 * 0.957427), abs=1e-5
    )
    assert (found.n_cells, found.n_questions, found.status) == (10, 10, "OK")


def test_repeating_the_cells_of_a_question_adds_no_certainty():
    once = mean_interval(np.arange(10.0), np.arange(10))
    thrice = mean_interval(np.repeat(np.arange(10.0), 3), np.repeat(np.arange(10), 3))
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))
    assert (thrice.n_cells, thrice.n_questions) == (30, 10)


def test_weights_undo_unequal_draws():
    # 2 drawn for certain, 8 with probability 1/3: (2 + 3*8)/4
    assert mean_interval([2.0, 8.0], [0, 1], w=[1, 3]).value == pytest.approx(6.5)


def test_the_interval_stays_on_the_scale():
    values = [5.0] * 19 + [2.0]
    assert mean_interval(values, range(20)).high > 5
    assert mean_interval(values, range(20), bounds=(1, 5)).high == 5


def test_all_yes_is_a_share_with_an_exact_interval():
    found = mean_interval([1.0] * 40, range(40), bounds=(0, 1))
    assert (found.value, found.high, found.status) == (1.0, 1.0, "OK")
    assert found.low == pytest.approx(0.025 ** (1 / 40))


def test_a_share_is_scaled_back_to_the_values():
    zero_one = mean_interval([0.0, 1.0] * 10, range(20), bounds=(0, 1))
    one_five = mean_interval([1.0, 5.0] * 10, range(20), bounds=(1, 5))
    assert (one_five.value, one_five.low) == pytest.approx((3.0, 1 + 4 * zero_one.low))


def test_no_spread_is_not_certainty():
    found = mean_interval([3.0] * 20, range(20), bounds=(1, 5))
    assert (found.value, found.low, found.high, found.status) == (3.0, None, None, "INCONCLUSIVE")
    assert found.reason == "all questions have the same mean: no interval can be estimated"


@pytest.mark.parametrize(
    ("values", "status", "reason"),
    [
        ([], "UNDEFINED", "no cells"),
        ([2.0], "INCONCLUSIVE", "fewer than 10 questions"),
        ([1.0, 2.0, 4.0], "INCONCLUSIVE", "fewer than 10 questions"),
    ],
)
def test_too_little(values, status, reason):
    found = mean_interval(values, range(len(values)), bounds=(1, 5))
    assert (found.status, found.reason, found.value is None) == (status, reason, not values)


def test_a_missing_value_must_be_left_out_by_the_caller():
    with pytest.raises(InputError) as found:
        mean_interval([1.0, float("nan")], [0, 1])
    assert (
        str(found.value)
        == "values of cells: found a value that is not a number, expected missing values left out."
    )
