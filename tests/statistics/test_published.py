"""Figures on public data with human labels, as independent libraries give them."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.scale import YES_NO, Scale
from graders.statistics import agreement, proportion
from graders.statistics.judge_human import judge_human
from graders.statistics.resampling import cluster_tables
from tests.statistics.published import codes

ONE_TO_FIVE = Scale.from_spec([1, 5])
BEM = "BEM (BERT matching, not an LLM)"


@pytest.mark.parametrize(
    ("first", "second", "n", "table", "raw", "kappa", "low", "high", "ac1", "alpha"),
    [
        ("gpt-4", "adjudicated", 1487, [[582, 137], [89, 679]], 0.8480, 0.6951, 0.643, 0.740, 0.6973, 0.6948),
        (BEM, "adjudicated", 1489, [[601, 217], [72, 599]], 0.8059, 0.6155, 0.557, 0.668, 0.6118, 0.6119),
        ("annotator1", "annotator2", 1483, [[574, 86], [109, 714]], 0.8685, 0.7347, 0.685, 0.777, 0.7393, 0.7347),
    ],
)
def test_pairs_of_nq301(first, second, n, table, raw, kappa, low, high, ac1, alpha):
    ratings, g = codes("nq301", "correctness", YES_NO, first, second)
    ratings[:, (ratings < 0).any(axis=0)] = -1
    found = agreement.pair(*ratings, g, YES_NO)
    assert [list(row) for row in found.table] == table
    assert (found.kappa.n_cells, found.kappa.n_questions, found.kappa.status) == (n, 301, "OK")
    assert [round(x, 4) for x in (found.raw.value, found.kappa.value, found.ac.value)] == [raw, kappa, ac1]
    assert [round(x, 3) for x in (found.kappa.low, found.kappa.high)] == [low, high]
    assert round(agreement.alpha_interval(ratings, g, 2, "nominal").value, 4) == alpha


def test_blanks_of_nq301_count_in_gwet_but_not_in_alpha():
    two, g = codes("nq301", "correctness", YES_NO, "annotator1", "annotator2")
    assert agreement.alpha_interval(two, g, 2, "nominal").value == pytest.approx(0.734744, abs=5e-7)
    assert agreement.gwet(agreement.value_counts(two, 2), g).value == pytest.approx(0.739555, abs=5e-7)


def test_a_third_person_called_on_disagreements_only_inflates_gwet():
    three, g = codes("nq301", "correctness", YES_NO, "annotator1", "annotator2", "annotator3")
    assert agreement.alpha_interval(three, g, 2, "nominal").value == pytest.approx(0.731226, abs=5e-7)
    assert agreement.gwet(agreement.value_counts(three, 2), g).value == pytest.approx(0.811225, abs=5e-7)


def test_errors_of_unanimous_judges_come_in_questions():
    rows, g = codes("nq301", "correctness", YES_NO, "gpt-4", "text-davinci-003", BEM, "adjudicated")
    unanimous = (rows[:3] >= 0).all(axis=0) & (rows[:3] == rows[0]).all(axis=0)
    wrong = (rows[0] != rows[3]) & unanimous
    sizes, errors = np.bincount(g[unanimous], minlength=301), np.bincount(g[wrong], minlength=301)
    assert (sizes.sum(), errors.sum(), (sizes > 0).sum()) == (1213, 133, 299)
    icc = proportion.intraclass_correlation(errors, sizes)
    assert round(icc, 4) == 0.2299
    assert round(1 + ((sizes**2).sum() / 1213 - 1) * icc, 4) == 1.8941
    assert round(proportion.sandwich_effect(errors, sizes), 4) == 1.9563
    assert round(proportion.design_effect(errors, sizes), 4) == 1.9563


@pytest.mark.parametrize(
    ("criterion", "alphas", "gwets", "raw", "kappas", "rho", "tau", "ceiling", "judge"),
    [
        ("coherence", [0.1607, 0.5744, 0.5756], [0.1953, 0.4776, 0.6967], 0.4108, [0.2408, 0.4871, 0.6868], 0.7288, 0.6280, 0.738, 0.519),
        ("consistency", [0.5363, 0.8146, 0.8989], [0.8469, 0.9444, 0.9797], 0.8250, [0.4693, 0.7376, 0.8778], 0.7883, 0.7564, 0.786, 0.564),
        ("fluency", [0.4068, 0.6123, 0.7375], [0.7789, 0.9091, 0.9626], 0.7700, [0.3913, 0.5744, 0.7218], 0.6231, 0.5944, 0.634, 0.474),
        ("relevance", [0.1389, 0.4473, 0.4935], [0.2319, 0.5715, 0.7879], 0.4217, [0.1992, 0.4085, 0.6099], 0.5608, 0.4878, 0.580, 0.445),
    ],
)
def test_experts_of_summeval(criterion, alphas, gwets, raw, kappas, rho, tau, ceiling, judge):
    raters = ("expert0", "expert1", "expert2", "alttest/gpt-4o")
    ratings, g = codes("summeval", criterion, ONE_TO_FIVE, *raters)
    experts, values = ratings[:3], ONE_TO_FIVE.numbers
    counts = agreement.value_counts(experts, 5)
    levels, weights = ("nominal", "ordinal", "interval"), ("nominal", "linear", "quadratic")
    assert [round(agreement.alpha_interval(experts, g, 5, level, values).value, 4) for level in levels] == alphas
    assert [round(agreement.gwet(counts, g, w, values).value, 4) for w in weights] == gwets
    table = cluster_tables(*experts[:2], g, 5).sum(axis=0)
    assert [round(float(agreement.kappa(table, w, values)), 4) for w in weights] == kappas
    assert [round(float(figure(table)), 4) for figure in (agreement.raw, agreement.spearman, agreement.kendall)] == [raw, rho, tau]
    found = judge_human(ratings[3], experts, g, ONE_TO_FIVE, figure="spearman")
    assert [round(found.ceiling.value, 3), round(found.at_ceiling.value, 3)] == [ceiling, judge]
    assert (found.ceiling.n_cells, found.ceiling.n_questions, found.ceiling.status) == (1200, 100, "OK")
