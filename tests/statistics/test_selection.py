"""Whether labelled answers look like the others: no more false alarms than are allowed, and real
differences found."""

from __future__ import annotations

import numpy as np
import pytest

from graders.statistics.selection import ALPHA, Beside, beside, different


def test_by_hand() -> None:
    """Two questions with a label each on one of two answers: s = (1, 0) - the means of l and x."""
    values, labelled = np.array([1.0, 0.0, 1.0, 1.0]), np.array([True, False, True, False])
    found = beside(values, labelled, np.array([5, 5, 9, 9]))
    assert found is not None
    assert (found.labelled, found.others, found.n_labelled, found.n_others) == (1.0, 0.5, 2, 2)
    s = np.array([0.5 * 0.25 + 0.5 * 0.75, 0.5 * 0.25 - 0.5 * 0.25])
    t = s.mean() / (s.std(ddof=1) / np.sqrt(2))
    assert t == pytest.approx(1.0)
    assert found.p == pytest.approx(0.5)  # t = 1 on one degree of freedom


def test_nothing_to_set_beside() -> None:
    ones = np.ones(4)
    assert beside(ones, ones > 0, np.arange(4)) is None
    assert beside(ones, ones < 0, np.arange(4)) is None
    assert beside(np.full(4, np.nan), np.arange(4) > 1, np.arange(4)) is None
    assert beside(np.arange(4.0), np.arange(4) > 1, np.zeros(4, int)) is None
    same = beside(ones, np.arange(4) > 1, np.arange(4))
    assert same is not None and same.p == 1.0
    assert different([]) == []


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
@pytest.mark.parametrize("whole_questions", [True, False])
def test_false_alarms_over_many_values_stay_within_alpha(
    share: float, whole_questions: bool
) -> None:
    """150 questions x 4 answers that hang together, six values of which half are yes or no."""
    draw = np.random.default_rng(7)
    alarms = 0
    g = np.repeat(np.arange(150), 4)
    for _ in range(400):
        level = draw.normal(size=150)[g]
        values = [level + draw.normal(size=600) for _ in range(3)]
        values += [(level + draw.normal(size=600) > 1).astype(float) for _ in range(3)]
        chosen = draw.random(150)[g] < share if whole_questions else draw.random(600) < share
        alarms += bool(different([one for x in values if (one := beside(x, chosen, g))]))
    assert alarms / 400 <= ALPHA + 2.5 * np.sqrt(ALPHA * (1 - ALPHA) / 400)


def test_what_was_chosen_by_a_judge_is_found_first() -> None:
    draw = np.random.default_rng(3)
    judge, other = draw.random((2, 400)) < 0.5
    labelled = ~judge & (draw.random(400) < 0.5)
    g = np.repeat(np.arange(100), 4)
    found = [beside(x.astype(float), labelled, g) for x in (other, judge)]
    assert all(isinstance(one, Beside) for one in found)
    assert different([one for one in found if one is not None]) == [1]
