"""Subjects made from texts, and the criterion that rules are tried on."""

from __future__ import annotations

from typing import Any

from graders.core.records import Answer, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO

CRITERION = Criterion(rubric="r", name="c", scale=YES_NO)


def subject(question: str = "Why?", answer: str = "Because.", *, q: dict[str, Any] | None = None, **more: Any) -> Subject:
    """A subject from two texts; `q` sets fields of the question, the rest fields of the answer."""
    return Subject(Question(id="q", text=question, **(q or {})), Answer(question_id="q", model="m", text=answer, **more))
