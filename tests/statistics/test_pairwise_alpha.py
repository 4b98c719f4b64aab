"""Krippendorff's alpha of people with gaps, and of a judge beside each of them."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from graders.core.scale import YES_NO, Scale
from graders.statistics.pairwise_alpha import Ratings, alpha_level, among_people, with_judge
from tests.statistics.published import codes
from tests.statistics.values import same, same_row
from tests.support.voices import opinions_of

SCALES = {
    "nominal": Scale("nominal", labels=("1", "2", "3", "4", "5")),
    "ordinal": Scale("ordered", labels=("1", "2", "3", "4", "5")),
    "interval": Scale("integer", low=1, high=5),
}
EXPERTS = ("expert0", "expert1", "expert2")


def alpha(scale, people, g, judge=None, on=None):
    """Alpha of people float[P, n] among themselves, or of a judge with each of them."""
    opinions = opinions_of(people, g, judge)
    used = np.ones(len(opinions.author), bool)
    ratings = Ratings.of(opinions, used, list(range(len(people))), weighted=False)
    every = np.ones(len(g), bool) if on is None else on
    if judge is None:
        return among_people(scale, opinions, ratings, every, intervals=True)
    return with_judge(scale, opinions, ratings, judge, every, intervals=True)


def numbers(rows):
    return np.where(rows < 0, np.nan, rows).astype(float)


@pytest.mark.parametrize(
    ("criterion", "published"),
    [
        ("coherence", ".1607 .5744 .5756"),
        ("consistency", ".5363 .8146 .8989"),
        ("fluency", ".4068 .6123 .7375"),
        ("relevance", ".1389 .4473 .4935"),
    ],
)
def test_without_gaps_alpha_of_people_is_the_published_one(criterion, published):
    rows, g = codes("summeval", criterion, SCALES["interval"], *EXPERTS)
    found = [
        alpha(scale, numbers(rows) + (level == "interval"), g).value
        for level, scale in SCALES.items()
    ]
    columns = "alpha nominal, alpha ordinal, alpha interval"
    same_row(f"1 summeval {criterion}, every pair", columns, found, published)


def test_gaps_leave_the_published_alpha_where_each_cell_is_a_question():
    rows, _ = codes("nq301", "correctness", YES_NO, "annotator1", "annotator2")
    found = alpha(YES_NO, numbers(rows), np.arange(rows.shape[1]))
    same("1 nq301 annotators 1, 2, every pair, alpha", found.value, ".734744")


def slow(scale, units, weights):
    """Alpha by its definition: `units` are lists of numbers that are compared, each with a
    weight."""
    level, values = alpha_level(scale), sorted({v for unit in units for v in unit})
    n_k = dict.fromkeys(values, 0.0)
    for unit, w in zip(units, weights, strict=True):
        for v in unit:
            n_k[v] += w
    below = {v: sum(n_k[u] for u in values if u < v) + n_k[v] / 2 for v in values}

    def apart(a, b):
        if level == "nominal":
            return float(a != b)
        return (below[a] - below[b]) ** 2 if level == "ordinal" else (a - b) ** 2

    observed = sum(
        w * apart(a, b) / (len(unit) - 1)
        for unit, w in zip(units, weights, strict=True)
        for a, b in permutations(unit, 2)
    )
    n = sum(n_k.values())
    expected = sum(n_k[a] * n_k[b] * apart(a, b) for a in values for b in values)
    return 1 - (n - 1) * observed / expected


@pytest.mark.parametrize("level", list(SCALES))
def test_every_pair_counts_and_each_question_weighs_the_same(level):
    scale, rng = SCALES[level], np.random.default_rng(5)
    g = np.repeat(np.arange(12), rng.integers(1, 7, 12))
    first = float(level == "interval")
    true = rng.integers(0, 5, len(g)) + first
    people = np.where(rng.random((4, len(g))) < 0.6, true, rng.integers(0, 5, (4, len(g))) + first)
    people[rng.random(people.shape) < 0.4] = np.nan
    judge = np.where(rng.random(len(g)) < 0.5, true, rng.integers(0, 5, len(g)) + first)
    judge[::7] = np.nan

    def weighted(units):
        """Values of (question, unit): each question weighs the same, together as many as there
        are."""
        count = np.bincount([q for q, unit in units for _ in unit], minlength=12)
        plain = [1 / count[q] for q, _ in units]
        scaled = sum(count) / sum(w * len(unit) for w, (_, unit) in zip(plain, units, strict=True))
        return [unit for _, unit in units], [w * scaled for w in plain]

    said = [(q, column[~np.isnan(column)].tolist()) for q, column in zip(g, people.T, strict=True)]
    among = [(q, unit) for q, unit in said if len(unit) > 1]
    found = alpha(scale, people, g)
    assert found.value == pytest.approx(slow(scale, *weighted(among)))
    assert found.cells == len(among)
    two = [
        (q, [f, v])
        for (q, unit), f in zip(said, judge, strict=True)
        for v in unit
        if not np.isnan(f)
    ]
    beside = alpha(scale, people, g, judge)
    assert beside.value == pytest.approx(slow(scale, *weighted(two)))
    # a question that is left out is left out of the weights too
    last = g == 11
    without = alpha(scale, people, g, judge, on=~last)
    assert beside.rest[11] == pytest.approx(without.value, abs=0.02)


def test_a_judge_who_says_anything_gains_nothing_from_people_who_agree():
    rng, g = np.random.default_rng(2), np.arange(400)
    true = rng.integers(0, 2, 400).astype(float)
    people = np.stack([true, true, true, true])
    people[0, :200] = np.nan
    judge = rng.integers(0, 2, 400).astype(float)
    assert alpha(YES_NO, people, g).value == 1.0
    assert abs(alpha(YES_NO, people, g, judge).value) < 0.1
    # pooled with them it would look like a colleague
    assert alpha(YES_NO, np.vstack([people, judge]), g).value > 0.5


def test_one_value_alone_has_no_alpha():
    for scale in SCALES.values():
        people = np.full((3, 40), 2.0)
        people[0, 0] = np.nan
        assert np.isnan(alpha(scale, people, np.arange(40)).value)
