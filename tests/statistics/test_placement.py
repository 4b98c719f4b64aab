"""Labels placed inside the region to be tested: which cells are asked for, stage by stage."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.statistics.placement import Stage, reach, stage


def draw(n=1000, seed=0):
    return np.linspace(1, 0, n), np.random.default_rng(seed).random(n)


def run(score, u, budget, error, **options) -> tuple[Stage, np.ndarray, list[Stage]]:
    """Answer every question until no more is asked."""
    labelled, stages = np.zeros(len(score), bool), []
    while True:
        now = stage(score, u, budget, labelled, error, **options)
        stages.append(now)
        if now.done:
            return now, labelled, stages
        assert not labelled[now.ask].any() and len(set(now.ask.tolist())) == len(now.ask)
        labelled[now.ask] = True


def test_first_labels_are_the_smallest_numbers_inside_the_region():
    score, u = draw()
    first = stage(score, u, 100, np.zeros(1000, bool), np.zeros(1000, bool))
    # below 150 labels: the top half, all labels inside
    assert set(first.ask.tolist()) == set(np.argsort(u[:500])[:100].tolist())
    assert (first.tested, first.selection) == (True, None)
    wide = stage(score, u, 400, np.zeros(1000, bool), np.zeros(1000, bool))
    # from 150 on: the top 600, max(220, .3 x 600) of them
    assert (len(wide.ask), wide.ask.max() < 600) == (220, True)


def test_a_region_that_passes_is_widened_shell_by_shell_with_the_same_numbers():
    score, u = draw()
    done, labelled, stages = run(score, u, 400, np.zeros(1000, bool))
    assert len(stages) > 3 and done.selection.status == "OK"
    assert labelled.sum() <= 400
    cut = u[stages[0].ask].max()
    for each in stages[1:]:
        if each.tested and not each.done:
            assert (u[each.ask] <= cut).all()
    assert done.selection.cells == 1000 and done.selection.share == 1.0


@pytest.mark.parametrize("budget", [100, 300, 400])
@pytest.mark.parametrize("wrong", [0.0, 0.2, 1.0])
def test_no_more_is_asked_for_than_may_come(budget, wrong):
    score, u = draw()
    may = reach(score, u, budget)
    done, labelled, _ = run(score, u, budget, np.random.default_rng(1).random(1000) < wrong)
    assert set(np.flatnonzero(labelled)) <= set(may.tolist()) and len(may) < 1000
    # What was left over is in no test.
    assert labelled.sum() <= budget and not (done.drawn & ~labelled).any() and done.drawn.any()


def test_labels_that_are_left_go_to_doubtful_cells_outside_the_test():
    score, u = draw()
    error = np.arange(1000) >= 600
    done, labelled, stages = run(score, u, 400, error)
    # the shell from 600 to 650 fails or the budget ends: what is left lies at the very end
    assert stages[-2].tested is False
    assert labelled.sum() == 400 and labelled[stages[-2].ask].all() and stages[-2].ask.max() == 999
    assert not done.selection.automatic[labelled].any()
    assert done.selection.share == pytest.approx(done.selection.automatic.sum() / 600)


def test_a_region_that_fails_asks_for_no_shell():
    score, u = draw()
    done, labelled, stages = run(score, u, 300, np.arange(1000) % 3 == 0)
    assert [each.tested for each in stages] == [True, False, False]
    assert (done.selection.status, done.selection.share, int(labelled.sum())) == (
        "INCONCLUSIVE",
        0.0,
        300,
    )
    assert "no number of labels" in done.selection.reason


def test_fewer_cells_than_labels():
    score, u = draw(30)
    done, labelled, _ = run(score, u, 100, np.zeros(30, bool))
    assert labelled.all() and done.selection.share == 0.0
    empty = stage([], [], 100, [], [])
    assert empty.done and empty.selection.status == "UNDEFINED"


def test_numbers_that_come_twice_are_refused():
    with pytest.raises(InputError) as said:
        stage([1.0, 2.0], [0.5, 0.5], 1, [False, False], [False, False])
    assert (
        str(said.value)
        == "draw: found a missing confidence or a random number that comes twice, expected one of each per cell."
    )
