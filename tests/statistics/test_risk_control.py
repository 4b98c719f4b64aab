"""Routing with a guarantee: the test by hand, the published walks, and what happens where labels do
not suffice."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from graders.core.errors import InputError
from graders.statistics.drift import drift
from graders.statistics.promise import broken_at, clustered_p, hypergeometric_tail, upper_bound
from graders.statistics.proportion import clopper_pearson
from graders.statistics.risk_control import (
    SortedCells,
    Terms,
    merged_strata,
    select,
    select_strata,
    walk,
)
from tests.statistics.routing_data import nq301
from tests.statistics.values import same, same_row


def test_the_tail_by_hand():
    # 3 of 6 cells drawn, 2 errors among the 6: without an error C(4,3) of C(6,3)
    assert hypergeometric_tail(0, 6, 2, 3) == pytest.approx(4 / 20)
    assert hypergeometric_tail(1, 6, 2, 3) == pytest.approx((4 + 2 * 6) / 20)
    assert hypergeometric_tail(2, 6, 2, 3) == 1.0
    # 5 errors among 6 cells: of three drawn at least two are errors
    assert hypergeometric_tail(1, 6, 5, 3) == 0.0


def test_the_tail_equals_that_of_scipy():
    same("3 P(X <= 6), N 600, K 55, n 120", hypergeometric_tail(6, 600, 55, 120), ".049504")
    assert hypergeometric_tail(40, 50_000, 1100, 2000) == pytest.approx(
        stats.hypergeom.cdf(40, 50_000, 1100, 2000)
    )
    # the limit for many cells, and the bound of Clopper and Pearson
    same("3 the same, binomial", stats.binom.cdf(6, 120, 0.1), ".038236")
    same("3 the same, Clopper-Pearson upper", clopper_pearson(6, 120, level=0.8)[1], ".086113")


@pytest.mark.parametrize(
    ("N", "n", "x", "p"),
    [
        (446, 74, 3, ".064578"),
        (520, 70, 3, ".078751"),
        (743, 100, 5, ".067433"),
        (892, 223, 15, ".087654"),
    ],
)
def test_most_errors_that_pass(N, n, x, p):
    same(
        f"3b p of x {x}, the largest that passes at N {N}, n {n}",
        hypergeometric_tail(x, N, broken_at(x, n, N, 0.1), n),
        p,
    )
    assert hypergeometric_tail(x + 1, N, broken_at(x + 1, n, N, 0.1), n) > 0.1


@pytest.mark.parametrize(
    ("N", "n", "x", "K", "p"), [(669, 168, 10, "61", ".0637"), (743, 186, 13, "69", ".1343")]
)
def test_published_looks_at_another_order(N, n, x, K, p):
    found = broken_at(x, n, N, 0.1)
    same_row(
        f"3b new s, x {x} of n {n}, N {N}",
        "K, p",
        (found, hypergeometric_tail(x, N, found, n)),
        f"{K} {p}",
    )


def test_the_promise_on_the_rest_and_on_the_whole():
    # 562 cells are left: 56 may be wrong, the 57th breaks it, besides the 11 that were found
    assert broken_at(11, 182, 744, 0.1) == 11 + 56 + 1
    assert broken_at(11, 182, 744, 0.1, whole=True) == 74 + 1
    # .1 x 30 is 3.0000000000000004, .29 x 100 is 28.999999999999996
    assert (broken_at(0, 0, 30, 0.1), broken_at(0, 0, 100, 0.29)) == (4, 30)


def test_the_bound_is_the_most_that_is_not_ruled_out():
    # 2 of 4 drawn, both right: with one error left P(none drawn) = 1/2, with two 1/6
    assert upper_bound(0, 2, 4, 0.1) == 1.0
    assert upper_bound(0, 2, 4, 0.2) == 0.5
    assert upper_bound(0, 4, 4, 0.1) is None


def test_a_broken_promise_passes_in_at_most_delta_of_all_draws():
    # 12 cells, 4 labelled, alpha 1/4: every error pattern that breaks it on the rest, over all 495
    # draws
    for errors in range(13):
        wrong = np.arange(12) < errors
        passed = sum(
            hypergeometric_tail(x, 12, broken_at(x, 4, 12, 0.25), 4) <= 0.2
            and errors - x > 0.25 * 8
            for drawn in combinations(range(12), 4)
            for x in [int(wrong[list(drawn)].sum())]
        )
        assert passed / 495 <= 0.2


@pytest.mark.parametrize(
    ("alpha", "counts", "figures"),
    [(0.10, "182 11 744 68", "1.4543 .0602 .5045"), (0.15, "302 34 1190", "1.1098 .0577 .7971")],
)
def test_published_selections(alpha, counts, figures):
    data, name = nq301(), f"3 nq301, every 4th row labelled, alpha {alpha:.2f}"
    labelled = np.zeros(1486, bool)
    labelled[::4] = True
    found = select(data.s, labelled, data.error, data.g, alpha)
    last = [look for look in found.looks if look.passed][-1]
    ours = (found.labels, found.errors, found.cells, last.fewest)[: len(counts.split())]
    same_row(name, ", ".join("nxNK"[: len(ours)]), ours, counts)
    same_row(name, "t, p, share of the rest", (found.threshold, found.p, found.share), figures)
    assert (found.status, len(data.s)) == ("OK", 1486)
    assert (not found.looks[-1].passed) and found.upper <= alpha
    if alpha == 0.1:
        same(f"{name}, error of the rest", data.error[found.automatic].mean(), ".0747")


def test_labels_that_do_not_suffice():
    data = nq301()
    labelled = np.zeros(1486, bool)
    labelled[1::4] = True
    found = select(data.s, labelled, data.error, data.g)
    assert (found.status, found.threshold, found.share, found.upper) == (
        "INCONCLUSIVE",
        None,
        0.0,
        None,
    )
    assert (
        found.reason
        == "the strictest region errs in 7 of 110 labels: too few to be sure of at most 10%"
    )
    assert not found.automatic.any()
    # 7 / 110 = .0636 needs some 270 inside; 30 % of the labels fall inside
    assert 400 < found.missing < 700


def test_a_walk_over_ranks():
    data = nq301()
    order = np.argsort(-data.s, kind="stable")
    labelled = np.zeros(1486, bool)
    labelled[order[:892:4]] = True
    sizes = [round(step * 0.05 * 1486) for step in range(1, 21)]
    found = walk(
        SortedCells(data.s, order, sizes, labelled, data.error, data.g),
        Terms(0.1, 0.1, start=0.3, least=38),
    )
    looks = {
        round(look.coverage, 2): (look.cells, look.labels, look.errors, look.fewest, look.p)
        for look in found.looks
    }
    for coverage, counts, p in (
        (0.30, "446 112 4 38", ".018567"),
        (0.45, "669 168 9 60", ".036567"),
        (0.50, "743 186 9 65", ".017247"),
        (0.55, "817 205 14 76", ".099679"),
        (0.60, "892 223 17 84", ".177695"),
    ):
        same_row(
            f"3b today's s at {coverage:.2f}", "N, n, x, K, p", looks[coverage], f"{counts} {p}"
        )
    ours = found.automatic.sum(), data.error[found.automatic].mean()
    same_row("3b today's s", "automatic, their error", ours, "612 .0866")


def cells(n=400, every=2):
    labelled = np.arange(n) % every == 0
    return np.linspace(1, 0, n), labelled, np.zeros(n, bool), np.arange(n) // 4


def test_no_error_anywhere_gives_all_cells():
    found = select(*cells())
    assert (found.status, found.cells, found.share, found.share_of_all, found.p) == (
        "OK",
        400,
        1.0,
        0.5,
        found.looks[-1].p,
    )
    # 200 labels without an error: the largest K with P(X <= 0; 400, K, 200) > .1 is 3: 1/2³ > .1 >
    # 1/2⁴
    assert found.upper == 3 / 200


@pytest.mark.parametrize(
    ("change", "status", "reason", "missing"),
    [
        (lambda s, k, e, g: (s, k & False, e, g), "UNDEFINED", "no blind labels", 174),
        (lambda s, k, e, g: ([], [], [], []), "UNDEFINED", "no blind labels", 174),
        (
            lambda s, k, e, g: (s, k | True, e, g),
            "INCONCLUSIVE",
            "every cell of the region is labelled: there is nothing left to decide",
            None,
        ),
        # 52 labels must lie in the first region: with 40 in all there is none
        (
            lambda s, k, e, g: (s, np.arange(400) % 10 == 0, e, g),
            "INCONCLUSIVE",
            "40 labels are too few to begin: a first region needs 52 inside",
            134,
        ),
        (
            lambda s, k, e, g: (s, k, np.arange(400) % 4 == 0, g),
            "INCONCLUSIVE",
            "the strictest region errs in 30 of 61 labels: no number of labels will show at most 10%",
            None,
        ),
    ],
    ids=["no label", "no cells", "all labelled", "few labels", "often wrong"],
)
def test_what_is_missing_is_said(change, status, reason, missing):
    found = select(*change(*cells()))
    assert (found.status, found.share, found.missing) == (status, 0.0, missing)
    assert found.reason == reason or "errs in" in reason


def test_equal_confidence_is_one_region():
    _, labelled, error, g = cells()
    found = select(np.ones(400), labelled, error, g)
    assert [look.cells for look in found.looks] == [400]


def test_missing_confidence_is_refused():
    s, labelled, error, g = cells()
    s[3] = np.nan
    with pytest.raises(InputError) as said:
        select(s, labelled, error, g)
    assert (
        str(said.value)
        == "confidence of cells: found one that is missing or infinite, expected a number for each cell."
    )


def test_whole_questions_count_for_less_than_their_cells():
    s, labelled, _, g = cells(2000)
    error = (g % 25 == 0) & (np.arange(2000) % 4 < 2)  # errors come together, in 2 % of the cells
    alike, apart = (
        select(s, labelled, error, questions, design="questions")
        for questions in (g, np.arange(2000))
    )
    assert alike.looks[0].p > 2 * apart.looks[0].p
    assert alike.upper == alike.alpha
    few = select(s, labelled, error, np.arange(2000) // 200, design="questions")
    assert (few.status, few.looks[0].p) == ("INCONCLUSIVE", 1.0)


def test_effective_counts_by_hand():
    # 40 questions of one cell, 2 wrong: sandwich effect 40/39
    error = np.arange(40) < 2
    n, x = 40 / (40 / 39), 2 / (40 / 39)
    expected = 1 - stats.beta.cdf(0.1, x + 1, n - x)
    assert clustered_p(
        np.arange(40), np.ones(40, bool), error, np.arange(40), 0.1
    ) == pytest.approx(expected)


def test_strata_share_delta():
    s, labelled, error, g = cells(1200)
    even = (np.arange(1200) // 2) % 2
    found = select_strata(s, labelled, error, g, even)
    assert [part.codes for part in found] == [(0,), (1,)]
    assert {part.selection.delta for part in found} == {0.05}
    assert sum(part.cells.sum() for part in found) == 1200


def test_a_small_stratum_joins_the_smallest_of_the_others():
    strata = np.repeat([0, 1, 2], [200, 100, 10])
    assert merged_strata(np.ones(310, bool), strata) == ((0,), (1, 2))
    assert merged_strata([], []) == ()


@pytest.mark.parametrize(
    ("alpha", "audits", "errors", "power"),
    [
        (0.1, 50, "10", ".56"),
        (0.1, 100, "16", ".87"),
        (0.1, 200, "28", ".99"),
        (0.05, 100, "10", ".55"),
        (0.05, 200, "16", ".86"),
    ],
)
def test_errors_that_ring_the_alarm_at_an_only_look(alpha, audits, errors, power):
    g, pi, near = np.arange(audits), np.full(audits, 0.05), range(int(errors) - 2, int(errors) + 2)
    ringing = [x for x in near if drift(np.arange(audits) < x, pi, g, alpha, look=None).alarm]
    assert len(ringing) == 2
    name = f"3 drift, alpha {alpha:.2f}, {audits} audits"
    same(f"{name}, errors that alarm", ringing[0], errors)
    same(
        f"{name}, power if errors double", stats.binom.sf(ringing[0] - 1, audits, 2 * alpha), power
    )


def test_levels_of_many_looks_sum_to_the_whole():
    levels = [drift([0], [0.05], [0], 0.1, look).level for look in range(1, 2000)]
    same("3 drift, level of the first look", levels[0], ".0304")
    assert sum(levels) == pytest.approx(0.05, abs=5e-5)


def test_audits_with_unequal_chances():
    generator = np.random.default_rng(1)
    pi = generator.choice([0.05, 0.5], 600)
    g = np.arange(600) // 2
    calm = drift(generator.random(600) < 0.05, pi, g, 0.1)
    loud = drift(generator.random(600) < 0.25, pi, g, 0.1)
    assert (calm.alarm, loud.alarm) == (False, True)
    assert calm.rate < calm.upper < 0.12 and loud.upper > 0.25
    assert calm.method == "t by questions, weighed by 1/probability"


def test_audits_that_say_nothing():
    assert (drift([], [], [], 0.1).audits, drift([], [], [], 0.1).alarm) == (0, False)
    rare = drift([1, 1], [0.01, 0.01], [0, 1], 0.1)
    assert (rare.audits, rare.left_out, rare.alarm) == (0, 2, False)
    one = drift([1, 1], [0.05, 0.5], [0, 0], 0.1)
    assert (one.alarm, one.upper) == (False, None)
    with pytest.raises(InputError, match="1 for the first"):
        drift([1], [0.1], [0], 0.1, look=0)
