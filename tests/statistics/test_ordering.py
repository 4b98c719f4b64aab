"""Review order: begun by disagreement, continued by what was found."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.statistics.ordering import next_batch
from tests.statistics.routing_data import PANEL, nq301, summeval


def found_early(features, prior, error, share=0.2):
    """Share of all errors among the first cells reviewed."""
    seen: list[int] = []
    stop = round(share * len(error))
    while len(seen) < stop:
        seen += next_batch(features, prior, seen, error[seen]).tolist()
    assert len(set(seen)) == len(seen)
    return error[seen[:stop]].sum() / error.sum()


def test_the_first_are_the_most_doubtful():
    prior = [0.1, 0.9, np.nan, 0.9, 0.5]
    assert next_batch(np.zeros((5, 1)), prior, [], [], 4).tolist() == [1, 3, 4, 0]
    assert next_batch(np.zeros((5, 1)), prior, [3, 0], [True, False], 4).tolist() == [1, 4, 2]


def test_the_fiftieth_cell_ends_the_first_batches():
    assert len(next_batch(np.zeros((99, 1)), np.zeros(99), range(40), np.zeros(40))) == 10
    assert len(next_batch(np.zeros((99, 1)), np.zeros(99), range(50), np.arange(50) < 5)) == 25


def test_what_was_found_outweighs_the_prior():
    generator = np.random.default_rng(1)
    clue = generator.random(500)
    error = clue > 0.8
    prior = np.abs(clue - 0.7)  # begins with the lowest clues, some of the highest among them
    prior[:40] = 2
    assert found_early(clue[:, None], prior, error) > 0.5
    # a clue that says nothing leaves the prior
    assert found_early(np.zeros((500, 1)), prior, error) < 0.3


def test_without_an_error_or_without_cells_the_prior_goes_on():
    prior = np.arange(100.0)
    assert next_batch(np.zeros((100, 1)), prior, range(50, 100), np.zeros(50), 3).tolist() == [
        49,
        48,
        47,
    ]
    assert next_batch(np.zeros((2, 1)), [1, 2], [0, 1], [True, False]).tolist() == []
    assert next_batch(np.zeros((0, 1)), [], [], []).tolist() == []


def test_arrays_that_do_not_fit():
    with pytest.raises(InputError) as said:
        next_batch(np.zeros((3, 1)), [1, 2], [], [])
    assert str(said.value) == "review order: found 3, 2, 0 and 0 entries, expected one per cell."


def test_errors_of_gpt_4_on_nq301_come_early():
    data = nq301()
    against = (data.verdicts != data.verdicts[0]).sum(axis=0)
    stated = np.where(data.verdicts[0] == 1, data.p, 1 - data.p)
    features = np.column_stack([*data.verdicts, against])
    assert found_early(features, against + 1 - stated, data.verdicts[0] != data.human) >= 0.40


def test_a_bias_that_the_panel_shares_is_learned():
    data = summeval("fluency")
    judge = PANEL.index("gpt-4-0314/rts")
    off = np.abs(data.verdicts[judge] - np.delete(data.verdicts, judge, axis=0).mean(axis=0))
    features = np.column_stack([*data.verdicts, off])
    assert found_early(features, off, np.abs(data.verdicts[judge] - data.human) >= 2) >= 0.70
