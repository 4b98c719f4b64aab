"""Corrected means of models: their values on public data, what unequal draws, few labels and odd
input do to them."""

from __future__ import annotations

from dataclasses import replace
from math import erf

import numpy as np
import numpy.typing as npt
import pytest

from graders.core.errors import InputError
from graders.statistics.influence import combine, influence
from graders.statistics.prediction_powered import (
    Differences,
    differences,
    gains,
    intervals,
    ppi,
    rank_intervals,
    rogan_gladen,
)
from graders.statistics.ranking import two
from tests.statistics.published import systems
from tests.statistics.values import same, same_row


def grid(y, f, labelled, pi=None):
    """The arguments of `ppi` from values float[questions, models]."""
    Q, M = y.shape
    chance = np.full(Q, labelled.mean() or 1.0) if pi is None else pi
    return (
        y.ravel(),
        np.repeat(labelled, M),
        f.ravel(),
        np.repeat(chance, M),
        np.repeat(np.arange(Q), M),
        np.tile(np.arange(M), Q),
    )


def some_models(Q=200, M=4, labelled=60, seed=0):
    """A judge that errs on a fifth of the cells, and people."""
    draw = np.random.default_rng(seed)
    y = (draw.random((Q, M)) < np.linspace(0.5, 0.9, M)).astype(float)
    f = np.where(draw.random((Q, M)) < 0.2, 1 - y, y)
    return y, f, np.arange(Q) < labelled


def simple_random(
    y: npt.ArrayLike, f: npt.ArrayLike, f_unlabelled: npt.ArrayLike, lam: float | None = None
) -> tuple[float, float, float]:
    """(mean, standard error, λ) of one model from a simple random sample of independent cells, as
    Angelopoulos et al. write it.

    theta = λ mean_U(f) + mean_L(y - λ f); variance λ² s²_U(f) / N_U + s²_L(y - λ f) / n; λ =
    cov_L(y, f) / ((1 + n / N_U) var f), within 0 to 1. `y`, `f`: float[n] of labelled cells,
    `f_unlabelled`: float[N_U]. The λ of `ppi` is this one times N / N_U.
    """
    human, judged, rest = (np.asarray(values, float) for values in (y, f, f_unlabelled))
    n, others = len(human), len(rest)
    if lam is None:
        spread = float(np.var(np.concatenate([judged, rest]), ddof=1))
        lam = (
            float(np.clip(np.cov(human, judged)[0, 1] / ((1 + n / others) * spread), 0, 1))
            if spread > 0
            else 0.0
        )
    theta = lam * rest.mean() + (human - lam * judged).mean()
    variance = lam**2 * rest.var(ddof=1) / others + (human - lam * judged).var(ddof=1) / n
    return float(theta), float(np.sqrt(variance)), lam


@pytest.mark.parametrize(
    ("system", "means", "plain", "tuned"),
    [
        ("EMDR2", ".8333 .8099 .7490", ".8321 .0528", ".8328 .0392 .4507"),
        ("text-davinci-003_zeroshot", ".7000 .7414", ".8173", ".7746 .0441 .6357"),
    ],
)
def test_sixty_labelled_questions_of_nq301(system, means, plain, tuned):
    names, questions, human, judges = systems()
    same(f"4 {system}, questions", len(questions), "263")
    y, f = human[:, names.index(system)], judges["gpt-4"][:, names.index(system)]
    for what, ours, reference in zip(
        ("people", "truth", "judge"),
        (y[:60].mean(), y.mean(), f.mean()),
        means.split(),
        strict=False,
    ):
        same(f"4 {system}, {what}", ours, reference)
    for what, ours, reference in zip(
        ("λ=1", "λ=1 se"), simple_random(y[:60], f[:60], f[60:], 1.0), plain.split(), strict=False
    ):
        same(f"4 {system}, {what}", ours, reference)
    found = simple_random(y[:60], f[:60], f[60:])
    same_row(f"4 {system}", "PPI++, PPI++ se, λ*", found, tuned)
    # Hájek's form with the same λ is the same estimate: λ N / N_U, since its mean of f is over all
    # cells.
    everything = ppi(
        y,
        np.arange(263) < 60,
        f,
        np.full(263, 60 / 263),
        np.arange(263),
        np.zeros(263, int),
        lam=found[2] * 263 / 203,
    )
    (hajek,) = everything.intervals
    assert hajek.value == pytest.approx(found[0], abs=1e-12)
    assert (hajek.high - hajek.low) / 2 == pytest.approx(2.0010 * found[1], rel=2e-3)


def test_lambda_pooled_over_the_systems_of_nq301():
    names, _, y, judges = systems()
    f = judges["gpt-4"]
    at = names.index("text-davinci-003_zeroshot")
    above = [np.cov(y[:60, m], f[:60, m])[0, 1] for m in range(12)]
    below = [(1 + 60 / 203) * np.var(f[:, m], ddof=1) for m in range(12)]
    pooled = sum(above) / sum(below)
    ours = pooled, simple_random(y[:60, at], f[:60, at], f[60:, at], pooled)[0]
    same_row("4 text-davinci-003_zeroshot", "pooled λ, PPI++ of it", ours, ".5506 .7646")
    found = ppi(*grid(y, f, np.arange(263) < 60))
    assert found.lam[0] * 203 / 263 == pytest.approx(0.5506, abs=0.03)
    assert np.ptp(found.lam) == 0
    assert np.median(found.gain) > 1.4


def test_lambda_nought_is_the_mean_of_the_labels_with_its_textbook_interval():
    y = np.array([1.0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1])
    found = ppi(
        y, np.ones(12, bool), np.zeros(12), np.ones(12), np.arange(12), np.zeros(12, int), lam=0.0
    ).intervals[0]
    # mean 7/12, s²/n = (7/12 * 5/12 * 12/11)/12 = .0220960, t(11) = 2.200985
    assert (found.value, found.high - found.value) == pytest.approx(
        (7 / 12, 2.200985 * 0.148647), abs=1e-5
    )
    assert (found.status, found.n_cells, found.n_questions) == ("OK", 12, 12)


def test_unequal_chances_are_undone():
    draw = np.random.default_rng(1)
    y = (draw.random(4000) < 0.5).astype(float)
    f = np.where(draw.random(4000) < 0.1, 1 - y, y)
    pi = np.where(y == f, 0.1, 0.5)  # people see where the judge errs
    labelled = draw.random(4000) < pi
    found = ppi(y, labelled, f, pi, np.arange(4000), np.zeros(4000, int)).intervals[0]
    assert abs(found.value - y.mean()) < 0.05
    assert found.low < y.mean() < found.high


def test_a_draw_that_is_half_labelled_weighs_as_much_as_one_that_is_done():
    y, f, labelled = some_models()
    whole, half = (ppi(*grid(y, f, labelled, np.full(200, pi))) for pi in (0.3, 0.6))
    assert [one.value for one in whole.intervals] == pytest.approx(
        [one.value for one in half.intervals]
    )
    assert [one.low for one in whole.intervals] == pytest.approx(
        [one.low for one in half.intervals]
    )


def test_labels_that_are_all_alike_borrow_their_spread_from_other_models():
    y, f, labelled = some_models(labelled=20)
    y[:20, 3] = 1.0
    f[:20, 3] = 1.0
    own = ppi(*grid(y, f, labelled), lam=0.0, shrink=0).intervals[3]
    shrunk = ppi(*grid(y, f, labelled), lam=0.0).intervals[3]
    assert (own.low, own.status) == (None, "INCONCLUSIVE")
    assert shrunk.status == "OK"
    assert shrunk.high - shrunk.low > 0.1


def test_a_single_model_of_one_value_is_inconclusive_with_the_reason():
    n = 20
    found = ppi(
        np.ones(n), np.ones(n, bool), np.ones(n), np.ones(n), np.arange(n), np.zeros(n, int)
    ).intervals[0]
    assert (found.value, found.low, found.status) == (1.0, None, "INCONCLUSIVE")
    assert "no other model to learn from" in found.reason


def test_intervals_of_no_width_gain_nothing_that_could_be_told():
    y, f, labelled = some_models(labelled=20)
    wide = ppi(*grid(y, f, labelled)).intervals[0]
    assert np.isnan(gains([replace(wide, low=1.0, high=1.0)], [wide])).all()


def test_nine_questions_are_inconclusive_and_none_is_undefined():
    y, f, _ = some_models(Q=40)
    found = ppi(*grid(y, f, np.arange(40) < 9)).intervals[0]
    assert (found.status, found.reason) == ("INCONCLUSIVE", "fewer than 10 labelled questions")
    none = ppi(*grid(y, f, np.zeros(40, bool))).intervals[0]
    assert (none.value, none.status, none.reason, none.n_cells) == (
        None,
        "UNDEFINED",
        "no blind labels",
        40,
    )


def test_nothing_gives_no_intervals():
    empty = np.zeros(0)
    found = ppi(empty, empty, empty, empty, empty.astype(int), empty.astype(int))
    assert (found.intervals, len(found.gain)) == ((), 0)


def test_a_missing_value_of_the_judge_is_refused():
    with pytest.raises(InputError, match="values of the judge: found a missing one"):
        ppi([1.0], [True], [np.nan], [1.0], [0], [0])
    with pytest.raises(InputError, match="human values: found a labelled cell without one"):
        ppi([np.nan], [True], [1.0], [1.0], [0], [0])
    with pytest.raises(InputError, match="probabilities of the draw"):
        ppi([1.0], [True], [1.0], [0.0], [0], [0])


def test_one_question_has_a_mean_but_no_interval():
    found = ppi([1.0, 0.0], [True, True], [1.0, 1.0], [1.0, 1.0], [0, 0], [0, 0]).intervals[0]
    assert (found.low, found.status) == (None, "INCONCLUSIVE")


def test_one_question_orders_no_two_models():
    y, f, _ = some_models(12, 2)
    found = differences(influence(*grid(y, f, np.arange(12) < 1), lam=1.0))
    assert found.se[0, 1] > 0  # of the judge's values, which are of all twelve
    assert np.isnan(found.p_flip[0, 1])
    assert rank_intervals(found)[1].tolist() == [2, 2]


def test_an_order_is_told_where_the_interval_holds_no_0() -> None:
    d = np.array([[0.0, 2.2, 1.9, 2.2], [-2.2, 0.0, 0.0, 0.0]])
    flip = np.array([[0.5, 0.01, 0.03, np.nan], [0.01, 0.5, 0.5, 0.5]])
    ones = np.ones((2, 4))
    found = Differences(d, ones, flip, d - 2, d + 2, ones, ones)
    # one that is wrong with a chance of 3 % is none, nor is one whose chance is unknown
    assert found.told.tolist() == [[False, True, False, False], [True, False, False, False]]
    assert [two(found, 0, k).tied for k in range(4)] == [True, False, True, True]


def test_exactly_these_questions_are_certain_once_all_are_labelled():
    y, f, _ = some_models(Q=40)
    parts = influence(*grid(y, f, np.ones(40, bool)))
    assert intervals(parts, exactly=True)[0].low is None
    half = influence(*grid(y, f, np.arange(40) < 20))
    like, these = intervals(half)[0], intervals(half, exactly=True)[0]
    assert these.high - these.low < like.high - like.low


def test_differences_are_of_pairs_and_their_chances_of_a_wrong_order():
    draw = np.random.default_rng(2)
    # both models fail on the same questions: the difference is surer than either mean
    hard = draw.random(100)
    y = np.stack([hard > 0.3, hard > 0.4], axis=1).astype(float)
    parts = influence(*grid(y, y * 0, np.ones(100, bool)), lam=0.0)
    found = differences(parts, shrink=0)
    d = y[:, 0] - y[:, 1]
    assert found.d[0, 1] == pytest.approx(d.mean())
    assert found.se[0, 1] == pytest.approx(d.std(ddof=1) / 10)
    assert found.p_flip[0, 1] == pytest.approx((1 - erf(d.mean() / found.se[0, 1] / 2**0.5)) / 2)
    assert found.d[1, 0] == -found.d[0, 1]
    means = intervals(parts, shrink=0)
    assert found.high[0, 1] - found.low[0, 1] < means[0].high - means[0].low


def test_ranks_follow_from_the_sure_differences():
    y, f, labelled = some_models(Q=400, labelled=300)
    best, worst = rank_intervals(differences(influence(*grid(y, f, labelled))))
    assert (best[3], worst[3]) == (1, 1)  # .9 beside .5, .63 and .77
    assert (best[0], worst[0]) == (4, 4)
    y, f, labelled = some_models(labelled=10)
    best, worst = rank_intervals(differences(influence(*grid(y, f * 0, labelled))))
    assert (best[1], worst[1]) == (1, 4)


def test_criteria_add_up_by_their_weights():
    y, f, labelled = some_models()
    other, judged, _ = some_models(seed=1)
    shape = (200, 4)
    one, two = (
        influence(*grid(*pair, labelled), lam=0.5, shape=shape)
        for pair in ((y, f), (other, judged))
    )
    mixed = influence(
        *grid(0.75 * y + 0.25 * other, 0.75 * f + 0.25 * judged, labelled), lam=0.5, shape=shape
    )
    found = combine([one, two], [3, 1])
    assert found.theta == pytest.approx(mixed.theta)
    assert [i.low for i in intervals(found)] == pytest.approx([i.low for i in intervals(mixed)])
    with pytest.raises(InputError, match="weights"):
        combine([one, two], [0, 0])


def test_rogan_gladen_by_hand_and_without_a_judge_that_knows():
    y = np.array([1] * 10 + [0] * 10)
    f = np.array([1] * 8 + [0] * 2 + [0] * 9 + [1])
    found = rogan_gladen(y, f, np.array([1] * 50 + [0] * 50))
    # se = 9/12, sp = 10/12, q = .5: (.5 + .8333 - 1)/(.5833) = .571429
    assert found.value == pytest.approx(0.571429, abs=1e-6)
    # variance: .5*.5/100 + .571429² * .75*.25/12 + .428571² * .8333*.1667/12 = .009728; sqrt/.5833
    # * 1.96 = .331393
    assert found.high - found.value == pytest.approx(0.331393, abs=1e-4)
    assert rogan_gladen(y, 1 - f, np.ones(5)).status == "UNDEFINED"
    assert rogan_gladen([], [], []).reason == "no cells"
