"""What reading costs, from seconds; what a number of labels can show."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.statistics.budget import half_width, provable_error, routing_labels
from graders.statistics.effort import Cost, reading_cost


def test_reading_and_grading_are_told_apart() -> None:
    answers, cells = np.tile([1, 2, 3], 20), np.tile([4, 2, 3, 9], 15)
    found = reading_cost(40.0 * answers + 5.0 * cells, answers, cells)
    assert found is not None and found.screens == 60
    # the longest are capped
    assert (found.per_answer, found.per_cell) == (
        pytest.approx(40, rel=0.03),
        pytest.approx(5, rel=0.2),
    )
    assert Cost(40, 5, 60).seconds(10, 4) == 420


def test_a_clock_that_went_backwards_and_a_coffee_do_not_count() -> None:
    seconds = [60.0] * 199 + [90_000.0, -5.0, 0.0, float("nan")]
    found = reading_cost(seconds, [2] * len(seconds), [8] * len(seconds))
    # one of 200 lies above the 99th percentile, which is 60 seconds on two answers
    assert found == Cost(30.0, 0.0, 200)
    assert reading_cost([60, 60, -1], [1, 1, 1], [1, 1, 1]) is None


@pytest.mark.parametrize(("error", "labels"), [(0.02, 38), (0.04, 91), (0.06, 210), (0.07, 390)])
def test_what_labels_can_show_is_what_asks_for_them(error: float, labels: int) -> None:
    assert routing_labels(0.1, 0.1, true_error=error) == labels
    found = provable_error(0.1, 0.1, labels)
    assert found is not None and error <= found < error + 0.006
    assert provable_error(0.1, 0.1, 21) is None and provable_error(0.1, 0.1, 22) == pytest.approx(
        1 - 0.8 ** (1 / 22)
    )


def test_the_widest_interval_of_an_agreement() -> None:
    assert half_width(150, deff=1.5) == pytest.approx(1.96 * 0.5 / 10)  # 1.96 sqrt(.25 x 1.5 / 150)
    assert (half_width(0), half_width(100, 1.0)) == (1.0, 0.0)
    with pytest.raises(InputError, match="alpha: found 0, expected a share between 0 and 1"):
        provable_error(0, 0.1, 100)
