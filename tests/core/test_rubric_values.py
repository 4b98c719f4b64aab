"""Values as people write them, on a rubric's scales: in any case and width, in the rubric's words
or in those of its translations."""

from __future__ import annotations

from typing import Any

import pytest

from graders.core.errors import RubricError, ScaleError
from graders.core.rubric import read_rubric

RUBRIC = read_rubric("""
rubric: r
criteria:
  right: {question: Is it right?, scale: ["No", "Yes"]}
  lies: {question: How does it lie?, scale: {labels: [part, equal], ordered: false}}
  depth: {question: How deep?, scale: {from: 1, to: 5}}
translations:
  ru:
    right: {labels: {"No": Нет, "Yes": Да}}
    lies: {anchors: {part: часть, equal: равно}}
    depth: {anchors: {1: Мелко, 5: Глубоко}}
  pl: {right: {labels: {"No": Nie, "Yes": "No"}}}
  xx: {lies: {labels: {part: same, equal: same}}}
  zh: {right: {name: 正确}}
""")


@pytest.mark.parametrize(
    ("criterion", "found", "value"),
    [
        ("right", "yes", "Yes"),
        ("right", "ＹＥＳ", "Yes"),
        ("right", True, "Yes"),
        ("right", "Да", "Yes"),
        ("right", " нЕТ ", "No"),
        ("right", "ｎｉｅ", "No"),
        # it is the Polish word for Yes here, but the rubric's own labels come first
        (
            "right",
            "no",
            "No",
        ),
        ("lies", "Равно", "equal"),
        ("depth", "4,0", 4),
    ],
)
def test_a_value_is_read_in_the_rubrics_words_or_in_those_of_a_translation(
    criterion: str, found: Any, value: Any
) -> None:
    assert RUBRIC.value_of(RUBRIC.criterion(criterion), found) == value


@pytest.mark.parametrize(
    ("criterion", "found"),
    [("lies", "same"), ("right", "часть"), ("right", "正确"), ("depth", "Глубоко")],
)
def test_a_word_that_means_no_label_or_two_is_none(criterion: str, found: str) -> None:
    with pytest.raises(ScaleError):
        RUBRIC.value_of(RUBRIC.criterion(criterion), found)


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("{from: 0, to: 1}", "integer"),
        ("{from: 0.0, to: 1.0}", "numeric"),
        ("{from: 0, to: 2.5}", "numeric"),
        ("[0.0, 1.0]", "numeric"),
        ("{from: 0.0, to: 1.0, whole: true}", "integer"),
        ("{from: 0, to: 1, whole: false}", "numeric"),
        # anchors are texts of whole numbers
        (
            "{from: 1.0, to: 2.0, anchors: {1: bad, 2: good}}",
            "integer",
        ),
    ],
)
def test_a_range_written_with_decimals_takes_decimals(written: str, kind: str) -> None:
    scale = (
        read_rubric(f"rubric: r\ncriteria: {{share: {{question: Which share?, scale: {written}}}}}")
        .criteria[0]
        .scale
    )
    assert scale.kind == kind and type(scale).from_spec(scale.to_spec()) == scale


def test_a_number_of_thousands_of_digits_is_a_sentence() -> None:
    with pytest.raises(RubricError, match="expected valid YAML"):
        read_rubric("rubric: small\nversion: " + "9" * 5_000)
