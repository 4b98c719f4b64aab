"""Tokens for one answer under five criteria in one call, against a call per criterion with the same
texts.

Tokens are counted as everywhere in the tests, four characters each: prompt and schema of what would
be sent. Apart from the bar, what a provider with a prompt cache would charge less for: the
beginning that a call shares with one sent before it.
"""

from __future__ import annotations

import json
import os
from typing import Any

from graders.core.records import Answer, Question, Request, Subject
from graders.core.rubric import Rubric, read_rubric
from graders.judges.llm import LLMJudge
from tests.benchmarks.bench_judge import RUBRIC, report

SIZES, BAR_AT, BAR = (50, 250, 1_000), 250, 0.45
SENTENCE = "The kitchen tap drips because the washer inside has worn thin over the years. "


def subject(tokens: int) -> Subject:
    """A question with an answer of about so many tokens."""
    text = (SENTENCE * (tokens * 4 // len(SENTENCE) + 1))[: tokens * 4]
    question = Question(
        id="q",
        text="Why does my kitchen tap drip, and what can I do about it?",
        references=("The washer is worn; change it.",),
    )
    return Subject(question, Answer(question_id="q", model="Ash", text=text))


def sent(request: Request) -> str:
    """What a request sends, in the order in which a cache would see it."""
    return json.dumps(request.schema, separators=(",", ":")) + "".join(
        text for _, text in request.messages
    )


def tokens(judge: LLMJudge, asked: Subject, rubric: Rubric) -> tuple[float, float]:
    """Tokens of all calls for an answer, and those of them that stand at the beginning of an
    earlier call too."""
    texts = [sent(request) for request in judge.requests([asked], rubric, list(rubric.criteria))]
    # Characters, as a cache compares them, not parts of a path.
    shared = sum(
        max((len(os.path.commonprefix([text, before])) for before in texts[:n]), default=0)  # noqa: RUF071
        for n, text in enumerate(texts)
    )
    return sum(map(len, texts)) / 4, shared / 4


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    rubric, rows = read_rubric(RUBRIC), []
    for size in SIZES:
        together, _ = tokens(LLMJudge(model="m", secret="bench"), subject(size), rubric)
        apart, shared = tokens(
            LLMJudge(model="m", secret="bench", per="criterion"), subject(size), rubric
        )
        print(
            f"{size} tokens: {together:.0f} in one call, {apart:.0f} in five, of those {shared:.0f} as a cache has them;"
        )
        if size == BAR_AT:
            rows = report(
                [(f"tokens for an answer of {size}, one call against five", together / apart, BAR)]
            )
    return rows
