"""Forms: which are asked for, and what counts as having them."""

from __future__ import annotations

import pytest

from graders.rules.forms.asked_forms import FORMS, forms_asked
from graders.rules.not_the_form import NotTheForm
from tests.rules.cases_table import CRITERION, subject

PROSE = (
    "The cat and the dog met in the yard and spoke about the weather for a while before each of "
    "them went home to sleep."
)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Write a short rhyming poem about frost.", ["verse"]),
        ("Can you please write me a haiku?", ["verse"]),
        ("Write an essay about a poem.", ["running text"]),
        ("Write a title for the poem.", []),
        ("Give me the poem's title.", []),
        ("Write a poem or a story.", []),
        ("How do I write a poem?", []),
        ("Don't write a poem.", []),
        ("Сочини, пожалуйста, короткое стихотворение.", ["verse"]),
        ("Как написать письмо?", []),
        ("写一首诗", ["verse"]),
        ("怎么写诗？", []),
        ("俳句を一句作ってください", ["verse"]),
        ("Put it into a table.", ["a table"]),
        ("Set the table for four.", []),
        ("Make a table of contents.", []),
        ("表で比較してください", ["a table"]),
        ("代表で出てください", []),
        ("What is JSON?", []),
        ("Answer as JSON.", ["JSON"]),
        ("Write a letter to my aunt.", ["a letter"]),
        ("Write a letter of the alphabet.", []),
        ("帮我写一段辞职信的开头", []),
        ("Write a Python function that adds.", ["code"]),
        ("Write a program for the concert.", []),
        ("Create a dialogue in a table.", ["a dialogue", "a table"]),
    ],
)
def test_what_is_asked(question: str, asked: list[str]) -> None:
    assert [form.name for form in forms_asked(question)] == asked


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        (
            "verse",
            [
                "a line\nand one more",
                "one / two / three",
                "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。",
                "first\n\nsecond\n\nthird",
            ],
        ),
        (
            "a dialogue",
            [
                "A: hi\nB: hello",
                "— Да?\n— Нет.",
                "“Yes?” he said. “No.”",
                "客：はい\n店員：いいえ",
                "**Cat**\nYes?\n\n**Dog**\nNo.",
            ],
        ),
        (
            "a table",
            [
                "|a|b|\n|-|-|",
                "a\tb\n1\t2",
                "<table>",
                "name,age,town\nAnna,31,Rome\nBen,42,Oslo",
                "Name   Age\nAnna   31",
            ],
        ),
        ("a numbered list", ["1. a", "(1) a (2) b", "① a", "一、甲", "IV. a"]),
        ("JSON", ['{"a": 1}', "[1, 2]"]),
        (
            "a letter",
            [
                "Dear Sam,",
                "Subject: tap",
                "Thanks!\nSam",
                "С уважением,",
                "王先生：",
                "田中様",
                "此致",
            ],
        ),
        ("code", ["```\nx\n```", "def f():", "x = f(1);", "use `x`", "SELECT a FROM b"]),
    ],
)
def test_what_counts_as_the_form(name: str, texts: list[str]) -> None:
    form = next(form for form in FORMS if form.name == name)
    assert [text for text in texts if not form.seen(text)] == []
    assert not form.seen(PROSE)


def test_the_rationale_names_the_form_and_the_evidence_is_its_absence() -> None:
    mark = NotTheForm().grade(subject("Create a dialogue in a table.", PROSE), CRITERION)
    assert (mark.value, mark.rationale) == (
        "No",
        "Asked for: a dialogue, a table; not found in the answer.",
    )
    assert [e.absent for e in mark.evidence] == [True]


def test_what_is_too_short_to_tell_is_not_decided() -> None:
    assert (
        NotTheForm().grade(subject("Answer as JSON.", "Which fields?"), CRITERION).reason
        == "not_decisive"
    )
