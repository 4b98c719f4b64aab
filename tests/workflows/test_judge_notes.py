"""What a plan says of a judge before it is paid: kinship with the models that it grades, settings that its model does not take."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.workflows import runs
from tests.support.studies import bring, scope_at

RUBRIC = "rubric: small\ncriteria:\n  tone: {question: Is it kind?, scale: {from: 1, to: 5}, graders: [judge]}\n"


@pytest.mark.parametrize(
    ("judge", "models", "told"),
    [
        ("openai:gpt-4o", ["Cedar", "Rowan"], []),
        (
            "openai:gpt-4o",
            ["gpt-4o", "Rowan"],
            ["It grades its own answers (gpt-4o): judges are kinder to these. Take another, or let people check."],
        ),
        (
            "openai:gpt-4o",
            ["gpt-3.5-turbo", "o1-mini"],
            ["gpt-3.5-turbo and o1-mini are of its family (openai), to which judges are kinder."],
        ),
        ("ollama:llama3", ["llama-2-7b", "gpt-4o"], ["llama-2-7b is of its family (llama), to which judges are kinder."]),
        ("openai:gpt-4o", ["gpt-1", "gpt-2", "gpt-3", "gpt-5"], ["4 models are of its family (openai), to which judges are kinder."]),
        ("openai:o3-mini", ["Cedar"], ["o3-mini does not take temperature: left out."]),
    ],
)
def test_a_plan_tells_what_is_better_known_before(tmp_path: Path, judge: str, models: list[str], told: list[str]) -> None:
    scope = scope_at(tmp_path, "mira")
    answers = [{"question_id": "q", "model": model, "text": f"{model} says so."} for model in models]
    bring(scope, tmp_path, rubric=RUBRIC, questions=[{"id": "q", "text": "Why?"}], answers=answers)
    (found,) = runs.plan(scope, "study", {"judges": [judge]})["judges"]
    assert found["notes"] == told
