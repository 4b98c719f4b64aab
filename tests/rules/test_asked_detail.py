"""How much detail a question asks for: what its words say in four languages, what its column says,
and when nobody says anything."""

from __future__ import annotations

import pytest

from graders.rules.counts.asked_detail import asked_detail, detail_of, stated
from graders.rules.length import Length
from tests.rules.test_measures import CRITERION, subject

DETAILED = [
    "Explain in detail how a sailing ship can move against the wind.",
    "Give me an in-depth comparison of two mortgage types.",
    "Write an essay on the causes of the French Revolution.",
    "Walk me through changing a tyre, step by step.",
    "Describe the water cycle in great detail.",
    "Write an article of 800 words about bees.",
    "Расскажи подробно, как устроен двигатель внутреннего сгорания.",
    "Дай развёрнутый ответ: почему небо голубое?",
    "Напиши сочинение о весне.",
    "Опиши пошагово, как посадить яблоню.",
    "请详细说明光合作用的过程。",
    "深入分析这首诗的意象。",
    "写一篇800字以上的作文，题目是《我的家乡》。",
    "相対性理論について詳しく説明してください。",
    "確定申告のやり方を手順を追って教えてください。",
]
SHORT = [
    "Briefly explain photosynthesis.",
    "What is inflation, in one sentence?",
    "Write a short, polite e-mail to my landlord.",
    "Summarise this chapter for me.",
    "Give a concise definition of entropy.",
    "Describe your city in no more than 80 words.",
    "What is a verb? No need for a detailed explanation.",
    "Кратко: что такое инфляция?",
    "Объясни в двух словах, кто такой Кант.",
    "Напиши короткий тост на юбилей.",
    "Ответь, пожалуйста, не подробно: что такое атом?",
    "请简要介绍一下鲁迅。",
    "用一句话解释什么是黑洞。",
    "不用太详细，说说长城的历史。",
    "風邪とインフルエンザの違いを簡単に教えてください。",
    "200字以内で要約してください。",
]
SILENT = [
    "Why do leaves change colour in autumn?",
    "What is a short circuit?",
    "How do I remove duplicates from a list?",
    "Translate “please explain in detail” into French.",
    "What does the word `comprehensive` mean?",
    "Give a short but detailed answer.",
    "Почему Байкал такой глубокий?",
    "Что значит слово «подробно»?",
    "为什么海水是咸的？",
    "“详细”的反义词是什么？",
    "日本の都道府県はいくつありますか。",
    "「詳しく」を英語で何と言いますか。",
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((t, "detailed") for t in DETAILED),
        *((t, "short") for t in SHORT),
        *((t, None) for t in SILENT),
    ],
)
def test_what_words_ask_for(text: str, expected: str | None) -> None:
    assert asked_detail(text) == expected


def test_a_pasted_document_says_nothing() -> None:
    assert (
        asked_detail(
            "What is this about?\n"
            + "The report goes into depth. " * 60
            + " In detail, it lists. "
            + "More text. " * 100
        )
        is None
    )


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("Detailed", "detailed"),
        ("подробно", "detailed"),
        ("brief", "short"),
        ("簡潔", "short"),
        ("", None),
        ("blue", None),
    ],
)
def test_the_words_of_a_column(said: str, means: str | None) -> None:
    assert stated(said) == means


@pytest.mark.parametrize(
    ("column", "text", "counts", "by", "value"),
    [
        # the column goes before the words
        (
            "detailed",
            "Briefly: why?",
            "detailed",
            "stated",
            "Yes",
        ),
        ("", "Explain in detail why.", "detailed", "rule", "Yes"),
        ("", "Briefly: why?", "short", "rule", "No"),
        ("blue", "Why?", "short", "", "No"),
    ],
)
def test_the_limit_follows(column: str, text: str, counts: str, by: str, value: str) -> None:
    asked = subject(text, "x" * 1500, q={"detail": column})
    assert detail_of(asked.question) == (counts, by)
    assert Length().grade(asked, CRITERION).value == value
