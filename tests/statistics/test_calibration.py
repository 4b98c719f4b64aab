"""Chances that should come true."""

import json
from pathlib import Path

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.statistics import calibration
from graders.statistics.calibration import (
    bin_places,
    brier,
    ece,
    platt,
    question_folds,
    recalibrated,
    reliability,
    wilson,
)
from tests.statistics.values import same, same_row

DATA = Path(__file__).resolve().parents[2] / "../shared/data/nq301"
BEM = "BEM (BERT matching, not an LLM)"


def test_brier_by_hand():
    found, floor = brier([0.9, 0.2, 0.6], [1, 0, 0], [0, 1, 2])
    assert found.value == pytest.approx((0.01 + 0.04 + 0.36) / 3)
    assert floor == pytest.approx((0.09 + 0.16 + 0.24) / 3)
    assert (found.status, found.reason, found.n_cells, found.n_questions) == (
        "INCONCLUSIVE",
        "fewer than 10 questions",
        3,
        3,
    )


def test_brier_of_cells_drawn_with_unequal_probability():
    # the third cell stands for two: (.01 + .04 + 2 x .36) / 4
    assert brier([0.9, 0.2, 0.6], [1, 0, 0], [0, 1, 2], [1, 1, 2]).figure.value == pytest.approx(
        0.1925
    )


def test_brier_over_three_values_by_hand():
    # true value first: (.5² + .3² + .2²)/2 = .19; (.9² + .1² + .8²)/2 = .73
    found, floor = brier([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]], [0, 0], [0, 1])
    assert found.value == pytest.approx((0.19 + 0.73) / 2)
    # (1 - .38)/2 = .31; (1 - .66)/2 = .17
    assert floor == pytest.approx((0.31 + 0.17) / 2)


def test_over_two_values_it_is_the_same_score():
    p, y = np.array([0.9, 0.2, 0.6, 0.5]), [1, 0, 0, 1]
    plain, both = brier(p, y, range(4)), brier(np.column_stack([1 - p, p]), y, range(4))
    assert both.figure.value == pytest.approx(plain.figure.value) and both.floor == pytest.approx(
        plain.floor
    )


def test_calibration_error_by_hand():
    # lower half: mean chance .15, half came true: .35 off; upper half: .85 against 1: .15 off; each
    # half the cells
    assert ece([0.9, 0.1, 0.8, 0.2], [1, 0, 1, 1], range(4), bins=2).figure.value == pytest.approx(
        0.5 * 0.35 + 0.5 * 0.15
    )


def test_a_perfect_predictor_does_not_reach_zero():
    # ten bins of ten coins: E|heads - 5| / 10 = 1.23046875 / 10
    floor = ece([0.5] * 100, [0, 1] * 50, range(100)).floor
    assert floor == pytest.approx(0.123, abs=0.004)
    assert ece([0.5] * 1600, [0, 1] * 800, range(1600)).floor == pytest.approx(0.123 / 4, abs=0.004)


def test_published_floors():
    for n, reference in ((100, ".080"), (500, ".038"), (1500, ".022")):
        # chances as a good judge states them, mostly near 0 or 1; the published ones are not named
        p = np.sin(np.pi / 2 * (np.arange(n) + 0.5) / n) ** 2  # quantiles of Beta(1/2, 1/2)
        same(
            f"8 ECE of a perfect predictor, n {n}",
            ece(p, np.zeros(n, int), range(n)).floor,
            reference,
            within=0.002,
        )


def test_certain_chances_have_no_floor():
    found, floor = ece([0.0] * 10 + [1.0] * 10, [0] * 10 + [1] * 10, range(20), bins=2)
    assert (found.value, floor) == (0.0, 0.0)


def test_bins_hold_equally_many_cells_and_ties_keep_their_order():
    assert bin_places([0.5, 0.5, 0.1, 0.5, 0.9], 2).tolist() == [0, 0, 0, 1, 1]
    assert bin_places([0.2, 0.1], 10).tolist() == [1, 0]


def test_repeating_the_cells_of_a_question_adds_no_certainty():
    generator = np.random.default_rng(3)
    p = generator.random(60)
    y = generator.random(60) < p
    for figure in (brier, ece):
        once = figure(p, y, range(60)).figure
        thrice = figure(np.repeat(p, 3), np.repeat(y, 3), np.repeat(range(60), 3)).figure
        assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high), abs=0.02)
        assert once.low < once.value < once.high


def test_wilson_of_eight_in_ten():
    assert wilson(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=5e-5)
    low, high = wilson(1.0, 20)
    # n/(n + z²) = 20/(20 + 3.8415)
    assert (low, high) == pytest.approx((20 / 23.8415, 1.0), abs=1e-5)


def test_reliability_bins():
    p = [0.2] * 20 + [0.7] * 20
    y = [0] * 16 + [1] * 4 + [1] * 15 + [0] * 5
    low, high = reliability(p, y, range(40), bins=2)
    assert (low.n_cells, low.n_questions, low.chance, low.share, low.shown) == (
        20,
        20,
        pytest.approx(0.2),
        0.2,
        True,
    )
    assert (high.chance, high.share) == (pytest.approx(0.7), 0.75)
    # cells of different questions: the bar is Wilson's, up to the sandwich effect 20/19
    assert (high.low, high.high) == pytest.approx(wilson(0.75, 19), abs=1e-9)


def test_cells_of_one_question_make_a_longer_bar():
    p, y = [0.7] * 40, ([1] * 4 + [0] * 4) * 5
    (apart,) = reliability(p, y, range(40), bins=1)
    (alike,) = reliability(p, y, np.repeat(range(10), 4), bins=1)
    assert alike.high - alike.low > 1.5 * (apart.high - apart.low)


def test_a_small_bin_is_hidden():
    found = reliability([0.1] * 9, [0] * 9, range(9), bins=1)[0]
    assert (found.shown, found.low, found.high, found.share) == (False, None, None, 0.0)
    assert reliability([], [], []) == ()


def test_platt_mends_overconfidence():
    generator = np.random.default_rng(5)
    true = generator.choice([0.3, 0.7], 600)
    y, g = generator.random(600) < true, np.repeat(range(200), 3)
    stated = np.where(true > 0.5, 0.99, 0.01)
    mended = platt(stated, y, g)
    assert mended[stated > 0.5].mean() == pytest.approx(y[stated > 0.5].mean(), abs=0.02)
    # .99 where .7 comes true costs .7 x .01² + .3 x .99² = .294; the truth .7 x .3 = .21
    assert brier(stated, y, g).figure.value == pytest.approx(0.294, abs=0.03)
    assert brier(mended, y, g).figure.value == pytest.approx(0.21, abs=0.01)


def test_platt_does_not_look_at_the_cells_own_question():
    # Only question 0 has ones: without it the other 16 cells say (0 + .5)/(16 + 1).
    y, g = [1] * 4 + [0] * 16, np.repeat(range(5), 4)
    assert platt(np.linspace(0, 1, 20), y, g)[:4].tolist() == pytest.approx([0.5 / 17] * 4)


def test_folds_keep_questions_together_and_are_equally_large():
    g = np.repeat(range(8), [8, 4, 4, 3, 3, 2, 1, 1])
    place = question_folds(g, 3)
    assert all(len(set(place[g == question])) == 1 for question in range(8))
    # 26 cells: 8 | 4 + 3 + 2 | 4 + 3 + 1 + 1
    assert sorted(np.bincount(place).tolist()) == [8, 9, 9]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: brier([1.2], [1], [0]),
            "chances: found one that is missing or not within 0 to 1, expected numbers from 0 to 1.",
        ),
        (
            lambda: ece([float("nan")], [1], [0]),
            "chances: found one that is missing or not within 0 to 1, expected numbers from 0 to 1.",
        ),
        (
            lambda: brier([0.5], [2], [0]),
            "outcomes: found one that is neither 0 nor 1, expected 0 or 1.",
        ),
        (
            lambda: question_folds([0, 1, 1], 5),
            "folds by question: found 2 questions, expected at least 5.",
        ),
    ],
)
def test_what_cannot_be_used(call, said):
    with pytest.raises(InputError) as found:
        call()
    assert str(found.value) == said


def test_no_cells():
    for figure in (brier, ece):
        found, floor = figure([], [], [])
        assert (found.status, found.value, found.reason, floor) == (
            "UNDEFINED",
            None,
            "no cells",
            None,
        )


def test_raw_probabilities_of_bem():
    if not DATA.is_dir():
        pytest.skip(f"the data set nq301 is not beside the checkout (looked in {DATA})")
    human = {
        (r["question_id"], r["model"]): r["value"]
        for r in rows("human.jsonl")
        if r["annotator"] == "adjudicated"
    }
    stated = [r for r in rows("judge.jsonl") if r["judge"] == BEM and r["value"]]
    p = [r["confidence"] for r in stated]
    y = [human[r["question_id"], r["model"]] == "Yes" for r in stated]
    g = np.unique([r["question_id"] for r in stated], return_inverse=True)[1]
    ours = len(p), brier(p, y, g).figure.value, ece(p, y, g).figure.value
    same_row("8 nq301 raw BEM", "rows, Brier, ECE", ours, "1489 .162501 .120882")
    assert 0.01 < calibration.ece(p, y, g).floor < 0.03


def rows(name):
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def test_steps_only_from_so_many_labels_and_where_they_are_better():
    generator = np.random.default_rng(3)
    stated, question = generator.uniform(0, 1, 600), np.repeat(np.arange(120), 5)
    bent = generator.random(600) < np.where(stated < 0.25, 0.05, 0.95)  # one step
    assert recalibrated(stated, bent, question)[0] == "isotonic"
    assert recalibrated(stated[:395], bent[:395], question[:395])[0] == "platt"
    true = generator.random(600) < stated
    assert recalibrated(stated, true, question)[0] == "platt"
