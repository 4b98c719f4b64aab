"""The pull of suggestions: arithmetic, coverage of its interval, what it needs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.statistics.anchoring import cells_per_arm, shift, time_ratio
from tests.statistics.values import same


def study(people=4, questions=40, cells=4, pull=0.1, seed=0, spread=0.0):
    """Arms balanced within each person; cells of a person's question are alike (their chances share
    a beta draw)."""
    draw = np.random.default_rng(seed)
    person, question = (
        np.repeat(np.arange(people), questions),
        np.tile(np.arange(questions), people),
    )
    arm = np.concatenate([draw.permutation(np.arange(questions) % 2) for _ in range(people)])
    own = draw.normal(pull, spread, people)[person]
    chance = np.clip(0.72 + own * arm, 0.02, 0.98)
    alike = draw.beta(chance * 4, (1 - chance) * 4)  # ICC 1/(1 + 4) = .2
    equal = draw.random((people * questions, cells)) < alike[:, None]
    return (
        equal.astype(float).ravel(),
        np.repeat(arm, cells),
        np.repeat(person, cells),
        np.repeat(question, cells),
    )


def test_one_person_by_hand():
    equal = [1, 1, 0, 0, 1, 0]
    arm, question = [1, 1, 1, 0, 0, 0], [0, 0, 1, 2, 3, 4]
    found = shift(equal, arm, [7] * 6, question)
    # assisted: questions 0 (2/2) and 1 (0/1), mean .5; blind: 0, 1, 0, mean 1/3
    assert found.interval.value == pytest.approx(1 / 2 - 1 / 3)
    assert found.per_person == pytest.approx([1 / 6])
    # u: .5/2, -.5/2, (1/3)/3, -(2/3)/3, (1/3)/3; se² = 5/4 (.125 + .074074)
    assert found.interval.high - found.interval.value == pytest.approx(
        2.776445 * np.sqrt(1.25 * (0.125 + 0.0740741)), abs=1e-4
    )
    assert (found.interval.status, found.interval.reason) == (
        "INCONCLUSIVE",
        "fewer than 100 blind cells",
    )


def test_the_interval_holds_the_pull_as_often_as_it_says():
    held = [shift(*study(seed=seed), draws=0).interval for seed in range(120)]
    covered = np.mean([one.low <= 0.1 <= one.high for one in held])
    # .95 over 120 runs: standard error .02; cells as independent would give .86
    assert 0.90 <= covered <= 1.0


def test_a_real_pull_is_seen_and_none_is_not():
    strong = shift(*study(questions=80, pull=0.25))
    assert strong.interval.low > 0
    assert strong.p < 0.001
    assert shift(*study(questions=80, pull=0.0, seed=3)).p > 0.05


def test_the_p_value_is_the_share_of_deals_that_pull_as_far():
    equal, arm = np.array([1, 1, 0.5, 0, 0, 1, 0]), np.array([1, 1, 1, 0, 0, 0, 0])
    deals = [np.isin(np.arange(7), chosen) for chosen in combinations(range(7), 3)]
    pulls = np.abs([equal[deal].mean() - equal[~deal].mean() for deal in deals])
    # sums 3 (1 deal of 35) and 2.5 (3), and on the other side 0 (1) and .5 (3)
    exact = np.mean(pulls >= 2.5 / 3 - 1 / 4 - 1e-12)
    assert exact == pytest.approx(8 / 35)
    found = shift(equal, arm, np.zeros(7), np.arange(7), draws=20_000).p
    assert found == pytest.approx(exact, abs=0.012)  # four standard errors


def test_for_people_in_general_five_are_needed():
    few = shift(*study(people=4, questions=80), population="any")
    assert few.interval.reason == "fewer than 5 people"
    many = shift(*study(people=6, questions=80, spread=0.1), population="any").interval
    these = shift(*study(people=6, questions=80, spread=0.1)).interval
    assert many.status == "OK"
    assert many.high - many.low > these.high - these.low


def test_time_is_a_ratio_of_geometric_means():
    _, arm, person, question = study(questions=80)
    seconds = np.where(arm == 1, 5.0, 10.0) * np.exp(
        np.random.default_rng(0).normal(0, 0.1, len(arm))
    )
    seconds[0] = 1e9  # somebody went to lunch
    found = time_ratio(seconds, arm, person, question)
    assert found.value == pytest.approx(0.5, abs=0.02)
    assert found.low < found.value < found.high < 0.6


@pytest.mark.parametrize(("pull", "cells"), [(0.05, "1,997"), (0.10, "465"), (0.15, "189")])
def test_cells_that_each_arm_needs(pull, cells):
    same(f"5 cells per arm for a pull of {pull:.2f}", cells_per_arm(0.7, pull), cells)


def test_what_cannot_be_compared_says_why():
    nothing = shift([], [], [], [])
    assert (nothing.interval.status, nothing.interval.reason, nothing.p) == (
        "UNDEFINED",
        "no cells",
        None,
    )
    one_arm = shift([1, 0], [1, 1], [0, 0], [0, 1])
    assert one_arm.interval.reason == "no person has both arms"
    assert np.isnan(one_arm.per_person).all()
    gaps = shift([1, np.nan, 0], [1, 0, 0], [0, 0, 0], [0, 1, 2])
    assert gaps.interval.n_cells == 2
    same = shift([1, 1], [0, 1], [0, 0], [0, 1]).interval
    assert (same.value, same.low, same.status) == (0.0, None, "INCONCLUSIVE")
    with pytest.raises(InputError, match="arms"):
        shift([1], [2], [0], [0])
