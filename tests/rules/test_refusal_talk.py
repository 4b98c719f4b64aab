"""Refusals: how much else must be said, and where talk about being an AI is the answer."""

from __future__ import annotations

import pytest

from graders.rules.refusal_talk import RefusalTalk
from tests.rules.cases_table import CRITERION, subject

TALK = "As an AI language model, I don't have personal preferences."


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (TALK, "No"),
        (f"{TALK} Is there anything else I can help you with?", "No"),
        (f"{TALK} {'word ' * 14}", "No"),
        (f"{TALK} {'word ' * 15}", None),
        (f"Tea. {TALK}", None),
        (f"Great question! {TALK}", "No"),
        ("I’m sorry, but I can’t assist with that.", "No"),
        ('The robot said: "As an AI, I cannot love."', None),
        ("`As an AI` is a phrase.", None),
        ("很抱歉，我无法回答这个问题。" + "但" * 5, "No"),
    ],
)
def test_how_much_must_be_said_besides(answer: str, value: str | None) -> None:
    assert RefusalTalk().grade(subject("What is the best drink?", answer), CRITERION).value == value


@pytest.mark.parametrize(
    "question",
    [
        "Are you a person?",
        "What is a chatbot?",
        "Write a letter that declines an offer.",
        "Кто ты?",
        "你是谁？",
        "Translate: я не могу помочь",
    ],
)
def test_questions_that_such_talk_answers(question: str) -> None:
    assert RefusalTalk().grade(subject(question, TALK), CRITERION).reason == "not_decisive"


def test_the_rationale_counts_the_rest_and_the_evidence_is_the_talk() -> None:
    answer = f"Sorry. {TALK} Drink what you like."
    mark = RefusalTalk().grade(subject("What is the best drink?", answer), CRITERION)
    assert mark.rationale == "Besides refusal or talk about being an AI there are 4 words."  # Drink what you like
    assert [e.quote for e in mark.evidence] == [TALK.rstrip(".")]
