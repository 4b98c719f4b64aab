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
    # Drink what you like
    assert mark.rationale == "Besides refusal or talk about being an AI there are 4 words."
    assert [e.quote for e in mark.evidence] == [TALK.rstrip(".")]


@pytest.mark.parametrize(
    "answer",
    [
        "I must decline to write this poem.",
        "К сожалению, я не умею писать стихи.",
        "У меня нет доступа к данным о погоде в реальном времени.",
        "Что-то в вашем вопросе меня смущает. Может, поговорим на другую тему?",
        "Не люблю менять тему разговора, но вот сейчас тот самый случай.",
        "抱歉，我不能帮你写这首诗。",
        "我无法获取实时天气信息。",
        "申し訳ありませんが、AIである私には詩を書くことができません。",
        "AIの私には詩は書けません。",
        "私は大規模言語モデルであり、創作を行うことはできません。",
        "申し訳ありませんが、リアルタイムの天気情報にアクセスできません。",
        "恐れ入りますが、その依頼はお受けできません。",
    ],
)
def test_refusals_as_models_word_them(answer: str) -> None:
    assert (
        RefusalTalk().grade(subject("What is the weather like today?", answer), CRITERION).value
        == "No"
    )


@pytest.mark.parametrize(
    "answer",
    [
        "I must decline the cake, she said, and ate the pie.",
        "Я не умею плавать, но море люблю.",
        "Давайте сменим тему доклада на осеннюю.",
        "我不能帮你写作业，哥哥笑着说，然后坐了下来。他们一起写到了深夜，窗外下着雪，妈妈端来了热茶和点心。",
        "申し訳ありませんが、明日の会議には出席できません。",
        "雨で何も書けません、と日記にあった。",
    ],
)
def test_words_of_other_texts_are_no_refusal(answer: str) -> None:
    assert RefusalTalk().grade(subject("Continue the text.", answer), CRITERION).value is None
