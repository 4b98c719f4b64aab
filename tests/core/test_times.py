"""Times that files state."""

from __future__ import annotations

import pytest

from graders.core.times import before, in_utc

CAME = "2026-11-22T14:00:00.000Z"


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ("2026-11-22T13:59:59Z", "2026-11-22T13:59:59Z"),
        ("2026-11-22", "2026-11-22"),
        ("2026-11-22T15:30:00+02:00", "2026-11-22T13:30:00.000Z"),  # 15:30 less two hours
        ("2026-11-22 13:30:00", "2026-11-22T13:30:00.000Z"),
        ("20261122T133000", "2026-11-22T13:30:00.000Z"),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_times_are_written_in_one_way(stated: str, told: str) -> None:
    assert in_utc(stated) == told


def test_times_to_come_lie_right_before_the_file_and_keep_their_order() -> None:
    stated = [
        "2026-11-22T14:00:00.500Z",
        "2026-11-22T14:00:30Z",
        "2026-11-22T14:01:00.000Z",
        "2999-01-01",
        "2999-02-01",
    ]
    kept = [before(time, CAME) for time in stated]
    assert kept == sorted(set(kept))
    assert kept[0] > "2026-11-22T13:59:59.999Z" and kept[-1] < CAME
    assert [before(in_utc(time), "2026-11-22T15:00:00.000Z") for time in kept] == kept, (
        "as an export hands them on"
    )
    assert before("2026-99-99", CAME) == CAME
    assert before("2026-11-22T13:59:59.999Z", CAME) == "2026-11-22T13:59:59.999Z"
