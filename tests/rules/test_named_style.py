"""Whose style is wanted: questions that name somebody, and questions that name nobody."""

from __future__ import annotations

import pytest

from graders.rules.named_style import NamedStyle
from tests.rules.cases_table import CRITERION, subject

NOBODY = [
    "Write a haiku about a railway station.",
    "Write a birthday poem for my grandmother.",
    "I need a short story in Russian about a lighthouse. It should be sad.",
    "Write a poem of four lines, rhyming ABAB, about Monday.",
    "Напиши стихотворение о первом снеге.",
    "Сочини колыбельную для дочки.",
    "写一首关于春天的诗",
    "给奶奶写一首生日诗",
    "雨についての詩を書いてください。",
    "写一首关于李子和黄河的诗",
    "给我的老师写一封感谢信，要提到高山和白云",
    "写一个关于小猫的一生的故事，三百字",
    "写一篇关于春节的作文",
    "おばあちゃんの誕生日の詩を書いて。",
    "ロボットと猫の短い物語を作ってください。",
    "日本の秋についての俳句を三つお願いします。",
    "Grandma's birthday is on Monday. What's a good poem for her?",
]
SOMEBODY = [
    "Write a haiku about a railway station, in the style of Bashō.",
    "Write a sonnet as Shakespeare would have written it.",
    "A short poem on hope, like Emily Dickinson's.",
    "Write a Kafkaesque office memo.",
    "Describe a kitchen in the manner of the futurists.",
    "Напиши рассказ как у Чехова.",
    "Опиши дождь в манере Северянина.",
    "Напиши стихи под Маяковского.",
    "Сочини стихотворение в духе символистов.",
    "用李白的风格写两句写月亮的诗。",
    "仿《荷塘月色》写一段话",
    "太宰治になりきって日記を書いて。",
    "宮沢賢治のように雨の詩を書いて。",
    "请写一篇文章，介绍鲁迅的生平。",
    "写一首关于李白的诗",
    "写一段话，讲讲一位诗人的孤独。",
    "写一篇关于周立波的小说的短文",
    "把海明威写进一个小故事里",
    "写一首唐诗",
    "夏目漱石の生涯について書いてください。",
    "芭蕉についての俳句を一つ。",
    "カフカについて短い物語を書いて。",
    "ある小説家の日記を書いてください。",
    "Dickens's life in ten lines, please.",
]


@pytest.mark.parametrize("question", NOBODY)
def test_nobody_is_named(question: str) -> None:
    assert NamedStyle().grade(subject(question, "Rain."), CRITERION).reason == "not_applicable"


@pytest.mark.parametrize("question", SOMEBODY)
def test_somebody_may_be_named(question: str) -> None:
    assert NamedStyle().grade(subject(question, "Rain."), CRITERION).reason == "not_decisive"


def test_a_required_element_may_name_the_author() -> None:
    one = subject("写一首关于春天的诗", "雨。", q={"must_have": ("像李白那样写",)})
    assert NamedStyle().grade(one, CRITERION).reason == "not_decisive"
