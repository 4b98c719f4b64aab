"""Sentences to learn from without a translation: layouts of translations, counts."""

from __future__ import annotations

import pytest

from graders.rules.languages.learners import language_of_reader, learned_language
from graders.rules.missing_translation import MissingTranslation
from tests.rules.cases_table import CRITERION, subject, too_slow_on


@pytest.mark.parametrize(
    ("question", "own", "language"),
    [
        ("I am learning Spanish. Give me some sentences.", "en", "es"),
        ("Teach me a dialogue in Russian", "en", "ru"),
        ("Дай примеры предложений на английском", "ru", "en"),
        ("我在学日语，给我几个例句", "zh", "ja"),
        ("中国語の例文を教えて", "ja", "zh"),
        # a translation is the answer itself
        (
            "Translate this sentence into Spanish, I am learning it",
            "en",
            "",
        ),
        ("Give me Spanish sentences to practise, without translation", "en", ""),
        ("Write an e-mail in Spanish for my lesson, a short text", "en", ""),
        ("How do I learn Spanish?", "en", ""),  # no sentences asked for
        ("Write a dialogue for my Japanese class", "en", "ja"),
        ("Some sentences for JLPT N5, please", "en", "ja"),
        ("HSK3級のために文をください", "ja", "zh"),
        ("Дай предложения на немецком к экзамену", "ru", "de"),
        ("我下周要考法语，请写几个句子", "zh", "fr"),
        ("来月フランスに旅行します。フランス語のフレーズをください", "ja", "fr"),
        ("Ich lerne Russisch. Gib mir fünf Sätze.", "de", "ru"),
        # what it is about, not whom it is for
        (
            "Write a story in Spanish about my school trip",
            "en",
            "",
        ),
        ("Write a dialogue in French for my novel about a class", "en", ""),
        ("Напиши текст на английском для сайта школы", "ru", ""),
        ("用英语写一段公司介绍的文章，给考试中心", "zh", ""),
        ("I am learning Spanish and French. Give me sentences.", "en", ""),  # two languages
    ],
)
def test_who_wants_sentences_to_learn_from(question: str, own: str, language: str) -> None:
    assert learned_language(question, own) == language


def test_a_word_that_is_asked_about_is_not_the_language_of_the_reader() -> None:
    question = "Give me JLPT N5 grammar examples with は and が."
    assert language_of_reader(question, "") == "en" and learned_language(question, "en") == "ja"


QUESTION = "I am learning Russian. Give me three sentences."


@pytest.mark.parametrize(
    ("answer", "bare"),
    [
        ("Мы любим читать книги.\nОна работает в школе.\nСегодня хорошая погода.", 3),
        (
            "Мы любим читать книги. (We like to read books.)\nОна работает в школе. (She works at a school.)",
            0,
        ),
        (
            "Мы любим читать книги.\nWe like to read books.\nОна работает в школе.\nShe works at a school.",
            0,
        ),
        # a block of its own
        (
            "Мы любим читать книги.\nОна работает в школе.\n\nWe like to read books.\nShe works at a school.",
            0,
        ),
        (
            "| Мы любим читать книги. | We like to read books. |\n| Она работает в школе. | She works at a school. |",
            0,
        ),
        # the sound in brackets is taken for words
        (
            "Мы любим читать книги (My lyubim chitat knigi).",
            0,
        ),
        (
            "Here are three sentences:\n- Мы любим читать книги.\n- Она работает в школе.\n- Сегодня хорошая погода.",
            3,
        ),
    ],
)
def test_layouts(answer: str, bare: int) -> None:
    mark = MissingTranslation().grade(subject(QUESTION, answer), CRITERION)
    assert len(mark.evidence) == bare and (mark.value == "No") is bool(bare)
    assert all(
        answer[evidence.start : evidence.end] == evidence.quote for evidence in mark.evidence
    )


def test_the_rationale_counts() -> None:
    mark = MissingTranslation().grade(
        subject(QUESTION, "- Мы любим читать книги.\n- Она работает в школе."), CRITERION
    )
    assert mark.rationale == "2 of 2 Russian sentences have no translation beside them."


@pytest.mark.parametrize(
    "question",
    [
        "I am learning Spanish. Give me example sentences.",
        "Учу английский, дай примеры предложений",
        "英語の例文を教えて",
    ],
)
@pytest.mark.parametrize(
    "unit", [" ", "( ", "- a\n", "| a ", "Привет (", "Hola, ¿cómo estás? ", "你好。a", "—— "]
)
def test_a_megabyte_is_graded_in_a_second(question: str, unit: str) -> None:
    assert too_slow_on(MissingTranslation(), question, unit) == 0
