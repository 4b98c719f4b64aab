"""Strengths from comparisons."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.statistics.bradley_terry import bradley_terry


def games(strengths, questions=200, seed=0):
    """Each question compares all pairs once."""
    draw = np.random.default_rng(seed)
    M = len(strengths)
    a, b = np.triu_indices(M, 1)
    first, second = np.tile(a, questions), np.tile(b, questions)
    chance = 1 / (1 + np.exp(-(strengths[first] - strengths[second])))
    return (
        first,
        second,
        (draw.random(len(first)) < chance).astype(float),
        np.repeat(np.arange(questions), len(a)),
        M,
    )


def test_two_models_are_a_share():
    # 30 of 40, with the prior's pull: near log(3)/2 each way
    found = bradley_terry(
        np.zeros(40, int), np.ones(40, int), [1.0] * 30 + [0.0] * 10, np.arange(40), 2
    )
    assert found.win[0, 1] == pytest.approx(0.75, abs=0.01)
    assert found.intervals[0].value == pytest.approx(-found.intervals[1].value)
    # se of a log odds of 30:10 is sqrt(1/30 + 1/10) = .365, half of it for a centred strength
    assert (found.intervals[0].high - found.intervals[0].low) / 2 / 2.0227 == pytest.approx(
        0.365 / 2, rel=0.05
    )


def test_strengths_are_found_and_covered():
    truth = np.array([-1.0, -0.2, 0.2, 1.0])
    runs = [bradley_terry(*games(truth, 60, seed)) for seed in range(60)]
    covered = np.mean(
        [[i.low <= s <= i.high for i, s in zip(run.intervals, truth, strict=True)] for run in runs]
    )
    assert 0.90 <= covered <= 0.99
    assert np.mean([run.intervals[3].value for run in runs]) == pytest.approx(1.0, abs=0.06)


def test_verdicts_on_one_question_are_one():
    first, second, won, g, M = games(np.array([0.5, -0.5]), 40)
    once = bradley_terry(first, second, won, g, M).intervals[0]
    thrice = bradley_terry(
        np.repeat(first, 3), np.repeat(second, 3), np.repeat(won, 3), np.repeat(g, 3), M
    ).intervals[0]
    assert thrice.high - thrice.low == pytest.approx(once.high - once.low, rel=0.1)


def test_ties_pull_together_and_a_model_that_always_wins_is_finite():
    tied = bradley_terry([0] * 20, [1] * 20, [0.5] * 20, np.arange(20), 2)
    assert tied.intervals[0].value == pytest.approx(0)
    always = bradley_terry([0] * 20, [1] * 20, [1.0] * 20, np.arange(20), 2)
    assert 0.8 < always.win[0, 1] < 1
    # 20 wins of 20 leave room for a chance of .832 (Clopper-Pearson), a log odds of 1.6: half of it
    # for a centred strength
    assert always.intervals[0].low == pytest.approx(0.8, abs=0.3)
    assert tied.intervals[0].reason == "no spread to estimate an interval from"


def test_models_that_nothing_links_are_not_ordered():
    found = bradley_terry([0, 0, 2], [1, 1, 3], [1.0, 0.0, 1.0], [0, 1, 2], 5)
    assert [i.status for i in found.intervals] == [
        "INCONCLUSIVE",
        "INCONCLUSIVE",
        "UNDEFINED",
        "UNDEFINED",
        "UNDEFINED",
    ]
    assert [i.reason for i in found.intervals[2:]] == ["not linked to the others"] * 2 + [
        "compared with none of the others"
    ]


def test_models_that_few_comparisons_link_are_not_ranked():
    # 0, 1 and 2 are compared often, 3 three times and always wins
    first = [0, 1, 2] * 20 + [3] * 3
    second = [1, 2, 0] * 20 + [0, 1, 2]
    won = [1.0, 0.5, 0.0, 0.0, 1.0, 1.0] * 10 + [1.0] * 3
    found = bradley_terry(first, second, won, [i // 3 for i in range(63)], 4)
    assert found.well_linked.tolist() == [True, True, True, False]
    assert [i.status for i in found.intervals] == ["OK", "OK", "OK", "INCONCLUSIVE"]
    assert found.intervals[3].reason == "linked to the others by fewer than 10 comparisons"
    # the mean is that of the ranked
    assert sum(i.value for i in found.intervals[:3]) == pytest.approx(0)

    # two groups that nine comparisons link: only the larger is ranked, with ten both are
    def groups(bridge):
        pairs = [(0, 1), (1, 2), (2, 0), (3, 4)] * 12 + [(0, 3), (1, 4), (2, 3)] * (bridge // 3)
        pairs += [(0, 4)] * (bridge % 3)
        a, b = zip(*pairs, strict=True)
        won = [i % 2 for i in range(len(pairs))]
        return bradley_terry(a, b, won, range(len(pairs)), 5).well_linked.tolist()

    assert groups(9) == [True, True, True, False, False]
    assert groups(10) == [True] * 5


def test_odd_input():
    assert [i.reason for i in bradley_terry([], [], [], [], 2).intervals] == ["no comparisons"] * 2
    assert bradley_terry([0, 0], [1, 1], [1.0, np.nan], [0, 1], 2).intervals[0].n_cells == 1
    with pytest.raises(InputError, match="compared models"):
        bradley_terry([0], [0], [1.0], [0], 2)
    with pytest.raises(InputError, match="outcomes"):
        bradley_terry([0], [1], [2.0], [0], 2)
