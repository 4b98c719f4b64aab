"""A judge learned from labels: what it needs, what it computes, and when it may judge."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.linear_model import Ridge

from graders.core.derived_judges import LabelValues
from graders.core.errors import InputError
from graders.statistics.learned import decide, learn, shortfall
from graders.statistics.line import fit_line
from graders.statistics.multinomial import cross_fit, fit

NAN = float("nan")


@pytest.mark.parametrize(
    ("p", "tolerance", "code", "confidence"),
    [
        ([0.4, 0.0, 0.35, 0.25], 0, 0, 0.4),
        ([0.4, 0.0, 0.35, 0.25], 1, 1, 0.75),  # 1: .4, 2: .4 + 0 + .35, 3: .6, 4: .6
        ([0.4, 0.0, 0.35, 0.25], 2, 2, 1.0),  # 2 and 3 reach everything: 3 is the likelier one
        ([0.2, 0.8, 0.0, 0.0], 1, 1, 1.0),  # 1 and 2 reach as much: 2 is the likelier one
        ([0.1, 0.2, 0.3, 0.4], 0, 3, 0.4),
    ],
)
def test_the_verdict_is_the_value_that_is_most_surely_near(p, tolerance, code, confidence):
    found = decide([p], [1, 2, 3, 4], tolerance)
    assert (found.codes.tolist(), found.confidence.tolist()) == (
        [code],
        pytest.approx([confidence]),
    )


def test_chances_are_those_of_every_suggestion():
    found = decide([[0.4, 0.0, 0.35, 0.25]], [1, 2, 3, 4], 1)
    assert found.chances[0].tolist() == pytest.approx([0.4, 0.75, 0.6, 0.6])


@pytest.mark.parametrize(
    ("no", "yes", "questions", "said"),
    [
        (0, 0, 0, "needs 50 more labels"),
        (18, 20, 38, "needs 12 more labels"),
        (24, 25, 49, "needs 1 more label"),
        (4, 56, 60, "needs 6 more labels other than Yes"),
        (4, 36, 40, "needs 10 more labels, 6 of them other than Yes"),
        (56, 4, 60, "needs 6 more labels other than No"),
        (25, 25, 4, "needs labels on 1 more question"),
        (10, 40, 50, ""),
    ],
)
def test_too_few_labels(no, yes, questions, said):
    y = [0] * no + [1] * yes
    assert shortfall(y, np.arange(len(y)) % max(questions, 1), ["No", "Yes"]) == said


def test_without_a_useful_feature_the_chance_is_the_share():
    model = fit([[3.0]] * 4, [1, 1, 1, 0])
    assert model.probabilities([[3.0]], 2)[0].tolist() == pytest.approx([0.25, 0.75], abs=1e-4)


def test_the_model_minimises_the_stated_loss():
    x = np.array([0.0, 1, 2, 3, 4, 5, 6, 7])
    y = np.array([0, 0, 1, 0, 1, 0, 1, 1])
    model = fit(x[:, None], y, C=0.3)
    z = (x - x.mean()) / x.std()
    p = model.probabilities(x[:, None], 2)[:, 1]
    weight = model.weights[1, 0]
    # |w|²/2 + C x log loss is least where w = C x sum (y - p) z, and the intercept is free: sum (y
    # - p) = 0
    assert weight == pytest.approx(0.3 * ((y - p) * z).sum(), abs=1e-3)
    assert (y - p).sum() == pytest.approx(0, abs=1e-3)


def test_a_missing_value_is_information():
    # Where the feature is missing, the label is 1.
    x = [[1.0], [2.0], [NAN], [NAN]] * 10
    model = fit(x, [0, 0, 1, 1] * 10)
    known, missing = model.probabilities([[1.5], [NAN]], 2)[:, 1]
    assert known < 0.2 and missing > 0.8


def test_columns_missing_together_share_an_indicator():
    x = np.array([[1, 2, 3, 4], [NAN, NAN, 5, NAN], [2, 3, 4, 5], [4, 4, 4, NAN]])
    assert fit(x, [0, 1, 0, 1]).patterns in ((0, 3), (3, 0))


def test_a_feature_that_is_never_there_changes_nothing():
    x = np.array([[1.0], [2.0], [3.0], [4.0]])
    y = [0, 1, 0, 1]
    with_nothing = np.column_stack([x, np.full(4, NAN)])
    assert fit(with_nothing, y).probabilities(with_nothing, 2) == pytest.approx(
        fit(x, y).probabilities(x, 2), abs=1e-6
    )


def test_labels_of_one_value_only():
    assert fit([[1.0], [2.0]], [2, 2]).probabilities([[9.0]], 4)[0].tolist() == [0, 0, 1, 0]


def test_the_order_of_a_scale_is_known_from_few_labels():
    gains = []
    for seed in range(4):
        generator = np.random.default_rng(seed)
        x = generator.normal(size=(800, 6))
        y = np.clip(
            np.round(4 + x @ [1.8, 1, 0, 0, 0, 0] + generator.normal(scale=0.7, size=800)), 0, 8
        ).astype(int)
        some = np.arange(800) < 40
        plain, ordered = (
            fit(x[some], y[some], ordered=which).probabilities(x[~some], 9)
            for which in (False, True)
        )
        assert ordered.sum(axis=1) == pytest.approx(np.ones(760)) and ordered.min() >= 0
        gains.append(
            1
            - ((ordered - np.eye(9)[y[~some]]) ** 2).sum()
            / ((plain - np.eye(9)[y[~some]]) ** 2).sum()
        )
    assert min(gains) > 0.01


def test_the_line_gives_what_a_regression_gives():
    generator = np.random.default_rng(7)
    z = generator.normal(size=(50, 2))
    y = np.clip(np.round(2 + z[:, 0] + generator.normal(scale=0.5, size=50)), 0, 4)
    line = fit_line(z, y)
    found = Ridge(alpha=3.0, fit_intercept=False).fit(z, y - y.mean())
    assert line.slopes == pytest.approx(found.coef_) and line.level == pytest.approx(y.mean())
    p = line.probabilities(z[:3], 5)
    middle = z[:3] @ line.slopes + line.level
    assert p[:, 2] == pytest.approx(
        norm.cdf(2.5, middle, line.spread) - norm.cdf(1.5, middle, line.spread)
    )
    assert p.sum(axis=1) == pytest.approx(np.ones(3))


def test_where_near_is_right_the_line_has_a_third_of_the_say():
    generator = np.random.default_rng(8)
    x = generator.normal(size=(60, 2))
    y = np.clip(np.round(2 + x[:, 0]), 0, 4).astype(int)
    exact, near = (fit(x, y, ordered=True, near=which) for which in (False, True))
    line = near.line.probabilities((x - near.centre) / near.spread, 5)
    assert near.probabilities(x, 5) == pytest.approx((2 * exact.probabilities(x, 5) + line) / 3)


def test_two_values_have_no_order_to_learn():
    x = np.random.default_rng(6).normal(size=(80, 2))
    y = (x[:, 0] > 0).astype(int)
    assert fit(x, y, ordered=True).probabilities(x, 2) == pytest.approx(
        fit(x, y).probabilities(x, 2)
    )


def test_no_cell_is_judged_by_a_model_that_saw_its_question():
    # The features name the question and nothing else; the label depends on the question alone.
    g = np.repeat(range(20), 4)
    x, y = np.eye(20)[g], g % 2
    seen = fit(x, y, C=100).probabilities(x, 2)[np.arange(80), y]
    unseen = cross_fit(x, y, g, 2)[np.arange(80), y]
    assert seen.min() > 0.9 and unseen.max() < 0.6


def study(n=300, sharp=2.0, judge_right=0.7, seed=1):
    """Labels on n/3 questions, one feature that tells them (the less so the lower `sharp`), a judge
    of known quality."""
    generator = np.random.default_rng(seed)
    y = generator.integers(0, 2, n)
    x = (sharp * (y - 0.5) + generator.normal(size=n))[:, None]
    judge = np.where(generator.random(n) < judge_right, y, 1 - y).astype(float)
    return x, y, np.arange(n) // 3, judge, np.full(n, NAN)


def test_it_judges_where_it_beats_the_best_judge():
    x, y, g, judge, silent = study()
    found = learn(
        x,
        y,
        g,
        LabelValues([0, 1]),
        judges={"weak": (1 - judge, silent), "strong": (judge, silent)},
    )
    assert (
        found.rival.name == "the best constant"
    )  # 30 % wrong and sure of it scores .3, the bare share .25
    assert found.deployed and found.rival.gain.low > 0
    assert found.brier.figure.value < 0.2 < 0.25 == pytest.approx(found.rival.brier, abs=0.01)
    # sharp 2: cells lie 1 from the border, and a normal deviate is below 1 in 84 % of them
    assert found.right.value == pytest.approx(0.84, abs=0.05)


def test_it_only_tells_chances_where_a_judge_is_better():
    x, y, g, judge, silent = study(sharp=1.0, judge_right=0.95)
    found = learn(x, y, g, LabelValues([0, 1]), judges={"strong": (judge, silent)})
    assert (found.deployed, found.rival.name) == (False, "strong")
    # sure of all: the share of errors
    assert found.rival.brier == pytest.approx(1 - found.rival.right)
    assert found.rival.right == pytest.approx((judge == y).mean())
    assert found.why.endswith(
        "It only tells how likely a suggestion is right: that is not clearly better."
    )
    assert found.out_of_fold.chances.shape == (300, 2)


def test_knowing_nothing_is_no_gain_over_the_constant():
    _, y, g, judge, silent = study(judge_right=0.66)
    found = learn(np.zeros((300, 1)), y, g, LabelValues([0, 1]), judges={"strong": (judge, silent)})
    assert (found.rival.name, found.deployed) == ("the best constant", False)
    assert found.rival.gain.value == pytest.approx(0, abs=1e-5)


def test_better_chances_do_not_make_up_for_worse_verdicts():
    # The judge is right in 66 %, and sure of all: .34, worse than the bare share, .25. The learned
    # one is better than both, but sharp .5 means .25 from the border: right in 60 %.
    x, y, g, judge, silent = study(n=1500, sharp=0.5, judge_right=0.66)
    found = learn(x, y, g, LabelValues([0, 1]), judges={"strong": (judge, silent)})
    assert (found.rival.name, found.rival.surest) == ("the best constant", "strong")
    assert found.rival.gain.low > 0.001 and found.rival.gain_right.high < 0
    assert not found.deployed
    assert found.why.endswith(
        "It only tells how likely a suggestion is right: it is less often right than strong."
    )


def test_a_judge_is_taken_at_its_better_face():
    x, y, g, judge, _ = study(sharp=0.5, judge_right=0.8)
    found = learn(x, y, g, LabelValues([0, 1]), judges={"modest": (judge, np.full(300, 0.8))})
    right = (judge == y).mean()
    # as it says: .2² where right, .8² where wrong; wholly sure it would be the share of errors,
    # about .2
    assert found.rival.brier == pytest.approx(right * 0.04 + (1 - right) * 0.64)


def test_a_judge_that_graded_few_labels_is_no_rival():
    x, y, g, judge, silent = study(judge_right=1.0)
    judge[120:] = NAN
    assert (
        learn(x, y, g, LabelValues([0, 1]), judges={"rare": (judge, silent)}).rival.name
        == "the best constant"
    )


def test_a_tolerance_that_a_constant_passes_earns_nothing():
    generator = np.random.default_rng(2)
    y = generator.choice([2, 3, 4], 200, p=[0.2, 0.6, 0.2])
    found = learn(
        generator.normal(size=(200, 2)),
        y,
        np.arange(200) // 2,
        LabelValues([1, 2, 3, 4, 5]),
        tolerance=1,
    )
    # "4" is within 1 of 3, 4 and 5: always right, and so is the learned one
    assert (found.right.value, found.rival.right, found.rival.name, found.deployed) == (
        1.0,
        1.0,
        "the best constant",
        False,
    )


def test_figures_weigh_by_one_over_probability():
    x, y, g, _, _ = study()
    w = np.where(y == 1, 4.0, 1.0)
    found = learn(x, y, g, LabelValues([0, 1]), w=w)
    hit = found.out_of_fold.codes == y
    assert found.right.value == pytest.approx((w * hit).sum() / w.sum())


def test_too_few_labels_are_refused_in_words():
    found = learn(np.zeros((38, 1)), [0, 1] * 19, range(38), LabelValues([0, 1], ["No", "Yes"]))
    assert (found.refused, found.deployed, found.model) == ("needs 12 more labels", False, None)
    assert found.why == "Nothing is learned yet: it needs 12 more labels."
    with pytest.raises(InputError) as said:
        found.predict([[0.0]])
    assert (
        str(said.value)
        == "learned judge: found no model, expected enough labels. needs 12 more labels"
    )


def test_what_it_rests_on():
    x, y, g, _, _ = study()
    found = learn(x, y, g, LabelValues([0, 1]))
    score, gain = found.brier.figure, found.rival.gain
    assert found.why == (
        f"Learned from 300 labels on 100 questions; Brier score {score.value:.3f} ({score.low:.3f} to {score.high:.3f}), "
        f"{found.brier.floor:.3f} if its chances were exact; the best constant {found.rival.brier:.3f}, "
        f"a gain of {gain.value:.3f} ({gain.low:.3f} to {gain.high:.3f}). It judges by itself."
    )


def test_the_same_labels_give_the_same_judge():
    x, y, g, judge, silent = study()
    first, second = (
        learn(x, y, g, LabelValues([0, 1]), judges={"j": (judge, silent)}) for _ in range(2)
    )
    assert (first.brier, first.why) == (second.brier, second.why)
    assert np.array_equal(first.out_of_fold.chances, second.out_of_fold.chances)
