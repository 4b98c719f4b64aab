"""Intervals: arithmetic on few questions, statuses with their reasons, coverage by simulation."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.statistics import agreement, resampling
from graders.statistics.proportion import clopper_pearson, clustered_interval, design_effect

T_9 = 2.262157  # 97.5 % point of t with 9 degrees of freedom


def share(tables):
    """Share of hits of tables (misses, hits)."""
    return tables[:, 1] / tables.sum(axis=1)


def of_hits(hits, size):
    hits = np.asarray(hits, float)
    return np.stack([size - hits, hits], axis=1)


def test_cluster_tables_count_cells_by_question():
    tables = resampling.cluster_tables([0, 1, 1, -1, 0], [0, 1, 0, 1, -1], [20, 20, 10, 10, 30], 2)
    # questions in ascending order: 10, 20, 30; a missing value leaves the cell out, not the
    # question
    assert tables.tolist() == [[[0, 0], [1, 0]], [[1, 0], [0, 1]], [[0, 0], [0, 0]]]


def test_weights_are_scaled_to_the_number_of_cells():
    tables = resampling.cluster_tables([0, 1], [0, 1], [1, 2], 2, w=[10, 30])
    assert tables.sum() == pytest.approx(2)
    assert tables[1, 1, 1] / tables[0, 0, 0] == pytest.approx(3)


@pytest.mark.parametrize("bad", [[1, 0], [1, -1], [1, float("nan")], [1, float("inf")], [1]])
def test_a_weight_that_is_no_probability_is_refused(bad):
    with pytest.raises(
        InputError, match="weights of cells: found a missing, infinite or non-positive one"
    ):
        resampling.cluster_tables([0, 1], [0, 1], [1, 2], 2, w=bad)


def test_the_jackknife_of_a_mean_is_the_textbook_standard_error():
    # one cell a question: t interval of a mean, x = 0..9, mean 4.5, s = 3.02765, s/sqrt(10) =
    # .957427
    tables = np.stack([np.ones(10), np.arange(10.0)], axis=1)
    found = resampling.jackknife(tables, lambda t: t[:, 1] / t[:, 0], "none", n_cells=10)
    assert found.value == 4.5
    assert (found.low, found.high) == pytest.approx(
        (4.5 - T_9 * 0.957427, 4.5 + T_9 * 0.957427), abs=1e-5
    )


def test_the_logit_interval_by_hand():
    # 20 questions of one cell, 12 hits: delete-one shares are 11/19 (12 times) and 12/19 (8 times)
    hits = np.array([1] * 12 + [0] * 8)
    z = np.log([11 / 8] * 12 + [12 / 7] * 8)
    se = np.sqrt(19 / 20 * ((z - z.mean()) ** 2).sum())
    found = resampling.jackknife(of_hits(hits, 1), share, "logit")
    low = np.log(12 / 8) - 2.093024 * se
    assert found.low == pytest.approx(1 / (1 + np.exp(-low)), abs=1e-6)
    assert (found.value, found.n_cells, found.n_questions, found.status) == (0.6, 20, 20, "OK")


def test_questions_without_cells_do_not_count():
    tables = of_hits([1, 0, 2, 1, 2, 1, 0, 1, 2, 1, 1, 2], 2)
    with_gaps = np.insert(tables, [0, 5, 12], 0, axis=0)
    assert resampling.jackknife(with_gaps, share, "logit") == resampling.jackknife(
        tables, share, "logit"
    )


@pytest.mark.parametrize(
    ("tables", "status", "reason"),
    [
        (np.zeros((12, 2)), "UNDEFINED", "no cells"),
        (np.zeros((0, 2)), "UNDEFINED", "no cells"),
        (of_hits([1, 0] * 4 + [1], 2), "INCONCLUSIVE", "fewer than 10 questions"),
        (of_hits([1, 0] * 5, 2), "OK", ""),
    ],
)
def test_status_and_reason(tables, status, reason):
    found = resampling.jackknife(tables, share, "logit")
    assert (found.status, found.reason) == (status, reason)
    assert (found.value is None) == (status == "UNDEFINED")


def test_one_question_has_a_value_but_no_interval():
    found = resampling.jackknife(of_hits([1], 3), share, "logit")
    assert (found.value, found.low, found.high, found.status) == (
        pytest.approx(1 / 3),
        None,
        None,
        "INCONCLUSIVE",
    )


def test_a_figure_that_hangs_on_single_questions_is_inconclusive():
    # only one of 12 questions has a No: without it both always say Yes, so 1 of 12 = 8 % of the
    # resamples is 0/0
    tables = np.zeros((12, 2, 2))
    tables[:, 1, 1] = 3
    tables[0] = [[1, 1], [0, 1]]
    found = resampling.jackknife(tables, agreement.kappa)
    assert (found.status, found.reason) == ("INCONCLUSIVE", "0/0 in 8% of the resamples")


def test_full_agreement_is_not_sold_as_certainty():
    tables = np.tile(np.diag([2.0, 3.0]), (20, 1, 1))
    found = resampling.jackknife(tables, agreement.kappa)
    assert (found.value, found.low, found.status) == (1.0, None, "INCONCLUSIVE")
    assert (
        found.reason
        == "the figure is at its limit: leaving questions out cannot show how sure that is"
    )


def test_all_disagreement_in_one_question():
    tables = np.tile(np.diag([2.0, 3.0]), (20, 1, 1))
    tables[0] = [[2, 1], [0, 2]]
    found = resampling.jackknife(tables, agreement.kappa)
    assert (found.status, found.reason) == ("INCONCLUSIVE", "all disagreement lies in one question")
    assert found.low < found.value < found.high <= 1


@pytest.mark.parametrize(
    ("hits", "low", "high"), [(0, 0.0, 1 - 0.025 ** (1 / 30)), (1, 0.025 ** (1 / 30), 1.0)]
)
def test_none_or_all_get_the_exact_interval(hits, low, high):
    found = resampling.jackknife(of_hits([hits] * 30, 1), share, "logit")
    assert (found.low, found.high, found.status) == (pytest.approx(low), pytest.approx(high), "OK")


def test_none_in_large_questions_counts_for_less():
    # 20 questions of 5 cells, no error: deff = 1 + (5 - 1) * .1, so 100 cells say as much as
    # 100/1.4
    assert design_effect([0] * 20, [5] * 20) == pytest.approx(1.4)
    assert clustered_interval([0] * 20, [5] * 20)[1] == pytest.approx(1 - 0.025 ** (1.4 / 100))


def test_clopper_pearson_known_value():
    # 3 of 10: .0667 .6525 (tables of the exact binomial)
    assert clopper_pearson(3, 10) == pytest.approx((0.0667, 0.6525), abs=5e-5)


def test_the_same_seed_gives_the_same_bootstrap():
    tables = of_hits(np.random.default_rng(0).integers(0, 4, 40), 3)
    once, again, other = (resampling.bootstrap(tables, share, seed=seed) for seed in (1, 1, 2))
    assert once == again
    assert once != other
    assert once.low < once.value < once.high


def test_bootstrap_in_pieces_gives_the_same_figures(monkeypatch):
    tables = of_hits(np.random.default_rng(0).integers(0, 4, 40), 3)
    whole = resampling.bootstrap(tables, share, draws=300)
    monkeypatch.setattr(resampling, "CHUNK", 400)
    assert resampling.bootstrap(tables, share, draws=300) == whole


def test_bootstrap_says_how_often_it_is_undefined():
    tables = np.tile([[0.0, 0.0], [0.0, 3.0]], (12, 1, 1))
    tables[0] = [[2, 0], [1, 0]]
    found = resampling.bootstrap(tables, agreement.kappa)
    # the only question with a No is missing from (11/12)^12 = 35 % of the draws
    assert found.status == "INCONCLUSIVE"
    assert 0.31 < float(found.reason.split()[2].rstrip("%")) / 100 < 0.39
    assert resampling.bootstrap(tables[1:], agreement.kappa).status == "UNDEFINED"


def test_jackknife_in_pieces_gives_the_same_figures(monkeypatch):
    tables = np.random.default_rng(4).integers(0, 4, (30, 2, 2)).astype(float)
    whole = resampling.jackknife(tables, agreement.kappa)
    monkeypatch.setattr(resampling, "CHUNK", 28)
    assert resampling.jackknife(tables, agreement.kappa) == whole


def test_weighted_tables_leave_no_dust_that_passes_for_a_cell():
    w = np.random.default_rng(0).uniform(0.1, 9, 45)
    codes = np.array([1] * 44 + [0])
    tables = resampling.cluster_tables(codes, codes, np.arange(45) // 3, 2, w)
    _, rest = resampling.delete_one(tables, agreement.kappa)
    assert np.isnan(rest[-1])  # without the last question both always say Yes


def test_the_interval_covers_the_truth_and_ignoring_questions_does_not():
    """20 questions of 6 cells; who is right varies by question. 95 % intervals, 400 data sets."""
    generator = np.random.default_rng(11)
    covered = naive = 0
    for _ in range(400):
        p = generator.beta(2.8, 1.2, 20)  # mean .7, correlation within a question 1/(1 + 4) = .2
        hits = generator.binomial(6, p)
        found = resampling.jackknife(of_hits(hits, 6), share, "logit")
        covered += found.low <= 0.7 <= found.high
        x = hits.sum() / 120
        naive += abs(x - 0.7) <= 1.96 * np.sqrt(x * (1 - x) / 120)
    assert 0.92 <= covered / 400 <= 0.985
    assert naive / 400 < 0.88


def test_one_question_drawn_again_and_again_is_no_interval():
    found = resampling.bootstrap(of_hits(np.array([3]), 6), share)
    assert (found.value, found.low, found.high, found.status) == (0.5, None, None, "INCONCLUSIVE")


def test_importing_the_intervals_loads_no_scipy():
    code = "import sys, graders.statistics.ceiling, graders.statistics.means; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_quadratic_kappa_with_partial_arguments_is_a_statistic():
    tables = np.random.default_rng(9).integers(0, 3, (25, 3, 3)).astype(float)
    found = resampling.jackknife(tables, partial(agreement.kappa, weights="quadratic"))
    assert found.low < found.value < found.high
    assert found.n_cells == tables.sum()
