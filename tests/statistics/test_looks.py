"""Planned looks: their sizes, the delta they share, and when the bench ends a study at one."""

from __future__ import annotations

import pytest

from graders.statistics.looks import planned
from graders.statistics.resampling import Interval, undefined
from tests.benchmarks.bench_first_labels import LEAST_SECOND, settled


@pytest.mark.parametrize(
    ("drawn", "sizes"),
    [
        (0, []),
        (1, [1]),
        (30, [30]),
        (44, [44]),
        (45, [30, 45]),
        (100, [30, 60, 100]),
        (120, [30, 60, 120]),
        (500, [30, 60, 120, 240, 500]),
    ],
)
def test_sizes_double_from_the_first_and_end_with_all(drawn: int, sizes: list[int]) -> None:
    assert [look.labels for look in planned(drawn, 0.1)] == sizes


@pytest.mark.parametrize("drawn", [1, 45, 100, 1000])
def test_looks_share_delta_and_the_last_has_most_of_it(drawn: int) -> None:
    looks = planned(drawn, 0.1)
    assert sum(look.delta for look in looks) == pytest.approx(0.1)
    assert looks[-1].delta == max(look.delta for look in looks)
    # 30, 60 and 100 labels: 900 + 3,600 + 10,000 = 14,500
    assert planned(100, 0.1)[-1].delta == pytest.approx(0.1 * 10_000 / 14_500)


def interval(low: float | None, high: float | None) -> Interval:
    return Interval(value=0.5, low=low, high=high, level=0.95, n_cells=30, n_questions=30, method="", status="OK", reason="")  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "second", "is_settled"),
    [
        (0.2, 0.79, (LEAST_SECOND, 15), True),
        (0.2, 0.79, (LEAST_SECOND - 1, 15), False),
        (0.1, 0.8, (10, 10), False),
        (None, None, (10, 10), False),
        (0.2, 0.79, (), False),
    ],
)
def test_a_figure_is_settled_by_its_width_and_by_both_values(
    low: float | None, high: float | None, second: tuple[int, ...], is_settled: bool
) -> None:
    assert settled(interval(low, high), second) is is_settled
    assert not settled(undefined("no cells"), second)
