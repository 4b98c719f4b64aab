"""The alternative annotator test: by hand, at its edges, and the published results."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy import stats

from graders.core.errors import InputError
from graders.statistics.alt_test import alt_test, yekutieli
from tests.statistics.published import load
from tests.statistics.values import same, same_row

JUDGES = ("gemini_flash", "gemini_pro", "gpt-4o", "gpt-4o-mini", "llama-31", "mistral-v03")
ASPECTS = ("ambiance", "food", "noise", "service")
SUMMARIES = ("coherence", "consistency", "fluency", "relevance")
EXPERTS = ("expert0", "expert1", "expert2")


def test_wins_by_hand():
    #         item: 0  1  2
    people = [[0, 0, 1], [0, 1, 1], [1, 1, 0]]
    judge = [0, 1, 2]
    found = alt_test(judge, people, min_items=3)
    # person 0 against 1, 2. Item 0: both score 1/2; item 1: judge 1, person 0; item 2: judge 0,
    # person 1/2
    assert [round(each.advantage, 6) for each in found.people] == [
        round(2 / 3, 6),
        round(2 / 3, 6),
        1.0,
    ]
    # person 2: item 0: judge 1, person 0; item 1: both 1/2; item 2: both 0 -> d = -1, 0, 0
    d = np.array([-1.0, 0, 0])
    assert found.p[2] == pytest.approx(stats.ttest_1samp(d, 0.1, alternative="less").pvalue)
    assert found.n == (3, 3, 3)


def test_distances_are_measured_in_the_numbers_of_the_scale():
    # values 0, 1, 10; the other said 1: the judge's 0 is nearer than the person's 10
    people = [[2] * 40, [1] * 40]
    found = alt_test([0] * 40, people, "neg_rmse", values=[0, 1, 10])
    assert (found.people[0].advantage, found.people[0].p) == (1.0, 0.0)
    # against the second person (1; the first said 10) the judge's 0 is farther
    assert (found.people[1].advantage, found.people[1].p) == (0.0, 1.0)
    assert (found.status, found.reason) == (
        "INCONCLUSIVE",
        "only 2 of at least 3 people graded 30 items that others graded too",
    )


def test_yekutieli_with_three_people():
    largest = max(p for p in np.arange(0.0085, 0.0095, 0.00001) if yekutieli([p, 0.5, 0.5])[0])
    same("2 mtbench, most that BY asks of the smallest p", largest, ".0091")
    # .05 / (3 x (1 + 1/2 + 1/3)) = .0091 of the smallest
    assert yekutieli([0.0090, 0.5, 0.5]).tolist() == [True, False, False]
    assert yekutieli([0.0092, 0.5, 0.5]).tolist() == [False, False, False]
    # step up: the largest, below its own limit 3 x .0091, brings the others along
    assert yekutieli([0.0270, 0.0265, 0.0260]).tolist() == [True, True, True]
    assert yekutieli([]).tolist() == []


def test_all_equal_has_no_variance_and_still_a_result():
    found = alt_test([1] * 30, np.ones((3, 30), int))
    assert (found.p, found.omega, found.passed, found.rho.value) == (
        (0.0, 0.0, 0.0),
        1.0,
        True,
        1.0,
    )
    never = alt_test([0] * 30, np.ones((3, 30), int))
    assert (never.p, never.omega, never.passed, never.rho.value) == (
        (1.0, 1.0, 1.0),
        0.0,
        False,
        0.0,
    )


def test_few_items_give_an_advantage_and_no_test():
    rows = np.random.default_rng(1).integers(0, 2, (4, 29))
    found = alt_test(rows[0], rows[1:])
    assert (found.omega, found.passed, found.status) == (None, None, "UNDEFINED")
    assert found.reason == "no person graded 30 items that others graded too"
    assert found.rho.value == pytest.approx(np.mean([each.advantage for each in found.people]))
    assert [each.p for each in found.people] == [None] * 3


@pytest.mark.parametrize(
    "people", [np.ones((1, 40), int), np.full((3, 40), -1), np.ones((3, 0), int)]
)
def test_one_person_or_none_is_undefined(people):
    found = alt_test(np.ones(people.shape[1], int), people)
    assert (found.status, found.omega, found.rho.status, found.people) == (
        "UNDEFINED",
        None,
        "UNDEFINED",
        (),
    )


def test_one_question_has_no_test_by_questions():
    rows = np.random.default_rng(2).integers(0, 2, (4, 60))
    found = alt_test(rows[0], rows[1:], g=np.zeros(60, int))
    assert found.omega is not None and found.omega_questions is None
    assert [each.p_questions for each in found.people] == [None] * 3
    assert found.rho.status == "INCONCLUSIVE"


def test_repeated_items_of_a_question_add_no_certainty():
    rows = np.random.default_rng(3).integers(0, 2, (4, 40))
    once = alt_test(rows[0], rows[1:])
    thrice = alt_test(
        np.repeat(rows[0], 3), np.repeat(rows[1:], 3, axis=1), g=np.repeat(range(40), 3)
    )
    for one, three in zip(once.people, thrice.people, strict=True):
        assert three.p_questions == pytest.approx(one.p) == one.p_questions
        assert three.p != pytest.approx(one.p)


def test_arrays_that_do_not_fit():
    with pytest.raises(InputError) as found:
        alt_test([1, 1], [[1, 1, 1]])
    assert (
        str(found.value)
        == "people: found shape (1, 3), expected one value for each of the judge's 2 items."
    )


@cache
def items(name, criteria, people):
    """Codes of each rater over all items (criterion, question, model) that one of `people` graded,
    questions and numbers."""
    ratings = load(name)
    cells = sorted(
        {
            (c, *key)
            for c in criteria
            for who in people or set(ratings[c]) - set(JUDGES)
            for key in ratings[c].get(who, {})
        }
    )
    values = sorted({v for c in criteria for row in ratings[c].values() for v in row.values()})
    code = {value: at for at, value in enumerate(values)}
    raters = sorted({who for c in criteria for who in ratings[c]})
    rows = {
        who: np.array([code.get(ratings[c].get(who, {}).get((q, m)), -1) for c, q, m in cells])
        for who in raters
    }
    return rows, np.unique([q for _, q, _ in cells], return_inverse=True)[1], values


@pytest.mark.parametrize(
    ("name", "criteria", "score", "epsilon", "m", "omegas", "rhos"),
    [
        (
            "alttest_mtbench",
            ("preference",),
            "equal",
            0.2,
            "3",
            "0 0 0 0 0 0",
            ".7189 .7645 .7728 .7355 .6872 .6832",
        ),
        (
            "alttest_cebab",
            ASPECTS,
            "equal",
            0.1,
            "10",
            ".7 .9 .9 .5 .6 .1",
            ".9135 .9356 .9277 .8962 .8911 .8110",
        ),
        (
            "alttest_cebab",
            ("stars",),
            "neg_rmse",
            0.1,
            "10",
            ".6 .8 .9 .9 .6 .5",
            ".8215 .8666 .8986 .8941 .8532 .8291",
        ),
        (
            "alttest_wax",
            ("relation",),
            "equal",
            0.1,
            "8",
            ".375 .5 .5 0 0 0",
            ".6923 .7371 .7300 .5945 .5730 .4977",
        ),
        (
            "summeval",
            SUMMARIES,
            "neg_rmse",
            0.2,
            "3",
            "0 0 0 0 0 0",
            ".4565 .4612 .4736 .5320 .5740 .5999",
        ),
    ],
    ids=["mtbench", "cebab aspects", "cebab stars", "wax", "summeval"],
)
def test_published_pairs(name, criteria, score, epsilon, m, omegas, rhos, request):
    chosen = EXPERTS if name == "summeval" else ()
    rows, g, values = items(name, criteria, chosen)
    people = np.stack(
        [row for who, row in rows.items() if who in chosen or (not chosen and who not in JUDGES)]
    )
    numbers = values if score == "neg_rmse" else None
    judges = [rows[("alttest/" if name == "summeval" else "") + judge] for judge in JUDGES]
    found = [alt_test(judge, people, score, epsilon, g=g, values=numbers) for judge in judges]
    title, columns = f"2 {request.node.callspec.id}", ", ".join(JUDGES)
    assert len({len(each.p) for each in found}) == 1
    same(f"{title}, people", len(found[0].p), m)
    same_row(f"{title} omega", columns, [each.omega for each in found], omegas)
    same_row(f"{title} rho", columns, [each.rho.value for each in found], rhos)
    if name == "alttest_mtbench":
        assert len({each.n for each in found}) == 1
        same_row(f"{title} items", "author_0, author_4, expert_24", found[2].n, "74 84 88")
        same_row(
            f"{title} p of gpt-4o", "author_0, author_4, expert_24", found[2].p, ".0192 .0260 .3145"
        )
