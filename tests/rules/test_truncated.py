"""Answers that stop before their end: finish reasons, evidence."""

from __future__ import annotations

import pytest

from graders.rules.truncated import Truncated
from tests.rules.cases_table import CRITERION, subject


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS"])
def test_the_provider_says_so(reason: str) -> None:
    mark = Truncated().grade(subject(answer="All is said.", finish_reason=reason), CRITERION)
    assert (mark.value, mark.rationale) == (
        "No",
        f"The provider ended the answer at its limit (finish reason {reason.lower()!r}).",
    )


def test_nothing_at_all_for_all_tokens_is_cut_off_too() -> None:
    assert Truncated().grade(subject(answer="", finish_reason="length"), CRITERION).value == "No"
    assert Truncated().grade(subject(answer=" "), CRITERION).reason == "empty_answer"


@pytest.mark.parametrize(
    ("answer", "finish_reason", "value"),
    [
        ("It is old. It has many", "", "No"),
        ("It is old. It has many", "stop", None),  # a weak sign, and the model stopped by itself
        ("It is old and it has many rooms, and", "stop", "No"),  # a strong sign
        ("```python\nx = 1", "stop", "No"),
    ],
)
def test_weak_signs_do_not_count_against_the_provider(
    answer: str, finish_reason: str, value: str | None
) -> None:
    mark = Truncated().grade(subject(answer=answer, finish_reason=finish_reason), CRITERION)
    assert mark.value == value


@pytest.mark.parametrize(
    ("answer", "sign"),
    [
        ("Use this:\n```\nx", "a code block is not closed"),
        ("Take these things:", "nothing follows the colon"),
        ("We need bread, milk and", "the last word is 'and'"),
        ("1. Rest.\n2.", "the last item is empty"),
        ("A note (see the second", "'(' is not closed"),
    ],
)
def test_the_rationale_names_the_sign(answer: str, sign: str) -> None:
    mark = Truncated().grade(subject(answer=answer), CRITERION)
    assert mark.rationale == f"The answer breaks off: {sign}."
    (evidence,) = mark.evidence
    assert evidence.quote == answer[evidence.start : evidence.end]


def test_a_block_that_quotes_a_block_is_closed() -> None:
    answer = "````markdown\n```python\nx = 1\n```\n````"
    assert Truncated().grade(subject(answer=answer), CRITERION).value is None
    nested = "```markdown\n```python\nx = 1\n```\n```"
    assert Truncated().grade(subject(answer=nested), CRITERION).value is None
