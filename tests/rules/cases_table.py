"""Subjects made from texts, and the criterion that rules are tried on."""

from __future__ import annotations

from typing import Any

from graders.core.records import Answer, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO
from tests.support.pace import too_slow

CRITERION = Criterion(rubric="r", name="c", scale=YES_NO)


def subject(
    question: str = "Why?",
    answer: str = "Because.",
    *,
    q: dict[str, Any] | None = None,
    **more: Any,
) -> Subject:
    """A subject from two texts; `q` sets fields of the question, the rest fields of the answer."""
    return Subject(
        Question(id="q", text=question, **(q or {})),
        Answer(question_id="q", model="m", text=answer, **more),
    )


def too_slow_on(rule: Any, question: str, unit: str, size: int = 1_000_000) -> float:
    """The seconds for an answer of so many characters that is one text again and again, where they
    are more than one; else 0."""
    # what a rule loads once is not the answer's time
    rule.grade(subject(question, "A first look."), CRITERION)

    def answered(length: int) -> Subject:
        return subject(question, (unit * (length // len(unit) + 1))[:length])

    return too_slow(answered, lambda one: rule.grade(one, CRITERION), size)
