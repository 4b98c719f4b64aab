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
    same_row("9 nq301, annotator 1 and 3 judges", "majority, DS", right(rows[:4], rows[4]), ".877 .865")


@pytest.mark.parametrize(
    ("name", "criteria", "most", "chances", "within"),
    [
        ("alttest_cebab", ("food", "service", "ambiance", "noise"), 0.904, 0.904, 0.001),
        ("alttest_cebab", ("stars",), 0.493, 0.545, 0.0015),
        ("alttest_wax", ("relation",), 0.429, 0.449, 0.001),
        ("alttest_mtbench", ("preference",), 0.675, 0.683, 0.005),  # two or three labels a pair: 1 label of 246 is .004
    ],
)
def test_a_person_predicted_from_the_others(name, criteria, most, chances, within):
    ratings, K = everybody(name, criteria)
    hits, guessed, cells = 0.0, 0, 0
    for person in range(len(ratings)):
        rest = np.delete(ratings, person, axis=0)
        known = np.flatnonzero((ratings[person] >= 0) & (rest >= 0).any(axis=0))
        votes = (rest[:, :, None] == np.arange(K)).sum(axis=0)
        best = votes == votes.max(axis=1, keepdims=True)
        hits += (best / best.sum(axis=1, keepdims=True))[known, ratings[person, known]].sum()
        guessed += int((dawid_skene(rest, K).argmax(axis=1) == ratings[person])[known].sum())
        cells += len(known)
    assert (hits / cells, guessed / cells) == (pytest.approx(most, abs=within), pytest.approx(chances, abs=within))


def everybody(name, criteria):
    """Codes int[people, cells] of all people on several criteria."""
    published.load(name)  # skips where the data are absent
    rows = [row for row in published.rows_of(name, "human") if row["criterion"] in criteria and row["value"] is not None]
    people, values = sorted({row["annotator"] for row in rows}), sorted({str(row["value"]) for row in rows})
    cells = sorted({(row["criterion"], row["question_id"], row["model"]) for row in rows})
    at = {cell: place for place, cell in enumerate(cells)}
    found = np.full((len(people), len(cells)), -1)
    for row in rows:
        found[people.index(row["annotator"]), at[row["criterion"], row["question_id"], row["model"]]] = values.index(str(row["value"]))
    return found, len(values)


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
    assert (dawid_skene(ratings, 3).argmax(axis=1) == truth).mean() > (majority(ratings, 3).value == truth).mean() + 0.1
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
