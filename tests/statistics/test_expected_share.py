"""What labels are expected to leave to the machine: the simulated draws are those that are made,
and labels that are there move what is expected."""

from __future__ import annotations

import time

import numpy as np
import pytest

from graders.statistics import expected_share
from graders.statistics.expected_share import Known, expected_shares, likely, places
from graders.statistics.placement import stage
from graders.statistics.risk_control import select

CELLS = 600


def made(chance: np.ndarray, labels: int, draw: int) -> tuple[float, float]:
    """The shares that real draws leave to the machine, placed and at random, where it errs by a
    chance in order."""
    random = np.random.default_rng(draw)
    error, sure = random.random(CELLS) < chance, 1 - np.arange(CELLS) / CELLS
    u, labelled = random.random(CELLS), np.zeros(CELLS, bool)
    while not (now := stage(sure, u, labels, labelled, error & labelled)).done:
        labelled[now.ask] = True
    drawn = np.zeros(CELLS, bool)
    drawn[random.choice(CELLS, labels, replace=False)] = True
    found = select(sure, drawn, error & drawn, np.arange(CELLS))
    assert now.selection is not None
    return now.selection.share, found.share


@pytest.mark.parametrize("labels", [100, 260])
def test_the_simulated_draws_are_those_that_are_made(
    monkeypatch: pytest.MonkeyPatch, labels: int
) -> None:
    # one curve alone: what is compared are the draws
    for name, value in (("MOVES", [0.0]), ("SLOPES", [0.8]), ("RUNS", 800)):
        monkeypatch.setattr(expected_share, name, value if name == "RUNS" else np.array(value))
    at = places(1 - np.arange(CELLS) / CELLS)
    chance = 1 / (1 + 9 * ((1 - at) / at) ** 0.8)  # a mean error of 10 % is stated
    found = expected_shares(0.1, CELLS, labels)
    real = np.array([made(chance, labels, draw) for draw in range(250)])
    error = real.std(axis=0) / np.sqrt(250) + 0.25 / np.sqrt(800)
    for expected, shares, off in zip((found.placed, found.random), real.T, error, strict=True):
        assert abs(expected.mean - shares.mean()) < 3 * off, (found, real.mean(axis=0))
    assert real.mean(axis=0).min() > 0.1  # something was there to be compared


def test_labels_say_how_far_the_machine_is_off() -> None:
    at = np.linspace(0.01, 0.99, 120)
    severe = Known(at, at > 0.1)  # wrong on nearly all
    right = Known(at, np.zeros(120, bool))
    before = expected_shares(0.1, CELLS, 200)
    bad, good = (expected_shares(0.1, CELLS, 200, known=known) for known in (severe, right))
    assert bad.nothing and not bad.gains
    # where the machine hardly errs, regions that are placed end before labels at random do
    assert good.random.mean > good.placed.mean > before.placed.mean and not good.gains
    assert good.random.mean > 2 * before.random.mean
    assert likely(0.1).sum() == pytest.approx(1)


def test_where_the_surest_cells_alone_are_right_placing_gains() -> None:
    at = np.linspace(0.005, 0.995, 400)
    rising = Known(at, np.random.default_rng(1).random(400) < 0.3 * at**1.5)
    found = expected_shares(0.1, 2_000, 100, known=rising)
    assert found.gains and found.placed.mean > found.random.mean + 0.02, found


def test_a_million_cells_take_no_longer() -> None:
    begun = time.process_time()
    found = expected_shares(0.1, 1_000_000, 800)
    assert time.process_time() - begun < 3 and found.cells == 1_000_000
    few = expected_shares(0.1, 12, 10)
    assert few.nothing and few.placed.mean == few.random.mean == 0.0
