"""Every two models on the questions that both have: the same as one mean minus the other where all
have the same, and the mean over the shared ones elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from graders.statistics.influence import influence
from graders.statistics.model_pairs import Part, _Bases, _sums, pairs_of
from graders.statistics.prediction_powered import differences, differences_of, pair_sums
from graders.statistics.standing import Standing

G, M = 120, 4


def cells(keep: np.ndarray, labels: float = 0.4, seed: int = 1) -> Standing:
    draw = np.random.default_rng(seed)
    q, m = (part[keep] for part in (np.repeat(np.arange(G), M), np.tile(np.arange(M), G)))
    y = np.where(draw.random(len(q)) < labels, draw.random(len(q)), np.nan)
    ones = np.ones(len(q), int)
    return Standing("north", m, q, draw.random(len(q)), y, draw.uniform(0.2, 0.9, len(q)), {}, ones)


def part(of: Standing, share: float = 1.0) -> Part:
    means = of.influence((G, M), "corrected")
    assert means is not None
    return Part(of, means, share)


def test_with_the_same_questions_it_is_the_difference_of_the_means() -> None:
    one = part(cells(np.ones(G * M, bool)))
    found = pairs_of([one], one.means, "corrected")
    assert found.balanced and np.array_equal(found.scores(), one.means.theta)
    pair_by_pair = _sums([_Bases.of(one, "corrected", (G, M))], (G, M))
    for mine, other in zip(pair_by_pair[:-1], pair_sums(one.means)[:-1], strict=True):
        assert mine == pytest.approx(np.asarray(other), abs=1e-12)
    whole = differences(one.means)
    assert found.of(range(M)).low == pytest.approx(whole.low, nan_ok=True)


def test_a_pair_has_only_the_questions_that_both_have() -> None:
    """Each pair as if nothing else were there, but for the weight of the judge."""
    keep = np.random.default_rng(2).random(G * M) < 0.8
    of = cells(keep)
    one = part(of)
    found = pairs_of([one], one.means, "corrected")
    assert not found.balanced
    for a, b in ((0, 1), (2, 1), (3, 0)):
        both = np.intersect1d(of.question[of.model == a], of.question[of.model == b])
        few = of.only(np.isin(of.question, both) & np.isin(of.model, (a, b)))
        columns = (few.y, few.labelled, few.f, few.pi, few.question, few.model)
        expected = influence(*columns, float(one.means.lam[0]), (G, M)).theta
        assert found.sums.d[a, b] == pytest.approx(expected[a] - expected[b])
        assert found.sums.value[a, b] == pytest.approx(expected[a])
        assert found.sums.questions[a, b] == len(both)
    made = found.of([2, 0, 1])
    assert made.d == pytest.approx(-made.d.T)
    assert made.d[0, 1] == pytest.approx(found.sums.d[2, 0])
    assert differences_of(found.sums).d.shape == (M, M)


def test_places_follow_shared_questions_where_means_would_mislead() -> None:
    """Ash is better wherever both answered; Beech answered the easy half."""
    q = np.repeat(np.arange(100), 2)
    m = np.tile([0, 1], 100)
    easy = q >= 60
    keep = (m == 0) | easy | (q >= 40)
    y = np.clip(0.2 + 0.6 * easy + 0.1 * (m == 0) + 0.01 * (q % 5), 0, 1)
    q, m, y = q[keep], m[keep], y[keep]
    ones = np.ones(len(q), int)
    of = Standing("", m, q, np.full(len(q), np.nan), y, np.ones(len(q)), {}, ones)
    means = of.influence((100, 2), "people")
    assert means is not None and means.theta[0] < means.theta[1]
    found = pairs_of([Part(of, means, 1.0)], means, "people")
    assert found.sums.d[0, 1] == pytest.approx(0.1)
    scores = found.scores()
    assert scores[0] > scores[1]


def test_few_shared_labels_tell_nothing() -> None:
    keep = np.ones(G * M, bool).reshape(G, M)
    keep[:60, 0] = keep[65:, 1] = False
    one = part(cells(keep.ravel(), labels=1.0))
    found = pairs_of([one], one.means, "corrected")
    assert found.doubt(0, 1) == "fewer than 10 labelled questions of both"
    assert found.doubt(0, 2) == "" and np.isnan(found.of([0, 1]).p_flip[0, 1])
