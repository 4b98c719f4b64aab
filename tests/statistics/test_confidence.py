"""Confidence of the machine's values: siblings, distilled votes, ranks, and what is learned from
labels."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.statistics.confidence import (
    combined,
    distilled,
    from_voices,
    learned_confidence,
    ranks,
    siblings,
    unanimity,
)
from tests.statistics.routing_data import nq301
from tests.statistics.values import same_row


def test_siblings_by_hand():
    # question 5: three answers, two of them alike; question 8: one answer alone
    vectors = np.array([[1.0, 0], [1.0, 0], [0.0, 1], [1.0, 0]])
    found = siblings([1.0, 0.5, 0.0, 1.0], vectors, [5, 5, 5, 8])
    far = np.exp(-8)
    assert found.sibling[0] == pytest.approx((0.5 + far * 0 + 0.01) / (1 + far + 0.02))
    assert found.sibling[2] == pytest.approx((far * 1.5 + 0.01) / (2 * far + 0.02))
    assert found.question.tolist() == pytest.approx(
        [(0.5 + 0.5) / 3, (1.0 + 0.5) / 3, (1.5 + 0.5) / 3, 0.5]
    )
    assert found.answers.tolist() == [3, 3, 3, 1]
    assert found.nearest.tolist() == [1, 1, 0, 0]
    assert found.sibling[3] == 0.5


def test_siblings_of_the_first_question_of_nq301():
    data = nq301()
    first = data.g == data.g[0]
    yes = data.verdicts[:, first].mean(axis=0)
    found = siblings(yes, np.ones((int(first.sum()), 1)), data.g[first])
    same_row(
        "3b nq301 qyes", "row 1, row 2, row 3, row 4", found.question[:4], ".6333 .6333 .7667 .7000"
    )


def test_distilling_keeps_what_judges_agree_on():
    generator = np.random.default_rng(1)
    truth = generator.random(400) < 0.6
    votes = np.where(generator.random((3, 400)) < 0.2, ~truth, truth)
    clue = truth + generator.normal(0, 0.5, 400)
    p = distilled(np.column_stack([votes.T, clue]), votes.mean(axis=0))
    # among cells with equal votes the clue decides, which no judge has seen
    split = votes.sum(axis=0) == 1
    assert p[split & truth].mean() > p[split & ~truth].mean() + 0.05
    assert p[votes.all(axis=0)].mean() > p[split].mean()


def test_distilling_without_doubt_or_cells():
    assert distilled(np.zeros((3, 1)), [1.0, 1.0, 1.0]).tolist() == [1, 1, 1]
    assert distilled(np.zeros((0, 1)), []).tolist() == []
    with pytest.raises(
        InputError, match="mean of the judges: found one that is missing or not within 0 to 1"
    ):
        distilled([[0.0]], [float("nan")])


def test_ranks_keep_the_order_of_ties():
    assert ranks([0.3, 0.1, 0.3, 0.2]).tolist() == [0.5, 0.0, 0.75, 0.25]
    assert combined([1, 2], [2, 1]).tolist() == [0.25, 0.25]
    assert unanimity([[1, 0], [1, 1]], [0.9, 0.3]).tolist() == pytest.approx([1.4, 0.2])


def test_beside_one_judge_others_sort_and_a_rule_does_not_vouch_for_itself():
    random, n = np.random.default_rng(4), 2_000
    truth = random.random(n) < 0.5
    judge = np.where(random.random(n) < 0.15, ~truth, truth)
    other = truth + random.normal(0, 0.7, n)  # errs apart from the judge
    # the rule speaks of a fifth of the cells, is wrong on a third of these, and its value counts
    speaks = random.random(n) < 0.2
    rule = np.where(speaks, np.where(random.random(n) < 1 / 3, ~truth, truth), np.nan)
    value = np.where(speaks, rule == 1, judge).astype(int)
    votes = np.stack([judge.astype(float), rule])
    sure, chance = from_voices(value, votes, np.full((2, n), np.nan), other[:, None], rules=1)
    error, half = value != truth, np.argsort(-sure, kind="stable")[: n // 2]
    assert error[half].mean() < 0.6 * error.mean() and ((chance > 0) & (chance < 1)).all()
    # were it a judge, the two would be unanimous about its errors
    as_judge, _ = from_voices(value, votes, np.full((2, n), np.nan), other[:, None])
    top = n // 10
    first, second = (np.argsort(-s, kind="stable")[:top] for s in (sure, as_judge))
    assert error[first].mean() < error[second].mean()


def test_a_labelled_cell_does_not_see_its_own_label():
    generator = np.random.default_rng(2)
    X, g = generator.normal(size=(200, 3)), np.arange(200) // 4
    labelled = np.arange(200) % 2 == 0
    y = (generator.random(200) < 0.5).astype(int)
    other = np.where(np.arange(200) < 4, 1 - y, y)  # another outcome in question 0 only
    one, two = (learned_confidence(X, labels, g, [0, 1], labelled) for labels in (y, other))
    same = g == 0  # cells without a label too: labelled ones must stay a fair sample of them
    assert one.chances[same] == pytest.approx(two.chances[same])
    assert one.chances[~labelled] != pytest.approx(two.chances[~labelled])


def test_the_confidence_is_that_of_being_near_enough():
    X = np.arange(100.0)[:, None] % 5
    y = (np.arange(100) % 5).astype(int)
    labelled = np.arange(100) < 50
    exact, near = (
        learned_confidence(X, y, np.arange(100), [1, 2, 3, 4, 5], labelled, tolerance)
        for tolerance in (0, 1)
    )
    assert (near.confidence >= exact.confidence - 1e-12).all()


def test_labels_on_few_questions_are_refused():
    with pytest.raises(InputError, match="found 4 questions, expected at least 5"):
        learned_confidence(
            np.zeros((8, 1)), np.zeros(8, int), np.arange(8) // 2, [0, 1], np.ones(8, bool)
        )
