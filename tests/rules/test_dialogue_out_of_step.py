"""Dialogues and translations that do not pair up: layouts, what is said."""

from __future__ import annotations

import pytest

from graders.rules.dialogue_out_of_step import DialogueOutOfStep
from tests.rules.cases_table import CRITERION, subject, too_slow_on

QUESTION = "Write a dialogue in Russian with a translation."
RUSSIAN = "A: Привет!\nB: Привет! Как дела?\nA: Хорошо."


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (f"{RUSSIAN}\n\nA: Hi!\nB: Hi! How are you?\nA: Fine.", ""),
        (f"{RUSSIAN}\n\nA: Hi!\nB: Hi! How are you?", "3 turns in one language, 2 in the other"),
        (
            f"{RUSSIAN}\n\nA: Hi!\nA: Hi! How are you?\nB: Fine.",
            "in turn 2 another one speaks in the translation",
        ),
        ("A: Привет!\n(Hi!)\nB: Привет!\n(Hi!)", ""),
        (
            "A: Привет! (Hi!)\nB: Как дела? (How are you?)\nA: Хорошо.",
            "3 turns in one language, 2 in the other",
        ),
        ("— Привет! (Hi!)\n— Как дела? (How are you?)", ""),
        # names change in a translation
        (
            "Анна: Привет!\nОлег: Привет!\n\nAnna: Hi!\nOleg: Hi!",
            "",
        ),
        ("| Анна: Привет! | Anna: Hi! |\n| Олег: Как дела? | Oleg: How are you? |", ""),
        (RUSSIAN, ""),  # no translation at all: another fault
    ],
)
def test_layouts(answer: str, what: str) -> None:
    mark = DialogueOutOfStep().grade(subject(QUESTION, answer), CRITERION)
    assert mark.value == ("No" if what else None)
    assert not what or mark.rationale == f"The dialogue and its translation do not pair up: {what}."


def test_the_evidence_is_the_turn_that_stands_alone() -> None:
    answer = "A: Привет!\nA: Hi!\nB: Как дела?\nA: Хорошо.\nA: Fine."
    (evidence,) = DialogueOutOfStep().grade(subject(QUESTION, answer), CRITERION).evidence
    assert evidence.quote == "Как дела?" == answer[evidence.start : evidence.end]


def test_people_of_two_languages_may_talk_with_each_other() -> None:
    answer = "Guest: Здравствуйте!\nHost: Good evening!\nGuest: Спасибо за приглашение.\nHost: Come in, please.\nGuest: С удовольствием."
    assert (
        DialogueOutOfStep()
        .grade(subject("Write a dialogue with a guest from Russia.", answer), CRITERION)
        .value
        is None
    )


@pytest.mark.parametrize(
    "question",
    [
        "Write a dialogue in Russian with a translation",
        "Диалог на английском с переводом",
        "写一段日语对话",
    ],
)
@pytest.mark.parametrize(
    "unit",
    [
        " ",
        "A: Привет\nA: Hello\n",
        "— Да (Yes)\n",
        "| a | Привет |\n",
        "(а",
        "A: b",
        "- ",
        "\n",
        "Привет ",
    ],
)
def test_a_megabyte_is_graded_in_a_second(question: str, unit: str) -> None:
    assert too_slow_on(DialogueOutOfStep(), question, unit) == 0
