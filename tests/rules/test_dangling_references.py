"""References one by one: what they look for, and what answers them."""

from __future__ import annotations

import pytest

from graders.rules.dangling_references import DanglingReferences
from tests.rules.cases_table import CRITERION, subject


@pytest.mark.parametrize(
    ("answer", "what", "quote"),
    [
        ("It is old [12].", "no source 12", "[12]"),
        ("It is old [1, 3].", "no source 1, 3", "[1, 3]"),
        ("Good for the heart.[^a] Really.", "no footnote a", "[^a]"),
        ("Good for the heart.¹", "no note ¹", "¹"),
        ("As the diagram above shows, it falls.", "no figure", "As the diagram above shows"),
        ("The prices are listed in the table below.", "no table", "are listed in the table below"),
        ("Клапаны между ними (см. рис. 2).", "no figure", "см. рис. 2"),
        ("次の図のように動きます。", "no figure", "次の図"),
        ("如上表所示，更便宜。", "no table", "如上表所示"),
    ],
)
def test_what_is_missing_is_named(answer: str, what: str, quote: str) -> None:
    mark = DanglingReferences().grade(subject("Why?", answer), CRITERION)
    assert (mark.value, mark.rationale) == (
        "No",
        f"The answer points to something that it does not have: {what}.",
    )
    assert [answer[e.start : e.end] for e in mark.evidence] == [quote]


@pytest.mark.parametrize(
    "answer",
    [
        "It is old [1].\n\n[1] Smith, 1999",
        "It is old [1].\n\n**Sources:**\n1. Smith",
        "Good.[^1]\n\n[^1]: Smith",
        "Good¹.\n\n¹ Smith",
        "See the diagram below:\n\n```\nA -> B\n```",
        "The prices are listed in the table below.\n\nName  Price\nTea   3",
        "As shown in Figure 2 of the report, it falls.",
        "Как указано в таблице 3 приложения, цена та же.",
        "The figures above 100 are large. Add the table to your page. The image below the fold "
        "is late.",
        "Press [1] to start. Option [2] ends. a[1] = b[2]; the interval [0, 1]; the array [3].",
        "[link](https://a.b) and [1](https://a.b)",
        "10² m², 5 м², H₂O, x² + y³, 20平方米²",
    ],
)
def test_what_is_answered_or_no_reference(answer: str) -> None:
    assert DanglingReferences().grade(subject("Why?", answer), CRITERION).reason == "not_decisive"


def test_references_may_point_into_the_context_or_to_the_figure_of_the_question() -> None:
    assert (
        DanglingReferences()
        .grade(subject("Why?", "It is old [1].", q={"context": ("A text.",)}), CRITERION)
        .value
        is None
    )
    assert (
        DanglingReferences()
        .grade(subject("What does figure 2 show?", "As figure 2 shows, it falls."), CRITERION)
        .value
        is None
    )
