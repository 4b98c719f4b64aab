"""Equations and comparisons, one by one: what is computed, what is left alone, what is said about it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from graders.rules._arithmetic import number
from graders.rules.arithmetic_error import ArithmeticFault
from tests.rules.cases_table import CRITERION, subject


@pytest.mark.parametrize(
    ("answer", "rationale"),
    [
        ("12 + 5 = 18", "12 + 5 is 17, not 18."),
        ("since 36 > 1066 they are close", "36 > 1066 does not hold."),
        ("86.40 − 16.80 = 71.60", "86.40 − 16.80 is 69.60, not 71.60."),
        ("2·(3+4) = 15", "2·(3+4) is 14, not 15."),
        ("2⁴ = 15", "2⁴ is 16, not 15."),
        ("7/2 = 3", "7/2 is 3.5, not 3."),
        ("√2 = 1.5", "√2 is about 1.414, not 1.5."),
        ("1/3 ≈ 0.5", "1/3 is about 0.333, not 0.5."),
        ("$$\\sqrt{16} + 1 = 6$$", "\\sqrt{16} + 1 is 5, not 6."),
        ("I paid 3 x 4 = 13 euros", "3 x 4 is 12, not 13 euros."),
        ("10 + 5 = **16**", "10 + 5 is 15, not 16."),
        ("- 5 + 3 = 9", "5 + 3 is 8, not 9."),
        ("5*6=30, then 30+2=33.", "30+2 is 32, not 33."),
        ("2 + 3 = 5 + 1", "2 + 3 is 5, not 5 + 1."),
        ("17 plus 5 equals 23", "17 plus 5 is 22, not 23."),
        ("20 + 1 = 22 and 5 < 3", "20 + 1 is 21, not 22. 5 < 3 does not hold."),
        ("200 - 15% = 180", "200 - 15% is 199.85, not 180."),
        ("3 apples + 2 pears = 6 fruits", "3 apples + 2 pears is 5, not 6 fruits."),
        ("99999999999 * 99999999999 = 1", "99999999999 * 99999999999 is 9,999,999,999,800,000,000,001, not 1."),
    ],
)
def test_what_is_wrong_is_named_with_the_right_value(answer: str, rationale: str) -> None:
    mark = ArithmeticFault().grade(subject("?", answer), CRITERION)
    assert (mark.value, mark.rationale) == ("No", rationale)


@pytest.mark.parametrize(
    "answer",
    [
        *("(68 − 32) × 5/9 = 20", "\\(2^{10} = 1024\\)", "$\\frac{3}{4} \\times 2 = 1.5$", "2(3+4) = 14", "2 * -3 = -6", "-5 + 3 = -2"),
        *("12 + 5 = 17 - 3 = 14", "x^2 = 3^2 = 9", "365 × 24 × 3600 = 31,500,000", "33.33 × 3 = 100", "2/3 = 0.66", "√2 = 1.414"),
        *("1/0 = 5", "9^9^9^9 = 1", "10^10^10 = 5", "((((1 + 1 = 2", "(1, 2) + (3, 4) = (4, 6)", "1 + 2 + ... + 10 = 55", "5 × 10³ = 5000"),
        *(
            "12:00 + 3 = 15:00",
            "cos 60° = 1/2",
            "sin(30) + 1 = 1.5",
            "P(2) + 1 = 9",
            "|3 - 5| = 2",
            "H2O + 2 = 3",
            "2s + 3 = 13",
            "x - 5 = 12",
        ),
        *("60 km/h × 30 min = 30 km", "1 + 1 = 3?", "`1 + 1 = 3`", "I wrote 2 + 2 = 5, which is a mistake.", "24/7 = always", "5-10 = 7"),
        *("10 % + 15 % = 25 %", "100 + 10% = 110", "1.250 + 1.750 = 3.000", "1,250 + 1,750 = 3,000", "1’000 + 1 = 5"),
    ],
)
def test_what_holds_or_cannot_be_computed_is_left_alone(answer: str) -> None:
    assert ArithmeticFault().grade(subject("?", answer), CRITERION).reason == "not_decisive"


def test_an_equation_of_the_question_is_not_the_answers_fault() -> None:
    assert ArithmeticFault().grade(subject("Is 2+2=5 true?", "You ask about 2 + 2 = 5. No."), CRITERION).value is None


def test_the_evidence_is_the_equation() -> None:
    answer = "Without wine:\n86.40 − 16.80 = 71.60 euros"
    (evidence,) = ArithmeticFault().grade(subject("?", answer), CRITERION).evidence
    assert evidence.quote == "86.40 − 16.80 = 71.60 euros" == answer[evidence.start : evidence.end]


@pytest.mark.parametrize(
    ("text", "point", "comma"),
    [
        ("1,250", Fraction(1250), Fraction(5, 4)),
        ("1.250", Fraction(5, 4), Fraction(1250)),
        ("1 250,5", None, Fraction(2501, 2)),
        ("1,250.5", Fraction(2501, 2), None),
        ("3,14", None, Fraction(157, 50)),
        ("1.2.3", None, None),
        ("1e3", Fraction(1000), Fraction(1000)),
        ("1e999", None, None),
    ],
)
def test_numbers_in_both_ways_of_writing(text: str, point: Fraction | None, comma: Fraction | None) -> None:
    read = [number(text, "point"), number(text, "comma")]
    assert [one and one[0] for one in read] == [point, comma]
