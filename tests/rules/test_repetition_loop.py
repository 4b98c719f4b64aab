"""Loops: how many copies count, what is said about them, what is left alone."""

from __future__ import annotations

import pytest

from graders.rules.repetition_loop import RepetitionLoop
from tests.rules.cases_table import CRITERION, subject

LONG = "This sentence is long enough to be seen. "


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("It is good to sleep well. " * 3, None),
        ("It is good to sleep well. " * 4, "No"),
        ("- one thing\n- another thing\n" * 3, None),  # 6 lines
        ("- one thing\n- another thing\n" * 4, "No"),  # 8 lines
        ("the north and the south and then " * 3, None),
        ("the north and the south and then " * 4, "No"),
        ("very " * 7, None),  # 7 x 5 = 35 letters
        ("very " * 9, "No"),
        ("的首都" * 5, None),
        ("的首都" * 6, "No"),
        ("Ha" * 60, None),
        ("0." + "3" * 500, None),
        ("=" * 500 + "\nTitle", None),
        ("a\n" * 100, None),
        (f"{LONG}Then comes another one. " * 2, None),
    ],
)
def test_how_many_copies_are_a_loop(answer: str, value: str | None) -> None:
    assert RepetitionLoop().grade(subject("?", answer), CRITERION).value == value


def test_the_rationale_counts_and_the_evidence_is_the_place() -> None:
    answer = "Rest helps.\n" + "It is good to sleep well. " * 5
    mark = RepetitionLoop().grade(subject("?", answer), CRITERION)
    assert mark.rationale == "'It is good to sleep well.' comes 5 times in a row."
    (evidence,) = mark.evidence
    assert (
        evidence.quote.startswith("It is good to sleep well. It is")
        and answer[evidence.start : evidence.end] == evidence.quote
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Say it ten times.", None),
        ("Повтори пять раз.", None),
        ("Write a song.", None),
        ("Why?", "No"),
    ],
)
def test_what_was_asked_for_is_no_loop(question: str, value: str | None) -> None:
    assert (
        RepetitionLoop().grade(subject(question, "We are going home.\n" * 5), CRITERION).value
        == value
    )
