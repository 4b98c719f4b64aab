"""Leftovers of markup, templates and models: kinds, questions about them."""

from __future__ import annotations

import pytest

from graders.rules.stray_symbols import StraySymbols
from tests.rules.cases_table import CRITERION, subject, too_slow_on


@pytest.mark.parametrize(
    ("answer", "rationale"),
    [
        ("Dear {{name}}, hello.", "A template's placeholder."),
        ("It was built in [INSERT YEAR].", "A gap that was not filled."),
        ("That is all.<|im_end|></s>", "A token of the model and 1 more."),
        ("He won【4†source】.", "A mark of a source."),
        ("Salt&nbsp;and pepper", "An entity of HTML."),
        ("One<br>two", "A tag of HTML."),
        ("One.\\nTwo.", "An escaped line break."),
        ("**Note: be careful.", "Stars of emphasis without a partner."),
        ("It is \\(\\frac{1}{2} of it.", "A formula without its other end."),
        ("It is \\frac{1}{2} of it.", "LaTeX outside of a formula."),
        ("It isnâ€™t here, and the rest of the sentence is fine.", "A broken character."),
    ],
)
def test_kinds(answer: str, rationale: str) -> None:
    mark = StraySymbols().grade(subject("Why?", answer), CRITERION)
    assert (mark.value, mark.rationale) == ("No", rationale)
    assert (
        all(answer[evidence.start : evidence.end] == evidence.quote for evidence in mark.evidence)
        and mark.evidence
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Write a template for a letter.", "Dear {{name}}, hello."),
        ("Which token ends a message?", "It is <|im_end|>."),
        ("What does &nbsp; mean in HTML?", "&nbsp; is a space."),
        ("How do I write \\frac in LaTeX?", "\\frac{1}{2}"),
        ("What is a table?", "| a<br>b | c |\n|---|---|"),  # the only way to break a line in a cell
        ("Why?", "```\n<p>{{name}}</p>\n```"),  # code
    ],
)
def test_not_where_they_are_the_topic_or_code(question: str, answer: str) -> None:
    assert StraySymbols().grade(subject(question, answer), CRITERION).reason == "not_decisive"


def test_a_text_that_cannot_be_read_at_all_has_another_fault() -> None:
    assert (
        StraySymbols()
        .grade(subject("Почему?", "Потому что так".encode().decode("latin-1")), CRITERION)
        .value
        is None
    )


@pytest.mark.parametrize("question", ["Why is it so?"])
@pytest.mark.parametrize(
    "unit",
    [
        "\\(",
        "\\frac{",
        "$$",
        "**",
        "<br>",
        "<p ",
        "&nbsp;",
        "{{",
        "[INSERT ",
        "**a** ",
        "\\[",
        "\\n",
        "Ð°",
    ],
)
def test_a_megabyte_is_graded_in_a_second(question: str, unit: str) -> None:
    assert too_slow_on(StraySymbols(), question, unit) == 0
