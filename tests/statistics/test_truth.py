"""Majority and Dawid-Skene on public data, and where they have nothing to say."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.core.scale import YES_NO
from graders.statistics.truth import dawid_skene, majority, worth_it
from tests.statistics import published
from tests.statistics.published import codes
from tests.statistics.values import same, same_row

JUDGES = ("gpt-4", "text-davinci-003", "BEM (BERT matching, not an LLM)")


def right(ratings, y, K=2):
    """Share of cells on which the majority (a tie counts half) and Dawid-Skene meet `y`."""
    most = majority(ratings, K)
    credit = np.where(most.tied, 0.5, most.value == y)
    return credit.mean(), (dawid_skene(ratings, K).argmax(axis=1) == y).mean()


def test_three_judges_and_an_annotator_on_nq301():
    rows, _ = codes("nq301", "correctness", YES_NO, *JUDGES, "annotator1", "adjudicated")
    same_row("9 nq301, 3 judges", "majority, DS", right(rows[:3], rows[4]), ".854 .854")
    same("9 nq301, annotator 1 alone", (rows[3] == rows[4]).mean(), ".956")
    # judges that vote make a good person's labels worse
    same_row(
        "9 nq301, annotator 1 and 3 judges", "majority, DS", right(rows[:4], rows[4]), ".877 .865"
    )


@pytest.mark.parametrize(
    ("name", "criteria", "published_shares", "within"),
    [
        ("alttest_cebab", ("food", "service", "ambiance", "noise"), ".904 .904 .865", 0.001),
        ("alttest_cebab", ("stars",), ".493 .545 .585", 0.0015),
        ("alttest_wax", ("relation",), ".429 .449 .368", 0.001),
        # two or three labels a pair: 1 label of 246 is .004
        (
            "alttest_mtbench",
            ("preference",),
            ".675 .683 .569",
            0.005,
        ),
    ],
    ids=["cebab aspects", "cebab stars", "wax", "mtbench"],
)
def test_a_person_predicted_from_the_others(name, criteria, published_shares, within, request):
    people, judges, K = everybody(name, criteria)
    hits, beside_judges, guessed, cells = 0.0, 0.0, 0, 0
    for person in range(len(people)):
        rest = np.delete(people, person, axis=0)
        known = np.flatnonzero((people[person] >= 0) & (rest >= 0).any(axis=0))
        hits += majority_hits(rest, people[person], known, K)
        beside_judges += majority_hits(np.vstack([rest, judges]), people[person], known, K)
        guessed += int((dawid_skene(rest, K).argmax(axis=1) == people[person])[known].sum())
        cells += len(known)
    ours = hits / cells, guessed / cells, beside_judges / cells
    title = f"9 held-out person, {request.node.callspec.id}"
    same_row(
        title, "majority, DS, majority of people and six judges", ours, published_shares, within
    )


def majority_hits(ratings, own, known, K):
    """Sum over cells of what the majority says of a person's value; a tie counts its part."""
    votes = (ratings[:, :, None] == np.arange(K)).sum(axis=0)
    best = votes == votes.max(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True))[known, own[known]].sum()


def everybody(name, criteria):
    """Codes of all people int[people, cells] and of all judges on several criteria, and the number
    of values."""
    published.load(name)  # skips where the data are absent
    sides = [
        [
            (row[who], (row["criterion"], row["question_id"], row["model"]), str(row["value"]))
            for row in published.rows_of(name, file)
            if row["criterion"] in criteria and row["value"] is not None
        ]
        for file, who in (("human", "annotator"), ("judge", "judge"))
    ]
    values = sorted({value for side in sides for _, _, value in side})
    at = {cell: place for place, cell in enumerate(sorted({cell for _, cell, _ in sides[0]}))}
    found = []
    for side in sides:
        raters = {who: place for place, who in enumerate(sorted({who for who, _, _ in side}))}
        codes_of = np.full((len(raters), len(at)), -1)
        for who, cell, value in side:
            if cell in at:
                codes_of[raters[who], at[cell]] = values.index(value)
        found.append(codes_of)
    return *found, len(values)


def test_ties_and_cells_without_a_verdict_have_no_majority():
    found = majority([[0, 0, -1, 2], [0, 1, -1, -1], [1, -1, -1, -1]], 3)
    assert found.value.tolist() == [0, -1, -1, 2]
    assert found.tied.tolist() == [False, True, False, False]


def test_dawid_skene_trusts_who_is_right():
    draw = np.random.default_rng(0)
    truth = draw.integers(0, 3, 300)
    good = [np.where(draw.random(300) < 0.95, truth, draw.integers(0, 3, 300)) for _ in range(2)]
    noise = [draw.integers(0, 3, 300) for _ in range(3)]
    ratings = np.array([*good, *noise])
    assert (dawid_skene(ratings, 3).argmax(axis=1) == truth).mean() > (
        majority(ratings, 3).value == truth
    ).mean() + 0.1
    assert worth_it(ratings, 3)
    assert not worth_it(ratings, 2) if ratings.max() < 2 else not worth_it(ratings[:4], 3)


def test_odd_input():
    assert dawid_skene([[0, 1, 1]], 2).argmax(axis=1).tolist() == [0, 1, 1]  # one annotator
    assert dawid_skene([[0, 0], [0, 0]], 2).argmax(axis=1).tolist() == [0, 0]
    assert dawid_skene(np.zeros((2, 0), int), 2).shape == (0, 2)
    assert dawid_skene([[-1, 1]], 2)[0].sum() == pytest.approx(1)
    with pytest.raises(InputError, match="ratings"):
        majority([[np.nan]], 2)
    with pytest.raises(InputError, match="whole numbers from 0 to 1"):
        majority([[2]], 2)
