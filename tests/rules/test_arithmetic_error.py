"""Equations and comparisons, one by one: what is computed, what is left alone, what is said about
it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from graders.rules.arithmetic_error import ArithmeticFault
from graders.rules.numbers.arithmetic import number
from tests.rules.cases_table import CRITERION, subject, too_slow_on


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
        ("3 km + 200 m = 3.5 km", "3 km + 200 m is 3.2 km, not 3.5 km."),
        ("3公里+200米=3.5公里的路", "3公里+200米 is 3.2公里的路, not 3.5公里的路."),
        ("1 ч 30 мин + 45 мин = 3 ч", "1 ч 30 мин + 45 мин is 2.25 ч, not 3 ч."),
        ("5元3角＝5.5元", "5元3角 is 5.3元, not 5.5元."),
        ("1 m² = 100 cm²", "1 m² is 10,000 cm², not 100 cm²."),
        ("36 km / 30 min = 18 km/h", "36 km / 30 min is 72 km/h, not 18 km/h."),
        ("3 km + 200 m = 3 km + 300 m", "3 km + 200 m = 3 km + 300 m does not hold."),
        ("2 + 2 = 4 = 5", "4 = 5 does not hold."),
        ("1 < 2 < 1.5", "2 < 1.5 does not hold."),
        ("5 > 4 > 6", "4 > 6 does not hold."),
        ("10 kg > 20 kg", "10 kg > 20 kg does not hold."),
        ("5! = 121, 2 + 3 = 6!", "5! is 120, not 121. 2 + 3 is 5, not 6!."),
        ("∛27 = 4 and 8^(1/3) = 3", "∛27 is 3, not 4. 8^(1/3) is 2, not 3."),
        ("10⁻³ = 0.01, 2⁻¹ = 0.5", "10⁻³ is 0.001, not 0.01."),
        ("5√2 = 8", "5√2 is about 7.071, not 8."),
        ("½ + ¼ = ½", "½ + ¼ is 0.75, not ½."),
        ("1'000 + 1 = 1'002", "1'000 + 1 is 1,001, not 1'002."),
        (
            "5 в квадрате = 26; 2的10次方=1000; 5の2乗＝26",
            "5 в квадрате is 25, not 26. 2的10次方 is 1,024, not 1000. 5の2乗 is 25, not 26.",
        ),
        (
            "99999999999 * 99999999999 = 1",
            "99999999999 * 99999999999 is 9,999,999,999,800,000,000,001, not 1.",
        ),
    ],
)
def test_what_is_wrong_is_named_with_the_right_value(answer: str, rationale: str) -> None:
    mark = ArithmeticFault().grade(subject("?", answer), CRITERION)
    assert (mark.value, mark.rationale) == ("No", rationale)


@pytest.mark.parametrize(
    "answer",
    [
        *(
            "(68 − 32) × 5/9 = 20",
            "\\(2^{10} = 1024\\)",
            "$\\frac{3}{4} \\times 2 = 1.5$",
            "2(3+4) = 14",
            "2 * -3 = -6",
            "-5 + 3 = -2",
        ),
        *(
            "12 + 5 = 17 - 3 = 14",
            "x^2 = 3^2 = 9",
            "365 × 24 × 3600 = 31,500,000",
            "33.33 × 3 = 100",
            "2/3 = 0.66",
            "√2 = 1.414",
        ),
        *(
            "1/0 = 5",
            "9^9^9^9 = 1",
            "10^10^10 = 5",
            "((((1 + 1 = 2",
            "(1, 2) + (3, 4) = (4, 6)",
            "1 + 2 + ... + 10 = 55",
            "5 × 10³ = 5000",
        ),
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
        *(
            "60 km/h × 30 min = 30 km",
            "1 + 1 = 3?",
            "`1 + 1 = 3`",
            "I wrote 2 + 2 = 5, which is a mistake.",
            "24/7 = always",
            "5-10 = 7",
        ),
        *(
            "3公里+200米=3.2公里",
            "2 h 30 min = 150 min",
            "5元3角=5.3元",
            "$5 + 50 cents = $5.50",
            "2 h × 60 = 120 min",
            "24 h / 8 h = 3",
        ),
        *(
            "36 km / 30 min = 72 km/h",
            "2 × 1 h 30 min = 3 h",
            "1 mile = 1.6 km",
            "1 year = 52 weeks = 365 days",
            "2 m × 50 cm = 1 m²",
        ),
        *(
            "On this map 1 cm = 5 km",
            "3 songs of 20 minutes = 1 hour",
            "1 day = 8 hours of work",
            "8 hours/day × 5 days = 40 hours",
        ),
        *(
            "1 l water = 1 kg",
            "1 academic hour = 45 minutes",
            "1 dozen + 3 = 15",
            "1克拉=0.2克",
            "1公斤=2斤",
            "1.5 × 10^8 km = 1 AU",
        ),
        *(
            "2 > 3 > 1",
            "5 > 10 > 20",
            "1 < x < 0",
            "Windows 11 > 10 > 8",
            "0 < 5 < 10",
            "if 5 > 10 then",
            "Если 2 + 2 = 5, то",
        ),
        *(
            "5! = 120",
            "That makes 2 + 3 = 5!",
            "We won 5! 3 + 2 = 5",
            "Wow 5! = great",
            "5! = 5 × 4 × 3 × 2 × 1 = 120",
            "5!=100",
            "1000! = 5",
        ),
        *(
            "2^60 = 1.15 × 10^18",
            "299,792,458 = 3 × 10^8",
            "0.1 + 0.2 = 0.30000000000000004",
            "8/2(2+2) = 1",
            "1 1/2 + 1/2 = 2",
        ),
        *(
            "√50 = 5√2",
            "16的平方根是4和-4",
            "4 × 5 = 20 meters squared",
            "27^(2/3) = 9",
            "1 / 0.2 s = 5 s⁻¹",
            "1 cm⁻¹ = 100 m⁻¹",
            "12,34,567 + 1 = 12,34,568",
            "1½ h = 90 min",
        ),
        *(
            "10 % + 15 % = 25 %",
            "100 + 10% = 110",
            "1.250 + 1.750 = 3.000",
            "1,250 + 1,750 = 3,000",
        ),
    ],
)
def test_what_holds_or_cannot_be_computed_is_left_alone(answer: str) -> None:
    assert ArithmeticFault().grade(subject("?", answer), CRITERION).reason == "not_decisive"


def test_an_equation_of_the_question_is_not_the_answers_fault() -> None:
    assert (
        ArithmeticFault()
        .grade(subject("Is 2+2=5 true?", "You ask about 2 + 2 = 5. No."), CRITERION)
        .value
        is None
    )


@pytest.mark.parametrize(
    "unit", ["300!^(1/6) = 2; ", "3 km 5 m + ", "5!", "1 < 2 ", "1 h 30 min = "]
)
def test_sums_without_end_are_quick(unit: str) -> None:
    assert too_slow_on(ArithmeticFault(), "?", unit, 10_000) == 0


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
def test_numbers_in_both_ways_of_writing(
    text: str, point: Fraction | None, comma: Fraction | None
) -> None:
    read = [number(text, "point"), number(text, "comma")]
    assert [one and one[0] for one in read] == [point, comma]
