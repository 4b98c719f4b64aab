"""Figures of agreement on tables small enough to work out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from graders.core.errors import InputError, ScaleError
from graders.core.scale import YES_NO, Scale
from graders.statistics import agreement
from graders.statistics.resampling import cluster_tables
from tests.statistics.values import same, same_row
from tests.support import two_graders

FIVE = Scale.from_spec([1, 5])
COLOURS = Scale.from_spec({"labels": ["red", "green", "blue"], "ordered": False})

#          second: 0   1   2
TABLE = np.array([[2, 1, 0], [1, 3, 1], [0, 0, 2]], float)  # 10 cells, margins 3 5 2 and 3 4 3


def test_raw_is_the_share_on_the_diagonal():
    assert agreement.raw(TABLE) == pytest.approx(7 / 10)


@pytest.mark.parametrize(
    ("weights", "observed", "chance"),
    [
        # identity: 2+3+2 of 10; (3*3 + 5*4 + 2*3)/100
        ("nominal", 7 / 10, 35 / 100),
        # neighbours (three cells) get 1/2: 7 + 1.5; by chance 35 + (3*4 + 5*3 + 5*3 + 2*4)/2 = 35 +
        # 25
        ("linear", 8.5 / 10, 60 / 100),
        # neighbours get 3/4: 7 + 2.25; by chance 35 + 50*3/4 = 72.5
        ("quadratic", 9.25 / 10, 72.5 / 100),
    ],
)
def test_kappa_by_hand(weights, observed, chance):
    assert agreement.kappa(TABLE, weights) == pytest.approx((observed - chance) / (1 - chance))


def test_weights_follow_the_numbers_of_the_values_not_their_positions():
    # 1, 2, 10: range 9, so the neighbours 1 and 2 are 1/9 apart
    assert agreement.weight_matrix("linear", [1, 2, 10])[0].tolist() == pytest.approx([1, 8 / 9, 0])


def test_a_value_that_nobody_used_still_counts_in_the_range():
    wide = np.zeros((5, 5))
    wide[:2, :2] = [[3, 1], [1, 3]]
    # over 1..5 a step costs 1/16 of the credit: p_o = 1 - 2/8/16, p_e = 1 - (1/2)/16, kappa = 1 -
    # (1/4)/(1/2)
    assert agreement.kappa(wide, "quadratic") == pytest.approx(0.5)
    # AC2 does see the unused values: W sums to 5 + 8*15/16 + 6*3/4 + 4*7/16, over K(K-1) = 20
    total = 5 + 8 * 15 / 16 + 6 * 3 / 4 + 4 * 7 / 16
    chance = total / 20 * (2 * 0.5 * 0.5)
    assert agreement.ac(wide, "quadratic") == pytest.approx((1 - 1 / 64 - chance) / (1 - chance))


def test_gwet_ac1_of_two_raters_by_hand():
    # shares of the values over both: 6/20, 9/20, 5/20; p_e = (.3*.7 + .45*.55 + .25*.75)/(K-1) =
    # .645/2
    chance = (0.3 * 0.7 + 0.45 * 0.55 + 0.25 * 0.75) / 2
    assert agreement.ac(TABLE) == pytest.approx((0.7 - chance) / (1 - chance))


def test_rank_correlations_by_hand():
    table = np.array([[1, 0], [1, 1]], float)  # pairs (0,0) (1,0) (1,1)
    # mid-ranks 1 2.5 2.5 and 1.5 1.5 3, centred -1 .5 .5 and -.5 -.5 1: products sum to .75, both
    # squares to 1.5
    assert agreement.spearman(table) == pytest.approx(0.75 / 1.5)
    # one concordant pair of cells, none discordant; each rater ties once: 1/sqrt((3-1)(3-1))
    assert agreement.kendall(table) == pytest.approx(1 / 2)


@pytest.mark.parametrize("seed", range(3))
def test_rank_correlations_equal_those_of_scipy(seed):
    from scipy import stats

    a, b = np.random.default_rng(seed).integers(0, 5, (2, 60))
    table = cluster_tables(a, b, np.zeros(60, int), 5)[0]
    assert agreement.spearman(table) == pytest.approx(stats.spearmanr(a, b).statistic)
    assert agreement.kendall(table) == pytest.approx(stats.kendalltau(a, b).statistic)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_equals_that_of_scikit_learn(weights):
    from sklearn.metrics import cohen_kappa_score

    a, b = np.random.default_rng(7).integers(0, 5, (2, 80))
    table = cluster_tables(a, b, np.zeros(80, int), 5)[0]
    assert agreement.kappa(table, weights or "nominal") == pytest.approx(
        cohen_kappa_score(a, b, labels=range(5), weights=weights)
    )


@pytest.mark.parametrize(
    ("first", "second", "scale", "weights", "right", "without_hints"),
    [
        # 3 and 4 are unused: their steps are lost where only the values present count
        ([1, 5, 5, 2, 1], [2, 5, 5, 5, 1], [1, 2, 3, 4, 5], "quadratic", ".716", ".750"),
        # high, low, medium in the alphabet
        (
            ["low", "high", "medium", "medium"],
            ["low", "high", "high", "low"],
            ["low", "medium", "high"],
            "linear",
            ".50",
            ".25",
        ),
    ],
    ids=["unused values", "order of words"],
)
def test_the_scale_decides_not_the_values_that_happen_to_be_used(
    first, second, scale, weights, right, without_hints, request
):
    from sklearn.metrics import cohen_kappa_score

    name = f"1 weighted kappa, {request.node.callspec.id}"
    a, b = ([scale.index(value) for value in side] for side in (first, second))
    table = cluster_tables(a, b, np.zeros(len(a), int), len(scale))[0]
    same(name, agreement.kappa(table, weights), right)
    same(
        f"{name}, a library without hints",
        cohen_kappa_score(first, second, weights=weights),
        without_hints,
    )


def test_gwet_knows_of_values_that_nobody_used():
    # four cells, 4 4 | 4 5 | 5 4 | 5 5: on a scale of two values half agree, as by chance
    two, five = np.ones((2, 2)), np.zeros((5, 5))
    five[3:, 3:] = two
    same_row(
        "1 AC2, values 1 to 3 unused",
        "of five, of two",
        (agreement.ac(five, "quadratic"), agreement.ac(two, "quadratic")),
        ".941 .000",
    )


def test_reversed_ranks_give_minus_one():
    table = np.fliplr(np.eye(4)) * 3
    assert agreement.spearman(table) == pytest.approx(-1)
    assert agreement.kendall(table) == pytest.approx(-1)


@pytest.mark.parametrize(
    ("what", "table"),
    [
        (agreement.kappa, [[9, 0], [0, 0]]),  # both always No: p_e = 1
        (agreement.spearman, [[4, 5], [0, 0]]),  # the first always No
        (agreement.kendall, [[4, 0], [5, 0]]),  # the second always No
        (agreement.raw, [[0, 0], [0, 0]]),  # no cells
    ],
)
def test_zero_by_zero_is_not_a_number(what, table):
    assert math.isnan(what(np.array(table, float)))


def test_many_tables_at_once_give_the_same_as_one_by_one():
    tables = np.random.default_rng(1).integers(0, 9, (4, 3, 3)).astype(float)
    for figure in (
        agreement.raw,
        agreement.kappa,
        agreement.ac,
        agreement.spearman,
        agreement.kendall,
    ):
        assert figure(tables).tolist() == pytest.approx([float(figure(t)) for t in tables])


# Krippendorff: three people, four cells, one of them graded once only.
RATINGS = np.array([[0, 0, 1, 1], [0, 1, 1, -1], [0, -1, 1, -1]])


def test_value_counts():
    assert agreement.value_counts(RATINGS, 2).tolist() == [[3, 0], [1, 1], [0, 3], [0, 1]]


def test_coincidences_pair_the_values_of_each_cell():
    counts = agreement.value_counts(RATINGS, 2)
    # cell 0: 3*2/2 = 3 times (0,0); cell 1: (0,1) and (1,0) once; cell 2: 3 times (1,1); cell 3 has
    # no pair
    assert agreement.coincidences(counts, [7, 7, 8, 8]).tolist() == [
        [[3, 1], [1, 0]],
        [[0, 0], [0, 3]],
    ]


def test_alpha_by_hand():
    table = agreement.coincidences(agreement.value_counts(RATINGS, 2), [0, 0, 0, 0])[0]
    # n = 8, n_0 = n_1 = 4: 1 - 7 * 2 / (2*4*4)
    for level in ("nominal", "ordinal", "interval"):
        assert agreement.alpha(table, level) == pytest.approx(1 - 7 * 2 / 32)


def test_ordinal_alpha_measures_distance_by_how_often_values_are_used():
    table = np.array([[4, 1, 0], [1, 2, 0], [0, 0, 2]], float)  # n_k = 5 3 2, middles 2.5 6.5 9
    observed = 2 * 4.0**2
    expected = 2 * (5 * 3 * 4.0**2 + 5 * 2 * 6.5**2 + 3 * 2 * 2.5**2)
    assert agreement.alpha(table, "ordinal") == pytest.approx(1 - 9 * observed / expected)


def test_alpha_of_one_value_only_is_undefined_with_the_reason():
    found = agreement.alpha_interval(np.zeros((2, 30), int), np.arange(30), 2, "nominal")
    assert (found.status, found.value, found.reason) == (
        "UNDEFINED",
        None,
        "only one value was used",
    )


def test_gwet_of_three_people_by_hand():
    found = agreement.gwet(agreement.value_counts(RATINGS, 2), [0, 1, 2, 3])
    observed = (1 + 0 + 1) / 3  # cells 0, 1, 2; cell 3 has one value
    share = (1 + 0.5 + 0 + 0) / 4  # of value 0, over all graded cells
    chance = 2 * share * (1 - share)
    assert found.value == pytest.approx((observed - chance) / (1 - chance))
    assert (found.n_cells, found.n_questions, found.status) == (3, 4, "INCONCLUSIVE")


def test_gwet_of_two_people_equals_the_one_from_tables():
    a, b = np.random.default_rng(3).integers(0, 5, (2, 90))
    g = np.arange(90) // 3
    counts = agreement.value_counts(np.stack([a, b]), 5)
    for weights in ("nominal", "linear", "quadratic"):
        assert agreement.gwet(counts, g, weights).value == pytest.approx(
            float(agreement.ac(cluster_tables(a, b, g, 5).sum(0), weights)),
        )


def test_gwet_without_two_people_on_any_cell():
    assert agreement.gwet([[1, 0], [0, 1]], [0, 1]).reason == "no cells that two people graded"


def test_weights_make_a_sample_speak_for_all():
    # 3 agreeing cells drawn for certain, 1 disagreeing one drawn with probability 1/3: it stands
    # for three
    a, b, g = [0, 1, 1, 0], [0, 1, 1, 1], [0, 1, 2, 3]
    found = two_graders.pair(a, b, g, YES_NO, w=[1, 1, 1, 3])
    assert found.raw.value == pytest.approx(3 / 6)
    assert found.raw.n_cells == 4
    assert sum(map(sum, found.table)) == pytest.approx(4)


def test_equal_weights_change_nothing():
    a, b = np.random.default_rng(5).integers(0, 2, (2, 60))
    g = np.arange(60) // 4
    plain, weighted = (two_graders.pair(a, b, g, YES_NO, w=w) for w in (None, np.full(60, 10.0)))
    for name in ("raw", "kappa", "ac"):
        assert getattr(weighted, name).low == pytest.approx(getattr(plain, name).low)
    counts = agreement.value_counts(np.stack([a, b]), 2)
    assert agreement.gwet(counts, g, w=np.full(60, 10.0)).low == pytest.approx(
        agreement.gwet(counts, g).low
    )
    assert agreement.alpha_interval(
        np.stack([a, b]), g, 2, "nominal", w=np.full(60, 10.0)
    ).low == pytest.approx(agreement.alpha_interval(np.stack([a, b]), g, 2, "nominal").low)


def test_a_pair_on_labels_without_order_has_no_rank_correlation():
    a, b = np.random.default_rng(2).integers(0, 3, (2, 60))
    found = two_graders.pair(a, b, np.arange(60), COLOURS)
    assert (found.spearman.status, found.spearman.reason) == (
        "UNDEFINED",
        "the labels have no order",
    )
    assert found.kappa.value == pytest.approx(
        float(agreement.kappa(np.array(found.table), "nominal"))
    )


def test_a_pair_on_an_ordered_scale_leads_with_quadratic_kappa():
    a, b = np.random.default_rng(2).integers(0, 5, (2, 60))
    found = two_graders.pair(a, b, np.arange(60), FIVE)
    assert found.kappa.value == pytest.approx(
        float(agreement.kappa(np.array(found.table), "quadratic"))
    )


def test_a_pair_that_shares_no_cell():
    found = two_graders.pair([0, -1], [-1, 1], [0, 1], YES_NO)
    assert (found.kappa.status, found.kappa.reason, found.kappa.value) == (
        "UNDEFINED",
        "no cells",
        None,
    )


def test_two_who_always_say_the_same_one_value():
    found = two_graders.pair([1] * 40, [1] * 40, np.arange(40), YES_NO)
    assert (found.kappa.status, found.kappa.reason) == (
        "UNDEFINED",
        "both always give the same value: agreement by chance is 1",
    )
    assert (found.raw.value, found.raw.status, found.raw.high) == (1.0, "OK", 1.0)
    # Clopper-Pearson, 40 of 40 (one cell a question: deff 1)
    assert found.raw.low == pytest.approx(0.025 ** (1 / 40))
    assert found.ac.value == 1.0


def test_a_plain_range_has_no_kappa():
    with pytest.raises(ScaleError) as found:
        two_graders.pair_from_tables(np.zeros((1, 2, 2)), Scale.from_spec([0.0, 1.0]))
    assert (
        str(found.value)
        == "agreement: found a number from 0 to 1, expected a scale whose values can be listed."
    )


def test_arrays_of_different_length_are_refused_in_words():
    with pytest.raises(InputError, match="arrays of cells: found the shapes"):
        two_graders.pair([0, 1], [0], [0, 1], YES_NO)
