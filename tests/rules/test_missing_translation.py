"""Sentences to learn from without a translation: layouts of translations, counts."""

from __future__ import annotations

import pytest

from graders.rules._learning import learned_language
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
        ("Translate this sentence into Spanish, I am learning it", "en", ""),  # a translation is the answer itself
        ("Give me Spanish sentences to practise, without translation", "en", ""),
        ("Write an e-mail in Spanish for my lesson, a short text", "en", ""),
        ("How do I learn Spanish?", "en", ""),  # no sentences asked for
        ("I am learning Spanish and French. Give me sentences.", "en", ""),  # two languages
    ],
)
def test_who_wants_sentences_to_learn_from(question: str, own: str, language: str) -> None:
    assert learned_language(question, own) == language


QUESTION = "I am learning Russian. Give me three sentences."


@pytest.mark.parametrize(
    ("answer", "bare"),
    [
        ("Мы любим читать книги.\nОна работает в школе.\nСегодня хорошая погода.", 3),
        ("Мы любим читать книги. (We like to read books.)\nОна работает в школе. (She works at a school.)", 0),
        ("Мы любим читать книги.\nWe like to read books.\nОна работает в школе.\nShe works at a school.", 0),
        ("Мы любим читать книги.\nОна работает в школе.\n\nWe like to read books.\nShe works at a school.", 0),  # a block of its own
        ("| Мы любим читать книги. | We like to read books. |\n| Она работает в школе. | She works at a school. |", 0),
        ("Мы любим читать книги (My lyubim chitat knigi).", 0),  # the sound in brackets is taken for words
        ("Here are three sentences:\n- Мы любим читать книги.\n- Она работает в школе.\n- Сегодня хорошая погода.", 3),
    ],
)
def test_layouts(answer: str, bare: int) -> None:
    mark = MissingTranslation().grade(subject(QUESTION, answer), CRITERION)
    assert len(mark.evidence) == bare and (mark.value == "No") is bool(bare)
    assert all(answer[evidence.start : evidence.end] == evidence.quote for evidence in mark.evidence)


def test_the_rationale_counts() -> None:
    mark = MissingTranslation().grade(subject(QUESTION, "- Мы любим читать книги.\n- Она работает в школе."), CRITERION)
    assert mark.rationale == "2 of 2 Russian sentences have no translation beside them."


@pytest.mark.parametrize(
    "question", ["I am learning Spanish. Give me example sentences.", "Учу английский, дай примеры предложений", "英語の例文を教えて"]
)
@pytest.mark.parametrize("unit", [" ", "( ", "- a\n", "| a ", "Привет (", "Hola, ¿cómo estás? ", "你好。a", "—— "])
def test_a_megabyte_is_graded_in_a_second(question: str, unit: str) -> None:
    assert too_slow_on(MissingTranslation(), question, unit) == 0
