"""One field of a rubric changed in its text: it reads as what was meant, and every other character
stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import RubricError
from graders.core.rubric import read_rubric
from graders.core.rubric_edit import add_criterion, set_field
from graders.core.rubric_set import set_value, values_by_criterion

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
    made, known = source, list(values_by_criterion(source))
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


def test_a_criterion_is_added_once() -> None:
    with pytest.raises(RubricError, match="'tone' twice"):
        add_criterion(SOURCE, "tone")


def test_a_text_of_several_lines_stands_on_several_lines() -> None:
    made = set_field(SOURCE, "tone", "guide", "First:\n- one  \n\n- two")
    assert "    guide: |-\n      First:\n      - one" in made
    assert read_rubric(made).criterion("tone").guide.endswith("\n\n- two")


SHAPED = """\
# Ours.
rubric: shaped
criteria:
  a:
    scale: [bad, good]   # worst first
    graders: [judge, {length: {short: 5, detailed: 6}}]   # both
    review: {factual: automatic, creative: people}
  b:
    scale:
      from: 1   # low
      to: 5
      anchors:
        1: nothing   # at all
        5: everything
    graders:
      - judge
      # cheap
      - length   # first
      - exact_match
  c: {scale: {labels: [x, y], ordered: false}, unless: facts}
  d:
    scale: &kept [low, high]
    graders: [judge]
  e:
    scale: *kept
    graders: [judge]
"""


@pytest.mark.parametrize(
    ("criterion", "field", "value", "before", "after"),
    [
        ("a", "scale", ["bad", "fair", "good"], "[bad, good]", "[bad, fair, good]"),
        ("a", "scale", ["yes", "no"], "[bad, good]", '["yes", "no"]'),
        ("a", "scale", {"from": 1, "to": 5}, "[bad, good]", "{from: 1, to: 5}"),
        ("a", "graders", ["judge"], "[judge, {length: {short: 5, detailed: 6}}]", "[judge]"),
        ("a", "graders", ["judge", {"length": {"short": 7, "detailed": 6}}], "short: 5", "short: 7"),
        ("a", "graders", ["judge", "length"], "{length: {short: 5, detailed: 6}}", "length"),
        ("a", "review", "people", "{factual: automatic, creative: people}", "people"),
        ("a", "review", None, "    review: {factual: automatic, creative: people}\n", ""),
        ("b", "scale", {"from": 1, "to": 4, "anchors": {"1": "nothing", "5": "everything"}}, "to: 5", "to: 4"),
        ("b", "scale", {"from": 1, "to": 5, "anchors": {"1": "None: of it", "5": "everything"}}, "1: nothing ", '1: "None: of it" '),
        ("b", "scale", {"from": 1, "to": 5, "anchors": {"1": "nothing", "5": "everything", "3": "half"}}, "5: everything\n", "5: everything\n        3: half\n"),
        ("b", "graders", ["judge", "exact_match"], "      - length   # first\n", ""),
        ("b", "graders", ["judge", "length", "exact_match", "truncated"], "- exact_match\n", "- exact_match\n      - truncated\n"),
        ("b", "graders", ["judge", {"length": {"short": 9}}, "exact_match"], "- length ", "- {length: {short: 9}} "),
        ("b", "parts", "facts", "  b:\n", "  b:\n    parts: facts\n"),
        ("c", "scale", {"labels": ["x", "z"], "ordered": False}, "[x, y]", "[x, z]"),
        ("c", "unless", None, ", unless: facts", ""),
    ],
)  # fmt: skip
def test_of_a_shaped_value_only_what_differs_is_written(
    criterion: str, field: str, value: object, before: str, after: str
) -> None:
    assert SHAPED.count(before) == 1
    assert set_value(SHAPED, criterion, field, value) == SHAPED.replace(before, after)


@pytest.mark.parametrize(
    ("criterion", "value"),
    [("b", ["no", "yes"]), ("d", ["other", "high"]), ("e", ["other", "high"])],
)
def test_a_change_that_would_lose_a_comment_or_change_another_value_is_refused(
    criterion: str, value: object
) -> None:
    with pytest.raises(
        RubricError, match=rf"rubric, {criterion}, scale: found a comment, an anchor"
    ):
        set_value(SHAPED, criterion, "scale", value)


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_every_scale_of_the_bundled_rubrics_can_be_chosen_anew(path: Path) -> None:
    source = path.read_text("utf-8")
    for name in values_by_criterion(source):
        for value in (["low", "high"], {"from": 1, "to": 7}):
            made = set_value(source, name, "scale", value)
            assert values_by_criterion(made)[name]["scale"] == value
            assert set_value(source, name, "graders", ["judge"]).count("translations") == (
                source.count("translations")
            )
