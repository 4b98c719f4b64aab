"""The language asked for: requests in four languages, what counts as used, which rule speaks."""

from __future__ import annotations

import pytest

from graders.rules.asked_language_missing import AskedLanguageMissing
from graders.rules.languages.requested_language import requested_language
from tests.rules.cases_table import CRITERION, subject, too_slow_on


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Translate into French: I have a cat.", "fr"),
        ("Can you write a poem in Japanese about rain?", "ja"),
        ("How would I say goodbye in Spanish?", "es"),
        ("Translate from German into English: Guten Tag", "en"),
        ("Was it written in Latin?", ""),
        ("Explain how verbs work in Spanish.", ""),
        ("Give me a tour of life in Japanese cities.", ""),
        ("Переведи на немецкий: добрый день", "de"),
        ("Как по-английски «облако»?", "en"),
        ("Трудно ли говорить на английском?", ""),
        ("把这句话翻译成英语", "en"),
        ("用日语写一封信", "ja"),
        ("这本书被翻译成英语了吗？", ""),
        ("英語に訳してください", "en"),
        ("中国語で書いてください", "zh"),
        ("英語で話すのは難しい？", ""),
        ("What is the Russian word for bread?", "ru"),
        ("«Спасибо» по-японски?", "ja"),
        ("日语的“谢谢”是什么？", "ja"),
        ("「ありがとう」の中国語は？", "zh"),
        ("I would like a birthday greeting in Polish.", "pl"),
        ("I want to write letters in French without mistakes.", ""),
        ("Как на японском рынке торгуются?", ""),
    ],
)
def test_requests(question: str, language: str) -> None:
    assert requested_language(question) == language


def test_the_rationale_names_the_language() -> None:
    mark = AskedLanguageMissing().grade(
        subject("How do you say cloud in Japanese?", "It is a short word that is easy to learn."),
        CRITERION,
    )
    assert (mark.value, mark.rationale) == (
        "No",
        "Japanese was asked for, nothing in the answer is in it.",
    )


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        # too short to say that something is missing
        (
            "雲",
            "Japanese was asked for, and may be there.",
        ),
        (
            "It is くも, a short word that is easy to learn.",
            "Japanese was asked for, and may be there.",
        ),
        # romanised
        (
            "You say arigatou gozaimasu.",
            "Japanese was asked for; another rule says what is there instead.",
        ),
    ],
)
def test_one_fault_has_one_rule(answer: str, why: str) -> None:
    mark = AskedLanguageMissing().grade(
        subject("How do you say thank you in Japanese?", answer), CRITERION
    )
    assert (mark.reason, mark.rationale) == ("not_decisive", why)


@pytest.mark.parametrize(
    "question",
    [
        "Translate into French: I have a cat.",
        "Переведи на английский: кот",
        "猫は中国語で何と言いますか",
    ],
)
@pytest.mark.parametrize(
    "unit", [" ", "a ", "The cat is here.\n", "你好，", "猫が", "Кот и пёс. ", "(", '"a', "— "]
)
def test_a_megabyte_is_graded_in_a_second(question: str, unit: str) -> None:
    assert too_slow_on(AskedLanguageMissing(), question, unit) == 0
