"""Pinyin, romaji and transliteration in place of the script: what counts as beside it."""

from __future__ import annotations

import pytest

from graders.rules.romanised import RomanisedText
from tests.rules.cases_table import CRITERION, subject, too_slow_on


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        ("Translate into Chinese: I like you.", "Wo hen xihuan ni.", "Wo hen xihuan ni"),
        # the line above says it in the script
        (
            "Translate into Chinese: I like you.",
            "我很喜欢你\nWo hen xihuan ni.",
            None,
        ),
        ("Translate into Chinese: I like you.", "Wo hen xihuan ni. (我很喜欢你)", None),
        # asked for
        (
            "Translate into Chinese: I like you. Pinyin, please.",
            "Wo hen xihuan ni.",
            None,
        ),
        ("What do people like?", "Wo hen xihuan ni.", None),  # nobody asked for Chinese
        ("怎么说谢谢？", "可以说 xièxie nǐ。", "xièxie nǐ"),
        ("怎么说谢谢？", "可以说谢谢你（xièxie nǐ）。", None),
        ("Как дела?", "Spasibo, vse khorosho.", "Spasibo, vse khorosho"),
    ],
)
def test_the_script_beside_it_makes_latin_letters_an_aid(
    question: str, answer: str, found: str | None
) -> None:
    mark = RomanisedText().grade(subject(question, answer), CRITERION)
    assert [evidence.quote for evidence in mark.evidence] == ([found] if found else [])
    assert mark.reason == ("" if found else "not_decisive")


def test_the_rationale_names_the_language_and_the_evidence_the_place() -> None:
    answer = "In Japanese you say:\n\nWatashi wa gakusei desu."
    mark = RomanisedText().grade(
        subject("Translate into Japanese: I am a student.", answer), CRITERION
    )
    assert (mark.value, mark.rationale) == (
        "No",
        "Japanese in Latin letters, without its script beside it.",
    )
    (evidence,) = mark.evidence
    assert answer[evidence.start : evidence.end] == evidence.quote == "Watashi wa gakusei desu"


def test_names_loan_words_and_code_are_no_passages() -> None:
    answer = "Tokyo and Kyoto have sushi, sashimi and sake; see https://example.jp/watashi-wa-desu and `watashi wa desu`."
    assert (
        RomanisedText()
        .grade(subject("Translate into Japanese, or tell me about Japan.", answer), CRITERION)
        .value
        is None
    )


@pytest.mark.parametrize(
    "question",
    ["How do you say hello in Japanese?", "Как сказать это по-китайски?", "天空为什么是蓝色的？"],
)
@pytest.mark.parametrize(
    "unit",
    [
        "wo ni hao ",
        "privet kak dela ",
        "watashi wa desu\n",
        "nǐ hǎo ",
        "你好，",
        "а",
        "e\u0301",
        "a-",
        "a, ",
    ],
)
def test_a_megabyte_is_graded_in_a_second(question: str, unit: str) -> None:
    assert too_slow_on(RomanisedText(), question, unit) == 0
