"""What a plan says of a judge before it is paid: kinship with the models that it grades, settings
that its model does not take."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.words import say
from graders.workflows.runs import judges, run_plan, runs
from tests.support.studies import bring, scope_at

RUBRIC = "rubric: small\ncriteria:\n  tone: {question: Is it kind?, scale: {from: 1, to: 5}, graders: [judge]}\n"


@pytest.mark.parametrize(
    ("judge", "models", "told"),
    [
        ("openai:gpt-4o", ["Cedar", "Rowan"], []),
        (
            "openai:gpt-4o",
            ["gpt-4o", "Rowan"],
            [
                "It grades its own answers (gpt-4o): judges are kinder to these. Take another, or let people check."
            ],
        ),
        (
            "openai:gpt-4o",
            ["gpt-3.5-turbo", "o1-mini"],
            ["gpt-3.5-turbo and o1-mini are of its family (openai), to which judges are kinder."],
        ),
        (
            "ollama:llama3",
            ["llama-2-7b", "gpt-4o"],
            ["llama-2-7b is of its family (llama), to which judges are kinder."],
        ),
        (
            "openai:gpt-4o",
            ["gpt-1", "gpt-2", "gpt-3", "gpt-5"],
            ["4 models are of its family (openai), to which judges are kinder."],
        ),
        ("openai:o3-mini", ["Cedar"], ["o3-mini does not take temperature: left out."]),
    ],
)
def test_a_plan_tells_what_is_better_known_before(
    tmp_path: Path, judge: str, models: list[str], told: list[str]
) -> None:
    scope = scope_at(tmp_path, "mira")
    answers = [
        {"question_id": "q", "model": model, "text": f"{model} says so."} for model in models
    ]
    bring(scope, tmp_path, rubric=RUBRIC, questions=[{"id": "q", "text": "Why?"}], answers=answers)
    (found,) = runs.plan(scope, "study", {"judges": [judge]}).judges
    assert found.notes == told


@pytest.mark.parametrize(
    ("judge", "fields", "told"),
    [
        (
            "openai:gpt 5",
            {},
            "'gpt 5' has a space in it: is that the model's name? Between two judges stands a comma.",
        ),
        (
            "openai:gpt-5",
            {"reasoning_effort": "hihg"},
            "No model is known to take the reasoning effort 'hihg', but none, minimal, low, medium, high, xhigh, max: its calls may all be refused.",
        ),
        (
            "openai:gpt-4o",
            {"samples": 4, "temperature": 1},
            "It asks 4 times: samples that tie leave the cell to people. An odd number ties less.",
        ),
        ("openai:gpt-5", {"reasoning_effort": "high", "samples": 3, "temperature": 1}, None),
        # is not sent, and that is said in the plan
        (
            "anthropic:claude-sonnet-4-5",
            {"reasoning_effort": "hihg"},
            None,
        ),
    ],
)
def test_what_is_hardly_meant_is_said_when_it_is_written_and_before_it_is_paid(
    tmp_path: Path, judge: str, fields: dict[str, object], told: str | None
) -> None:
    scope = scope_at(tmp_path, "mira")
    answers = [{"question_id": "q", "model": "Cedar", "text": "So."}]
    bring(scope, tmp_path, rubric=RUBRIC, questions=[{"id": "q", "text": "Why?"}], answers=answers)
    said = [] if told is None else [told]
    assert judges.set_up(scope, "study", "mine", judge, fields).notes == said
    (found,) = runs.plan(scope, "study", {"judges": ["mine"]}).judges
    assert found.notes[: len(said)] == said
    key = "ANTHROPIC_API_KEY" if judge.startswith("anthropic") else "OPENAI_API_KEY"
    lacking = f"No key: the variable {key} is not set, and none was typed. {say('runs.type_key')}"
    assert found.lacking == lacking
    assert run_plan.check(scope, "study", {"judges": ["mine"]}) == [
        run_plan.Noted("mine", [*said, lacking])
    ]
    typed = run_plan.check(scope, "study", {"judges": ["mine"], "needs_key": True})
    assert typed == ([run_plan.Noted("mine", said)] if said else [])


CUTS = """
rubric: cuts
criteria:
  accuracy: {question: Is it right?, scale: [wrong, right], graders: [judge], CUT}
  completeness: {question: Is all there?, scale: [lacking, all], graders: [judge], cut_reference: true}
  tone: {question: Is it kind?, scale: [harsh, kind], graders: [judge], reference: given, cut_reference: true}
"""


@pytest.mark.parametrize(
    ("cut", "per", "held"),
    [
        ("cut_reference: false", "answer", True),
        ("cut_reference: true", "answer", False),
        ("cut_reference: false", "criterion", False),
    ],
)
def test_a_plan_names_the_criterion_that_keeps_a_reference_whole(
    tmp_path: Path, cut: str, per: str, held: bool
) -> None:
    scope = scope_at(tmp_path, "mira")
    # about 5,000 tokens
    question = {
        "id": "q",
        "text": "Tell it.",
        "task_type": "factual",
        "references": ["word " * 4_000],
    }
    answers = [
        {"question_id": "q", "model": model, "text": f"{model} says so."}
        for model in ("Cedar", "Rowan")
    ]
    bring(
        scope,
        tmp_path,
        rubric=CUTS.replace("CUT}", cut + "}"),
        questions=[question],
        answers=answers,
    )
    judges.set_up(scope, "study", "near", "openai:gpt-4o", {"window": 4_000, "per": per})
    (found,) = runs.plan(scope, "study", {"judges": ["near"]}).judges
    sentence = (
        "In 2 long calls no reference is cut: accuracy compares with it too and does not say `cut_reference: true`. Say it there, or ask "
        "about each criterion in a call of its own (--per criterion)."
    )
    assert (sentence in found.notes) is held
    assert any("only the beginning of a reference" in note for note in found.notes) is not held
