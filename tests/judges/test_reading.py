"""Reading what a judge wrote: a value is taken only where there is no doubt."""

import json

import pytest

from graders.core.records import Evidence, Mark, Problem
from graders.core.rubric import read_rubric
from graders.judges.asking.reading import read_evidence, read_object, read_opinions

RUBRIC = read_rubric("""
rubric: r
criteria:
  relevance: {scale: [irrelevant, relevant]}
  clarity: {scale: {from: 1, to: 5}}
  style: {parts: [tone, words], scale: {from: 1, to: 5}}
""")
ANSWER = "Paris is the capital.\nIt lies on the Seine."


def read(found, name):
    criterion = RUBRIC.criterion(name)
    return read_opinions(found, criterion, criterion.parts or ("",), ANSWER)


def opinion(value, evidence="Paris", rationale="It says so.", confidence=0.9):
    return {"evidence": evidence, "rationale": rationale, "value": value, "confidence": confidence}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '  {"a": 1}\n',
        '```json\n{"a": 1}\n```',
        '```\n{"a": 1}\n```',
        '<think>\nIs it {"a": 2}?\n</think>\n\n{"a": 1}',
        'Is it {"a": 2}?\n</think>\n\n{"a": 1}',  # the prompt ends with the opening mark
        '<think>It says </think>{"a": 2} itself.</think>```json\n{"a": 1}\n```',
    ],
)
def test_one_object_is_read_with_or_without_a_fence_or_thoughts(text):
    assert read_object(text) == {"a": 1}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fine",
        '{"a": 1',
        '{"a": 1} {"a": 2}',
        'Here you are: {"a": 1}',
        '<think>It says </think>{"a": 1} itself.</think>',
        '<think>{"a": 1}',
        'So. <think></think>{"a": 1}',
        '```json\n{"a": 1}\n``` and more',
        "[1]",
        '"a"',
        "null",
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": 1, "a": 2}',
        "{'a': 1}",
        '{"a": 1,}',
        "[" * 100_000,
        '{"a": ' + "9" * 5000 + "}",
    ],
)
def test_anything_else_is_malformed(text):
    problem = read_object(text)
    assert isinstance(problem, Problem) and problem.cause == "malformed"
    assert len(problem.detail) < 400


@pytest.mark.parametrize(
    ("criterion", "value", "expected"),
    [
        ("relevance", "relevant", "relevant"),
        ("relevance", "Relevant", "relevant"),
        ("clarity", 4, 4),
        ("clarity", "4", 4),
        ("clarity", 4.0, 4),
    ],
)
def test_a_value_on_the_scale_is_taken(criterion, value, expected):
    ((part, mark),) = read({criterion: opinion(value)}, criterion)
    assert part == "" and isinstance(mark, Mark)
    assert (mark.value, mark.status, mark.confidence, mark.confidence_kind) == (
        expected,
        "ok",
        0.9,
        "stated",
    )


@pytest.mark.parametrize(
    ("criterion", "entry", "cause"),
    [
        ("relevance", opinion("perhaps"), "off_scale"),
        ("clarity", opinion(6), "off_scale"),
        ("clarity", opinion(4.5), "off_scale"),
        ("clarity", opinion("four"), "off_scale"),
        ("clarity", opinion(True), "off_scale"),
        ("clarity", opinion(float("inf")), "off_scale"),
        ("clarity", opinion(None), "malformed"),
        ("clarity", opinion([4]), "malformed"),
        ("clarity", 4, "malformed"),
        ("clarity", {"value": 4}, "malformed"),
        ("clarity", opinion(4, evidence=None), "malformed"),
        ("clarity", opinion(4, rationale=3), "malformed"),
    ],
)
def test_a_value_that_is_not_is_a_problem(criterion, entry, cause):
    ((_, problem),) = read({criterion: entry}, criterion)
    assert isinstance(problem, Problem) and problem.cause == cause


def test_plain_words_are_told_as_such_and_a_broken_object_by_its_place():
    assert read_object("No").detail == "no JSON object: No"
    assert read_object('{"a": 1,').detail.startswith(
        "no JSON object (Expecting property name enclosed in double quotes: line 1 column 9"
    )


def test_a_missing_criterion_is_malformed_and_says_which():
    ((_, problem),) = read({"relevance": opinion("relevant")}, "clarity")
    assert problem == Problem(cause="malformed", detail="clarity is missing")


def test_parts_are_read_one_by_one():
    found = dict(read({"style": {"tone": opinion(3)}}, "style"))
    assert found["tone"].value == 3
    assert found["words"].cause == "malformed"


@pytest.mark.parametrize("confidence", [1.5, -0.1, "high", None, True, float("inf")])
def test_a_confidence_without_sense_is_none_and_the_value_stands(confidence):
    ((_, mark),) = read({"clarity": opinion(4, confidence=confidence)}, "clarity")
    assert (mark.value, mark.confidence, mark.confidence_kind) == (4, None, "")


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("the capital", Evidence(quote="the capital", found=True, start=9, end=20)),
        ('"the capital"', Evidence(quote="the capital", found=True, start=9, end=20)),
        # the line break is folded
        (
            "capital. It",
            Evidence(quote="capital.\nIt", found=True, start=13, end=24),
        ),
        ("Berlin", Evidence(quote="Berlin", found=False)),
        ("", Evidence(quote="", found=False)),
        ("absent", Evidence(absent=True)),
        ("Absent.", Evidence(absent=True)),
    ],
)
def test_a_quote_is_looked_for_in_the_answer(quote, expected):
    assert read_evidence(quote, ANSWER) == expected


def test_half_characters_cannot_get_into_a_database():
    found = read_object(
        '{"clarity": {"evidence": "\\ud83d", "rationale": "\\udc00 so", "value": 4, "confidence": 1}}'
    )
    ((_, mark),) = read(found, "clarity")
    assert json.dumps([mark.rationale, mark.evidence[0].quote], ensure_ascii=False).encode()
