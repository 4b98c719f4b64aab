"""Length, time to first token, exact match, literal facts: tables of inputs and marks."""

from __future__ import annotations

from typing import Any

import pytest

from graders.core.errors import InputError
from graders.core.rubric import Criterion
from graders.core.scale import Scale
from graders.rules.contains_facts import ContainsFacts
from graders.rules.exact_match import ExactMatch
from graders.rules.length import Length
from graders.rules.time_to_first_token import TimeToFirstToken
from tests.rules.cases_table import CRITERION, subject


@pytest.mark.parametrize(
    ("count", "detail", "value", "rationale"),
    [
        (1100, "", "Yes", "1,100 characters, limit 1,100 for a short answer."),
        (1101, "short", "No", "1,101 characters, limit 1,100 for a short answer."),
        (1101, "detailed", "Yes", "1,101 characters, limit 2,500 for a detailed answer."),
        (2501, "detailed", "No", "2,501 characters, limit 2,500 for a detailed answer."),
    ],
)
def test_length(count: int, detail: str, value: str, rationale: str) -> None:
    mark = Length().grade(subject(answer="x" * count, q={"detail": detail}), CRITERION)
    assert (mark.value, mark.rationale) == (value, rationale)


def test_length_counts_what_a_person_sees() -> None:
    # 3 families of 5 code points each are 3 characters
    assert Length(short=3).grade(subject(answer="👨‍👩‍👧" * 3), CRITERION).value == "Yes"


@pytest.mark.parametrize(
    ("scale", "value"),
    [
        (["No", "Yes"], "No"),
        ({"from": 1, "to": 5}, 1),
        ({"from": 0, "to": 1, "whole": False}, 0.0),
        ({"labels": ["x", "y"], "ordered": False}, None),  # no label is the worst
    ],
)
def test_a_fault_gives_the_worst_value_of_any_scale(scale: Any, value: Any) -> None:
    mark = Length(short=1).grade(
        subject(answer="abc"), Criterion(rubric="r", name="c", scale=Scale.from_spec(scale))
    )
    assert (mark.value, mark.reason) == (value, "" if value is not None else "no_order")


@pytest.mark.parametrize(
    ("seconds", "value", "text"),
    [
        (0.4, "Yes", "First token after 0.4 s, limit 5 s."),
        (5.0, "Yes", "First token after 5 s, limit 5 s."),
        (5.02, "No", "First token after 5.02 s, limit 5 s."),
        (12.0, "No", "First token after 12.0 s, limit 5 s."),
        (None, None, "The time to the first token was not measured."),
        (float("nan"), None, "The time to the first token was not measured."),
        (-1.0, None, "The time to the first token was not measured."),
    ],
)
def test_time_to_first_token(seconds: float | None, value: str | None, text: str) -> None:
    mark = TimeToFirstToken().grade(subject(time_to_first_token=seconds), CRITERION)
    assert (mark.value, mark.rationale, mark.reason) == (
        value,
        text,
        "" if value else "not_measured",
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: Length(short=0),
        lambda: TimeToFirstToken(limit_seconds=0),
        lambda: TimeToFirstToken(float("nan")),
    ],
)
def test_options_out_of_range_are_refused_with_a_sentence(make: Any) -> None:
    with pytest.raises(InputError, match=r"rule \w+, option \w+: found .*, expected .* above 0"):
        make()


@pytest.mark.parametrize(
    ("question", "answer", "references", "value"),
    [
        ("What is it?", "The Eiffel Tower.", ["Eiffel tower"], "Yes"),
        ("What is it?", "**Paris**", ["London", "paris"], "Yes"),
        ("How many?", "1,000", ["1000"], "Yes"),
        ("How many?", "3.5", ["35"], None),
        ("How many?", "-5", ["5"], None),
        ("Which language?", "C#", ["C"], None),
        ("Which language?", "C++", ["c++"], "Yes"),
        ("Кто это?", "Лев Толстой!", ["лев толстой"], "Yes"),
        ("是什么？", "北京。", ["北京"], "Yes"),
        ("What is it?", "It is the Eiffel Tower", ["Eiffel Tower"], None),
        ("Was ist das?", "Die A", ["Die"], None),
    ],
)
def test_exact_match(question: str, answer: str, references: list[str], value: str | None) -> None:
    one = subject(question, answer, q={"references": tuple(references)})
    mark = ExactMatch().grade(one, CRITERION)
    assert (mark.value, mark.reason) == (value, "" if value else "not_decisive")
    assert ExactMatch(strict=True).grade(one, CRITERION).value == (value or "No")


def test_exact_match_names_the_reference() -> None:
    mark = ExactMatch().grade(
        subject("Where?", "paris", q={"references": ("London", "Paris")}), CRITERION
    )
    assert mark.rationale == "Equal to reference 2 of 2, 'Paris'."
    assert ExactMatch().grade(subject("Where?", "Paris"), CRITERION).reason == "no_reference"


@pytest.mark.parametrize(
    ("facts", "answer", "missing"),
    [
        (["Paris", "2.1 million"], "PARIS has 2.1\nmillion people.", []),
        (["cat"], "Two cats sleep.", ["cat"]),  # short words have no endings to spare
        (["planet"], "Eight planets.", []),
        (["house"], "Small houses", []),
        (["Москва"], "Это случилось в Москве.", []),
        (["красная площадь"], "Мы были на Красной площади.", []),
        (["пять книг"], "Он прочёл пять книг.", []),
        (["1941"], "in 19410", ["1941"]),
        (["3.5"], "It is 13.5", ["3.5"]),
        (["Paris"], "the parish", ["Paris"]),
        (["东京"], "我住在东京。", []),
        (["3个"], "13个", ["3个"]),
        (["ｔｏｋｙｏ"], "In Tokyo", []),
        (["tea", "milk"], "milk", ["tea"]),
    ],
)
def test_facts(facts: list[str], answer: str, missing: list[str]) -> None:
    mark = ContainsFacts().grade(subject("?", answer, q={"facts": tuple(facts)}), CRITERION)
    share = f"{len(facts) - len(missing)} of {len(facts)} facts literally in the answer"
    if missing:
        assert (mark.value, mark.reason) == (None, "not_decisive")
        assert mark.rationale == f"{share}; not found: {'; '.join(missing)}."
    else:
        assert (mark.value, mark.rationale) == ("Yes", f"{share}.")
    assert all(answer[e.start : e.end] == e.quote for e in mark.evidence)


def test_facts_and_required_elements_are_both_looked_for() -> None:
    one = subject("?", "tea", q={"facts": ("tea",), "must_have": ("milk", "tea")})
    assert (
        ContainsFacts().grade(one, CRITERION).rationale
        == "1 of 2 facts literally in the answer; not found: milk."
    )
    assert ContainsFacts().grade(subject(), CRITERION).reason == "no_facts"
