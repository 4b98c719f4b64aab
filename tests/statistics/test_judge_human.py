"""A judge among people: pairs, means, ceiling."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.core.scale import YES_NO, Scale
from tests.support import two_graders
from tests.support.judge_human import judge_human, others_majority, others_mean

FIVE = Scale.from_spec([1, 5])
COLOURS = Scale.from_spec({"labels": ["red", "green", "blue"], "ordered": False})


def noisy(seed, people, scale, cells=120, wrong=0.3):
    """Codes int[people, cells]: a common truth, each entry replaced by a random value with
    probability `wrong`."""
    generator = np.random.default_rng(seed)
    K = len(scale.values)
    truth = generator.integers(0, K, cells)
    return np.where(
        generator.random((people, cells)) < wrong, generator.integers(0, K, (people, cells)), truth
    )


def test_the_mean_of_the_others():
    people = [[0, 4, 2, -1], [2, 4, -1, -1], [4, -1, -1, 3]]
    found = others_mean(people, FIVE.numbers)  # values are 1..5
    # cell 0: others of 1 say 3, 5; of 3: 1, 5; of 5: 1, 3. cell 2: only the first graded it.
    assert found[:, 0].tolist() == [4, 3, 2]
    assert found[:2, 1].tolist() == [5, 5]
    assert np.isnan(found[0, 2]) and found[1, 2] == 3
    assert found[0, 3] == 4


def test_the_majority_of_the_others_drops_ties():
    people = [[0, 0, 2], [0, 1, 2], [1, 2, -1], [1, -1, -1]]
    found = others_majority(people, 3)
    # cell 0: the others of the first say 0, 1, 1; of the third 0, 0, 1. cell 1: the others of each
    # tie.
    assert found[:, 0].tolist() == [1, 1, 0, 0]
    assert found[:, 1].tolist() == [-1, -1, -1, -1]
    assert found[:, 2].tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize(
    "scale", [YES_NO, FIVE, COLOURS], ids=["two labels", "one to five", "no order"]
)
def test_the_mean_over_people_is_the_mean_of_the_pairs(scale):
    rows, g = noisy(1, 4, scale), np.arange(120) // 4
    found = judge_human(rows[0], rows[1:], g, scale)
    assert found.macro.value == pytest.approx(np.mean([p.kappa.value for p in found.pairs]))
    assert found.macro_people.value == pytest.approx(
        np.mean([p.kappa.value for _, _, p in found.between])
    )
    assert [(i, j) for i, j, _ in found.between] == [(0, 1), (0, 2), (1, 2)]
    assert found.macro.low < found.macro.value < found.macro.high
    assert (found.macro.n_cells, found.macro.n_questions, found.macro.status) == (120, 30, "OK")
    assert found.population == "for these 3 people"


def test_with_two_people_the_ceiling_is_their_own_agreement():
    rows, g = noisy(2, 3, FIVE), np.arange(120) // 4
    found = judge_human(rows[0], rows[1:], g, FIVE)
    between = found.between[0][2].kappa
    assert found.ceiling.value == pytest.approx(between.value)
    assert (found.ceiling.low, found.ceiling.high) == pytest.approx((between.low, between.high))
    assert found.at_ceiling.value == pytest.approx(found.macro.value)


def test_people_and_judge_meet_the_same_targets_on_the_same_cells():
    rows, g = noisy(3, 4, COLOURS), np.arange(120) // 4
    rows[0, :40] = -1  # the judge graded two thirds only
    found = judge_human(rows[0], rows[1:], g, COLOURS)
    targets = others_majority(rows[1:], 3)
    expected = []
    for p in range(3):
        used = (targets[p] >= 0) & (rows[0] >= 0)
        expected.append(
            two_graders.pair(rows[1 + p][used], targets[p][used], g[used], COLOURS).kappa.value
        )
    assert found.ceiling.value == pytest.approx(np.mean(expected))
    assert found.ceiling.n_cells == found.at_ceiling.n_cells <= 80


def test_a_copy_of_a_person_is_no_better_than_that_person():
    rows, g = noisy(4, 3, FIVE, wrong=0.4), np.arange(120)
    found = judge_human(rows[0], rows, g, FIVE)
    first = judge_human(rows[1], rows, g, FIVE)
    assert found.pairs[0].kappa.value == 1.0
    assert found.ceiling.value == pytest.approx(first.ceiling.value)


def test_pairs_with_few_cells_stay_out_of_the_mean():
    rows, g = noisy(5, 3, YES_NO), np.arange(120) // 4
    rows[2, 29:] = -1
    found = judge_human(rows[0], rows[1:], g, YES_NO)
    assert found.pairs[1].kappa.n_cells == 29
    assert found.macro.value == pytest.approx(found.pairs[0].kappa.value)
    assert (found.macro_people.status, found.macro_people.reason) == (
        "UNDEFINED",
        "no two of them share 30 cells",
    )


def test_one_person_gives_a_figure_but_no_ceiling():
    rows, g = noisy(6, 2, YES_NO), np.arange(120) // 4
    found = judge_human(rows[0], rows[1], g, YES_NO)
    assert found.macro.value == pytest.approx(found.pairs[0].kappa.value)
    assert (found.macro.status, found.macro.reason) == (
        "INCONCLUSIVE",
        "one person only: how far people agree is not known",
    )
    assert found.pairs[0].kappa.status == "OK"
    for figure in (found.ceiling, found.at_ceiling, found.macro_people):
        assert (figure.status, figure.reason) == ("UNDEFINED", "fewer than 2 people")


def test_a_person_who_always_says_yes_does_not_void_the_others():
    rows, g = noisy(7, 4, YES_NO), np.arange(120) // 4
    judge = np.ones(120, int)
    found = judge_human(judge, np.vstack([rows[1:], np.ones((1, 120), int)]), g, YES_NO)
    assert found.pairs[3].kappa.status == "UNDEFINED"
    # a constant judge agrees with the others by chance alone
    assert found.macro.value == pytest.approx(0)
    assert found.macro.method.startswith("mean of 3;")


def test_five_people_speak_for_people_like_these():
    rows = noisy(8, 6, YES_NO)
    assert (
        judge_human(rows[0], rows[1:], np.arange(120), YES_NO).population == "for people like these"
    )


def test_ranks_need_an_order():
    rows = noisy(9, 3, COLOURS)
    with pytest.raises(InputError, match="spearman on labels without order"):
        judge_human(rows[0], rows[1:], np.arange(120), COLOURS, figure="spearman")
