"""Figures on public data with human labels, as independent libraries give them."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.scale import YES_NO, Scale
from graders.statistics import agreement, proportion
from graders.statistics.resampling import cluster_tables
from graders.statistics.truth import majority
from tests.statistics.published import codes
from tests.statistics.values import same, same_row
from tests.support import two_graders
from tests.support.judge_human import judge_human

ONE_TO_FIVE = Scale.from_spec([1, 5])
BEM = "BEM (BERT matching, not an LLM)"


@pytest.mark.parametrize(
    ("first", "second", "n", "table", "figures", "interval"),
    [
        ("gpt-4", "adjudicated", "1487", "582 137 89 679", ".8480 .6951 .6973 .6948", ".643 .740"),
        (BEM, "adjudicated", "1489", "601 217 72 599", ".8059 .6155 .6118 .6119", ".557 .668"),
        (
            "annotator1",
            "annotator2",
            "1483",
            "574 86 109 714",
            ".8685 .7347 .7393 .7347",
            ".685 .777",
        ),
    ],
)
def test_pairs_of_nq301(first, second, n, table, figures, interval):
    name = f"1 nq301 {first.partition(' (')[0]}/{second}"
    ratings, g = codes("nq301", "correctness", YES_NO, first, second)
    ratings[:, (ratings < 0).any(axis=0)] = -1
    found = two_graders.pair(*ratings, g, YES_NO)
    assert (found.kappa.n_questions, found.kappa.status) == (301, "OK")
    same(f"{name}, n", found.kappa.n_cells, n)
    same_row(name, "No No, No Yes, Yes No, Yes Yes", np.ravel(found.table), table)
    alpha = agreement.alpha_interval(ratings, g, 2, "nominal").value
    same_row(
        name,
        "raw, kappa, AC1, alpha",
        (found.raw.value, found.kappa.value, found.ac.value, alpha),
        figures,
    )
    same_row(name, "kappa low, kappa high", (found.kappa.low, found.kappa.high), interval)


def test_blanks_of_nq301_count_in_gwet_but_not_in_alpha():
    two, g = codes("nq301", "correctness", YES_NO, "annotator1", "annotator2")
    figures = (
        agreement.alpha_interval(two, g, 2, "nominal").value,
        agreement.gwet(agreement.value_counts(two, 2), g).value,
    )
    same_row("1 nq301 annotators 1, 2 with blanks", "alpha, AC1", figures, ".734744 .739555")


def test_a_third_person_called_on_disagreements_only_inflates_gwet():
    *three, adjudicated = codes(
        "nq301", "correctness", YES_NO, "annotator1", "annotator2", "annotator3", "adjudicated"
    )[0]
    g = codes("nq301", "correctness", YES_NO)[1]
    figures = (
        agreement.alpha_interval(three, g, 2, "nominal").value,
        agreement.gwet(agreement.value_counts(three, 2), g).value,
    )
    same_row("1 nq301 annotators 1, 2, 3", "alpha, AC1", figures, ".731226 .811225")
    same(
        "0 nq301 rows where adjudicated is the majority of annotators",
        (majority(three, 2).value == adjudicated).sum(),
        "1490",
    )


def test_errors_of_unanimous_judges_come_in_questions():
    rows, g = codes("nq301", "correctness", YES_NO, "gpt-4", "text-davinci-003", BEM, "adjudicated")
    unanimous = (rows[:3] >= 0).all(axis=0) & (rows[:3] == rows[0]).all(axis=0)
    wrong = (rows[0] != rows[3]) & unanimous
    sizes, errors = np.bincount(g[unanimous], minlength=301), np.bincount(g[wrong], minlength=301)
    icc = proportion.intraclass_correlation(errors, sizes)
    name, counts = "3 nq301 unanimous rows", (sizes.sum(), errors.sum(), (sizes > 0).sum())
    same_row(name, "n, x, G", counts, "1213 133 299")
    effects = (
        icc,
        1 + ((sizes**2).sum() / 1213 - 1) * icc,
        proportion.sandwich_effect(errors, sizes),
    )
    same_row(name, "ICC, deff from the ICC, deff by the sandwich", effects, ".2299 1.8941 1.9563")
    assert proportion.design_effect(errors, sizes) == effects[2]


@pytest.mark.parametrize(
    ("criterion", "alphas", "gwets", "pair", "ceiling"),
    [
        (
            "coherence",
            ".1607 .5744 .5756",
            ".1953 .4776 .6967",
            ".4108 .2408 .4871 .6868 .7288 .6280",
            ".738 .519",
        ),
        (
            "consistency",
            ".5363 .8146 .8989",
            ".8469 .9444 .9797",
            ".8250 .4693 .7376 .8778 .7883 .7564",
            ".786 .564",
        ),
        (
            "fluency",
            ".4068 .6123 .7375",
            ".7789 .9091 .9626",
            ".7700 .3913 .5744 .7218 .6231 .5944",
            ".634 .474",
        ),
        (
            "relevance",
            ".1389 .4473 .4935",
            ".2319 .5715 .7879",
            ".4217 .1992 .4085 .6099 .5608 .4878",
            ".580 .445",
        ),
    ],
)
def test_experts_of_summeval(criterion, alphas, gwets, pair, ceiling):
    raters = ("expert0", "expert1", "expert2", "alttest/gpt-4o")
    ratings, g = codes("summeval", criterion, ONE_TO_FIVE, *raters)
    name, experts, values = f"1 summeval {criterion}", ratings[:3], ONE_TO_FIVE.numbers
    counts = agreement.value_counts(experts, 5)
    levels, weights = ("nominal", "ordinal", "interval"), ("nominal", "linear", "quadratic")
    of_levels = [agreement.alpha_interval(experts, g, 5, level, values).value for level in levels]
    same_row(name, "alpha nominal, alpha ordinal, alpha interval", of_levels, alphas)
    same_row(
        name,
        "AC1, AC2 linear, AC2 quadratic",
        [agreement.gwet(counts, g, w, values).value for w in weights],
        gwets,
    )
    table = cluster_tables(*experts[:2], g, 5).sum(axis=0)
    kappas = [agreement.kappa(table, w, values) for w in weights]
    ours = agreement.raw(table), *kappas, agreement.spearman(table), agreement.kendall(table)
    same_row(f"{name} e0-e1", "raw, kappa, kappa linear, kappa quadratic, rho, tau-b", ours, pair)
    found = judge_human(ratings[3], experts, g, ONE_TO_FIVE, figure="spearman")
    same_row(
        name, "ceiling rho, gpt-4o rho", (found.ceiling.value, found.at_ceiling.value), ceiling
    )
    assert (found.ceiling.n_cells, found.ceiling.n_questions, found.ceiling.status) == (
        1200,
        100,
        "OK",
    )
    if criterion == "coherence":
        judged = cluster_tables(ratings[3], ratings[0], g, 5).sum(axis=0)
        same(
            f"{name}, quadratic kappa gpt-4o/expert0",
            agreement.kappa(judged, "quadratic", values),
            ".402",
        )
