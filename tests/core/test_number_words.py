"""Numbers in words, in the languages that judges are asked in."""

import pytest

from graders.core.number_words import number_in_words


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("four", 4),
        ("zero point six two", 0.62),
        ("point five", 0.5),
        ("Восемь", 8),
        ("ноль целых шесть десятых", 0.6),
        ("одна целая две десятых", 1.2),
        ("零点十", None),
        ("sechs", 6),
        ("zéro virgule six", 0.6),
        ("四", 4),
        ("零点六五", 0.65),
        ("十", 10),
        ("三分", 3),
        ("six", 6),  # English and French say it alike, and mean the same
        ("sei", 6),
        ("eleven", None),
        ("point", None),
        ("four five", None),
        ("four out of five", None),
        ("", None),
    ],
)
def test_number_in_words(text: str, number: float | None) -> None:
    assert number_in_words(text) == number
