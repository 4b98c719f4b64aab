"""Amounts as people read them."""

from __future__ import annotations

import pytest

from graders.core.money import dollars


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "price unknown"),
        (0.0, "$0.00"),
        (0.0004, "under $0.01"),
        (0.01, "$0.01"),
        (3.416, "$3.42"),
        (1234.5, "$1,234.50"),
    ],
)
def test_dollars(value: float | None, words: str) -> None:
    assert dollars(value) == words


def test_the_price_of_one_reply_keeps_four_digits() -> None:
    assert dollars(0.0004, each=True) == "$0.0004"
