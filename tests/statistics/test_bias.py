"""Which way judges and people lean, on public data and in small cases."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.core.scale import YES_NO
from graders.statistics import bias
from tests.statistics import published
from tests.statistics.published import codes, load
from tests.statistics.values import same, same_row

JUDGES = ("gpt-4", "text-davinci-003", "BEM (BERT matching, not an LLM)")
ZERO, FEW = "text-davinci-003_zeroshot", "text-davinci-003_fewshot-n64"


def three(name, found, expected, within=None):
    same_row(
        f"6 {name}", "value, low, high", (found.value, found.low, found.high), expected, within
    )


def nq301():
    """Values of the judges, then of people, float[4, n], and questions; missing where one of the
    judges is."""
    found, g = codes("nq301", "correctness", YES_NO, *JUDGES, "adjudicated")
    return np.where((found[:3] < 0).any(axis=0), np.nan, found), g


def summeval(criterion, *judges):
    """Values float[raters, n] of judges, then of the three experts; questions; characters of the
    summaries."""
    ratings = load("summeval")[criterion]
    cells = sorted(ratings["expert0"])
    raters = (*judges, "expert0", "expert1", "expert2")
    values = np.array(
        [[float(ratings[rater].get(cell, np.nan)) for cell in cells] for rater in raters]
    )
    long = {
        (row["question_id"], row["model"]): len(row["text"])
        for row in published.rows_of("summeval", "answers")
    }
    return (
        values,
        np.unique([q for q, _ in cells], return_inverse=True)[1],
        np.array([float(long[cell]) for cell in cells]),
    )


def test_severity_of_the_judges_of_nq301():
    x, g = nq301()
    three("severity, nq301 gpt-4", bias.severity(x[0], x[3], g), "-.032 -.057 -.007")
    three("severity, nq301 BEM", bias.severity(x[2], x[3], g), "-.098 -.128 -.067")


def test_severity_and_length_on_summeval():
    values, g, long = summeval(
        "coherence", "gpt-4-0314/rts", "alttest/gpt-4o", "alttest/mistral-v03"
    )
    people = values[3:].mean(axis=0)
    three("severity, coherence gpt4-rts", bias.severity(values[0], people, g), "+1.002 .919 1.084")
    slope = bias.length(values[1] - people, long, g)
    same("6 length, coherence gpt-4o, value", slope.value, "+.978")
    # published with the factor √(G/(G−1)), which the formula has not: 100 articles, .1818 · 1.005 =
    # .1827
    same_row(
        "6 length, coherence gpt-4o",
        "low, high",
        (slope.low, slope.high),
        ".795 1.160",
        within=0.0015,
    )
    for judge, at, published_ratios in (("gpt-4o", 1, ".81 .69"), ("mistral", 2, ".55 .47")):
        same_row(
            f"6 central tendency, coherence {judge}",
            "entropy ratio, SD ratio",
            bias.central_tendency(values[at], values[3]),
            published_ratios,
        )
    persons = [
        bias.severity(values[3 + i], np.delete(values[3:], i, axis=0).mean(axis=0), g).value
        for i in range(3)
    ]
    same_row("6 severity, coherence", "expert 0, expert 1, expert 2", persons, "+.545 +.004 -.550")
    values, g, _ = summeval("relevance", "alttest/gpt-4o")
    three(
        "severity, relevance gpt-4o",
        bias.severity(values[0], values[1:].mean(axis=0), g),
        "-1.199 -1.271 -1.127",
    )


def test_length_on_nq301():
    x, g = nq301()
    ratings = load("nq301")["correctness"]
    long = {
        (row["question_id"], row["model"]): float(len(row["text"]))
        for row in published.rows_of("nq301", "answers")
    }
    size = np.array(
        [long[cell] for cell in sorted({cell for rater in ratings.values() for cell in rater})]
    )
    size[np.isnan(x[0])] = np.nan
    three("length, nq301 gpt-4", bias.length(x[0] - x[3], size, g), "-.011 -.034 .012")
    three("length, nq301 davinci", bias.length(x[1] - x[3], size, g), "+.060 .033 .087")
    same("6 length, nq301 people", bias.length(x[3], size, g).value, "+.083")


@pytest.mark.parametrize(
    ("judge", "system", "expected"),
    [
        ("text-davinci-003", ZERO, "+.092 .040 .145"),
        ("text-davinci-003", FEW, "-.043 -.089 .004"),
        ("gpt-4", ZERO, "+.013 -.038 .063"),
    ],
)
def test_family_preference_beside_the_ten_other_systems(judge, system, expected):
    ratings = load("nq301")["correctness"]
    first = published.first_answers()
    items = [
        (q, name, cell)
        for (q, name), cell in first.items()
        if (name == system or name not in (ZERO, FEW))
        and all(cell in ratings[each] for each in JUDGES)
    ]
    error = [
        (ratings[judge][cell] == "Yes") - (ratings["adjudicated"][cell] == "Yes")
        for _, _, cell in items
    ]
    own = np.array([name == system for _, name, _ in items])
    g = np.unique([q for q, _, _ in items], return_inverse=True)[1]
    three(f"family, {judge} on {system}", bias.family(np.array(error, float), own, g), expected)


@pytest.mark.parametrize(
    ("judge", "expected", "ties"),
    [("gpt-4o", "+.065 -.126 .256", ".033"), ("mistral-v03", "+.244 .063 .425", None)],
)
def test_the_answer_shown_first_in_mtbench(judge, expected, ties):
    ratings = load("alttest_mtbench")["preference"]
    number = {"A": 1.0, "tie": 0.0, "B": -1.0}
    labels = [
        (cell, value)
        for person in ("author_0", "author_4", "expert_24")
        for cell, value in ratings[person].items()
    ]
    judged = np.array([number[ratings[judge][cell]] for cell, _ in labels])
    question = np.unique([q.rsplit("-", 1)[0] for (q, _), _ in labels], return_inverse=True)[1]
    found = bias.position_from_one_order(judged, [number[value] for _, value in labels], question)
    three(f"position, mtbench {judge}", found, expected)
    if ties:
        same(
            f"6 ties, mtbench {judge}",
            np.mean([value == "tie" for value in ratings[judge].values()]),
            ties,
        )
        same("6 ties, mtbench people", np.mean([value == "tie" for _, value in labels]), ".309")


def test_a_slope_of_one_half_is_found_within_questions():
    draw = np.random.default_rng(0)
    g = np.repeat(np.arange(30), 4)
    size = np.exp(draw.normal(5, 1, 120))
    level = draw.normal(0, 3, 30)[g]  # questions with longer answers may be easier: that is no bias
    found = bias.length(0.5 * np.log(size) + level + draw.normal(0, 0.01, 120), size, g)
    assert found.value == pytest.approx(0.5, abs=0.01)
    assert found.status == "OK"
    assert (
        bias.length(np.zeros(120), np.full(120, 7.0), g).reason
        == "all answers of a question are equally long"
    )
    with pytest.raises(InputError, match="lengths of answers"):
        bias.length([1.0], [0.0], [0])


def test_both_orders_tell_how_often_and_which_way_a_judge_changes():
    first, second = np.ones(40), np.ones(40)
    second[:10] = 0.0  # ten pairs: A wins when it stands first, loses when it stands second
    found = bias.position(first, second, np.arange(40))
    assert found.changed.value == 0.25
    assert found.lean.value == 1.0
    assert found.lean.status == "INCONCLUSIVE"  # 10 questions


def test_few_questions_and_few_own_answers_are_inconclusive():
    assert bias.severity(np.ones(19), np.zeros(19), np.arange(19)).status == "INCONCLUSIVE"
    own = np.tile([True, False], 15)
    own[20:] = False
    found = bias.family(np.random.default_rng(0).random(30), own, np.repeat(np.arange(15), 2))
    assert found.status == "INCONCLUSIVE"
    assert bias.family([1.0, 2.0], [False, False], [0, 0]).status == "UNDEFINED"
    assert bias.severity([], [], []).status == "UNDEFINED"
    assert bias.central_tendency([1.0, 2.0], [3.0, 3.0]) == (None, None)
    assert bias.severity([1.0, np.nan], [0.0, 0.0], [0, 1]).n_cells == 1


def test_drift_by_mcnemar_and_by_questions():
    # 8 up, 1 down of two values: 2 (C(9,0) + C(9,1)) / 2^9 = .0390625
    before, after = (
        np.array([0] * 8 + [1] * 3 + [0] * 9),
        np.array([1] * 8 + [0] + [1] * 2 + [0] * 9),
    )
    found, p = bias.drift(before, after, np.arange(20))
    assert (found.value, p) == (pytest.approx(0.35), pytest.approx(0.0390625))
    assert bias.drift([1, 2, 3], [1, 2, 3], [0, 1, 2])[1] == 1.0
    draw = np.random.default_rng(0)
    base = draw.integers(1, 6, 60)
    assert bias.drift(base, base + draw.integers(0, 2, 60), np.arange(60))[1] < 1e-6


def test_holm_by_hand():
    # .01*4, max(.04, .02*3), max(.06, .03*2), max(.06, .04)
    assert bias.holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert len(bias.holm([])) == 0
    assert bias.holm([0.6, 0.9]).tolist() == [1.0, 1.0]
    with pytest.raises(InputError, match="p-values"):
        bias.holm([np.nan])
