"""Passages in another language: what explains one, who speaks where more is foreign."""

from __future__ import annotations

import pytest

from graders.rules.foreign_passage import ForeignPassage
from tests.rules.cases_table import CRITERION, subject, too_slow_on

RUSSIAN = "Сон помогает мозгу сохранять воспоминания, а телу восстанавливать силы. Поэтому ложитесь спать до полуночи."
ENGLISH = "It also helps you to stay calm."


@pytest.mark.parametrize(
    ("passage", "found"),
    [
        (ENGLISH, ENGLISH),
        (f"«{ENGLISH}»", None),  # a quotation
        (f"`{ENGLISH}`", None),  # code
        (f"В оригинале: {ENGLISH}", None),  # introduced
        (f"{ENGLISH} (Он также помогает сохранять спокойствие.)", None),  # translated
        (f"{ENGLISH} — он также помогает сохранять спокойствие.", None),
        ("Yesterday, Let It Be, All You Need Is Love", None),  # titles
        ("code review, pull request", None),  # loan words
    ],
)
def test_an_explanation_beside_it_makes_a_passage_fine(passage: str, found: str | None) -> None:
    mark = ForeignPassage().grade(
        subject("Чем полезен сон?", f"{RUSSIAN} {passage} {RUSSIAN}"), CRITERION
    )
    assert [evidence.quote for evidence in mark.evidence] == ([found] if found else [])


def test_the_rationale_names_the_language() -> None:
    mark = ForeignPassage().grade(
        subject("Чем полезен сон?", f"{RUSSIAN}\n\n{ENGLISH}\n\n{RUSSIAN}"), CRITERION
    )
    assert (mark.value, mark.rationale) == (
        "No",
        "A passage in English, and nothing that explains it.",
    )


def test_languages_that_the_question_names_are_expected() -> None:
    one = subject("Напиши одно предложение на английском о сне.", f"{RUSSIAN} {ENGLISH} {RUSSIAN}")
    assert ForeignPassage().grade(one, CRITERION).reason == "not_decisive"


def test_an_answer_that_is_foreign_as_a_whole_is_left_to_the_rule_about_its_language() -> None:
    mark = ForeignPassage().grade(subject("Чем полезен сон?", f"{ENGLISH} {ENGLISH}"), CRITERION)
    assert (mark.reason, mark.rationale) == (
        "not_decisive",
        "The answer as a whole is in the wrong language, or in none.",
    )


@pytest.mark.parametrize(
    ("question", "reason"),
    [("12 * 12", "language"), ("Quote Hamlet in the original.", "not_decisive")],
)
def test_reasons_for_no_value(question: str, reason: str) -> None:
    assert ForeignPassage().grade(subject(question, RUSSIAN), CRITERION).reason == reason


@pytest.mark.parametrize(
    "question", ["Why is the sky blue?", "Почему небо голубое?", "为什么？", "なぜですか？"]
)
@pytest.mark.parametrize(
    "unit",
    [
        " ",
        "a b c d ",
        "Привет, как ",
        "你好，",
        "こんにちは。",
        "Hello there, my friend is here. ",
        "the (",
        ": the ",
        "слово the ",
        "\n",
        "El río es muy largo.\n",
    ],
)
def test_a_megabyte_is_graded_in_a_second(question: str, unit: str) -> None:
    assert too_slow_on(ForeignPassage(), question, unit) == 0
