"""The answer's language: options, evidence."""

from __future__ import annotations

import pytest

from graders.rules.answer_language import AnswerLanguage
from tests.rules.cases_table import CRITERION, subject


def test_the_rationale_names_shares_and_languages_and_the_evidence_the_place() -> None:
    answer = "Сон полезен.\n\nIt helps the brain to store memories and gives the body time to rest."
    mark = AnswerLanguage().grade(subject("Чем полезен сон?", answer), CRITERION)
    # 10 letters are Russian, 55 English: 55 / 65 = 85 %
    assert mark.rationale == "85% of the text is English, the question is in Russian."
    (evidence,) = mark.evidence
    assert answer[evidence.start : evidence.end] == evidence.quote and evidence.quote.startswith(
        "It helps the brain"
    )


@pytest.mark.parametrize(
    ("label", "answer", "value"),
    [
        ("ru", "The answer is in English and it is long enough.", "No"),
        ("Russian", "The answer is in English and it is long enough.", "No"),
        ("ru-RU", "Ответ на русском языке.", None),
        ("en", "The answer is in English and it is long enough.", None),
    ],
)
def test_the_stated_language_of_the_question_goes_before_the_detected_one(
    label: str, answer: str, value: str | None
) -> None:
    mark = AnswerLanguage().grade(subject("2 + 2 = ?", answer, q={"language": label}), CRITERION)
    assert mark.value == value


def test_a_clean_answer_decides_only_where_that_is_asked_for() -> None:
    one = subject("Why is the sky blue?", "Because the air scatters blue light.")
    assert AnswerLanguage().grade(one, CRITERION).reason == "not_decisive"
    assert AnswerLanguage(decide_good=True).grade(one, CRITERION).value == "Yes"


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("12 * 12", "144 is the answer", "language"),
        ("Why?", "", "empty_answer"),
        ("Quote Hamlet in the original.", "Быть или не быть, вот в чём вопрос.", "not_decisive"),
    ],
)
def test_reasons_for_no_value(question: str, answer: str, reason: str) -> None:
    assert AnswerLanguage().grade(subject(question, answer), CRITERION).reason == reason


def test_who_is_told_to_answer_in_english_must_not_answer_in_russian() -> None:
    mark = AnswerLanguage().grade(
        subject("Ответь на английском: что такое облако?", "Облако состоит из мелких капель воды."),
        CRITERION,
    )
    assert (mark.value, mark.rationale) == (
        "No",
        "100% of the text is Russian, the question asks for English.",
    )


def test_languages_that_an_earlier_turn_named_are_allowed() -> None:
    one = subject(
        "Ich verstehe nur Bahnhof",
        "I do not understand anything at all.",
        q={"context": ("Always translate into English.",)},
    )
    assert AnswerLanguage().grade(one, CRITERION).value is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "I am learning Spanish. Give me two sentences with translation.",
            "Me gusta el café. - I like coffee.\nTengo mucha hambre. - I am hungry.",
        ),
        (
            "Я учу немецкий. Дай две фразы с переводом.",
            "Ich hätte gern einen Kaffee. — Мне кофе.\nWo ist die Toilette? — Где туалет?",
        ),
    ],
)
def test_who_learns_a_language_may_get_it_in_the_answer(question: str, answer: str) -> None:
    assert AnswerLanguage().grade(subject(question, answer), CRITERION).reason == "not_decisive"
    other = "Le chat noir dort toujours dans la grande maison près de la gare."
    assert AnswerLanguage().grade(subject(question, other), CRITERION).value == "No", (
        "and no third one"
    )
