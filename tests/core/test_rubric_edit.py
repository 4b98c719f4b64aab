"""One field of a rubric changed in its text: it reads as what was meant, and every other character
stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import RubricError
from graders.core.rubric import read_rubric
from graders.core.rubric_edit import FieldText, add_criterion, fields_by_criterion, set_field

BUNDLED = sorted((Path(__file__).parents[2] / "rubrics").glob("*.yaml"))
SOURCE = """\
# Ours.
rubric: small
criteria:
  relevance: {question: Does it?, scale: [a, b], graders: [judge]}  # kept
  tone:
    question: Which?   # mine
    # above the scale
    scale: [c, d]
  grade:
    question: >-
      How
      good?
    scale:
      from: 1   # low
      to: 5
"""


@pytest.mark.parametrize(
    ("criterion", "field", "value", "before", "after"),
    [
        (
            "relevance",
            "question",
            "Yes, or: no?",
            "question: Does it?,",
            'question: "Yes, or: no?",',
        ),
        ("relevance", "guide", "Look.", "{question", '{guide: "Look.", question'),
        ("relevance", "graders", "", ", graders: [judge]}", "}"),
        (
            "tone",
            "question",
            "So: # not a comment",
            "question: Which?   # mine",
            'question: "So: # not a comment"   # mine',
        ),
        # no text, if it were written plain
        (
            "tone",
            "question",
            "true",
            "question: Which?",
            'question: "true"',
        ),
        ("tone", "scale", "[e, f]", "scale: [c, d]", "scale: [e, f]"),
        (
            "tone",
            "guide",
            "Plain words",
            "    question: Which?",
            "    guide: Plain words\n    question: Which?",
        ),
        ("tone", "scale", "", "    scale: [c, d]\n", ""),
        ("grade", "question", "Fine?", ">-\n      How\n      good?", "Fine?"),
        ("", "about", "Ours", "rubric: small", "about: Ours\nrubric: small"),
    ],
)
def test_one_field_changes_and_nothing_else(
    criterion: str, field: str, value: str, before: str, after: str
) -> None:
    assert SOURCE.count(before) == 1
    assert set_field(SOURCE, criterion, field, value) == SOURCE.replace(before, after)


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_bundled_rubrics_keep_their_comments_and_read_as_meant(path: Path) -> None:
    source = path.read_text("utf-8")
    guides = ("word " * 60 + "end", "two\nlines", "Is it: so?", "人")
    made, known = source, list(fields_by_criterion(source))
    for place, name in enumerate(known):
        made = set_field(made, name, "guide", guides[place % 4])
    made = add_criterion(made, "fresh")
    found = read_rubric(made)
    assert [c.guide for c in found.criteria] == [
        *(guides[place % 4] for place in range(len(known))),
        "",
    ]
    assert found.criteria[-1].name == "fresh" and made.count("#") == source.count("#")


@pytest.mark.parametrize(
    ("criterion", "field", "value", "says"),
    [
        (
            "grade",
            "scale",
            "[a, b]",
            "grade, scale: found several lines, expected a field on one line. Change it in the text.",
        ),
        (
            "tone",
            "scale",
            "[a, b",
            "tone, scale: found '[a, b', expected YAML on one line. Correct it, as in [a, b].",
        ),
        ("tone", "scale", "[a]\n  question: evil", "expected YAML on one line"),
        ("none", "question", "x", "found 'none' without fields, expected a criterion."),
        ("tone", "colour", "x", "found the field 'colour', expected a field of the form."),
    ],
)
def test_what_is_refused(criterion: str, field: str, value: str, says: str) -> None:
    with pytest.raises(RubricError) as error:
        set_field(SOURCE, criterion, field, value)
    assert says in str(error.value)


def test_fields_as_the_form_shows_them() -> None:
    known = fields_by_criterion(SOURCE)
    found = known["grade"]
    assert (
        found["question"] == FieldText("How good?", editable=True)
        and found["scale"].editable is False
    )
    assert known["tone"]["scale"] == FieldText("[c, d]", editable=True)
    with pytest.raises(RubricError, match="'tone' twice"):
        add_criterion(SOURCE, "tone")
