"""Confidence from probabilities of tokens and from repeated samples, each marked as what it is."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from graders.core.errors import InputError
from graders.core.records import Mark, Reply, Verdict
from graders.core.rubric import read_rubric
from graders.core.scale import Scale
from graders.judges.asking.confidence import sampled, value_probability
from graders.judges.llm import LLMJudge
from tests.support.caller import RUBRIC, subjects

SCALE = RUBRIC.criterion("clarity").scale
TEXT = json.dumps(
    {
        "relevance": {
            "evidence": 'He says "value": "irrelevant" here',
            "rationale": "x",
            "value": "relevant",
            "confidence": 0.5,
        },
        "clarity": {"evidence": "absent", "rationale": "", "value": 4, "confidence": 0.5},
    }
)


def spelled(text: str, **surprising: float) -> list[tuple[str, float]]:
    """One token per character, certain but for those of `surprising` words, each of which has that
    probability in all."""
    logs = [0.0] * len(text)
    for word, probability in surprising.items():
        logs[text.rindex(word.strip("_"))] = math.log(probability)
    return list(zip(text, logs, strict=True))


def test_the_probability_of_a_value_is_that_of_its_tokens() -> None:
    tokens = spelled(TEXT, relevant=0.8, _4=0.6)
    assert value_probability(TEXT, ["relevance"], tokens) == pytest.approx(0.8)
    assert value_probability(TEXT, ["clarity"], tokens) == pytest.approx(0.6)
    assert value_probability(TEXT, ["brevity"], tokens) is None
    assert value_probability(TEXT, ["relevance"], None) is None
    assert value_probability(TEXT, ["relevance"], tokens[1:]) is None, "they spell another text"


def test_a_part_is_found_under_its_criterion() -> None:
    text = '{"a":{"first":{"value":"no"},"second":{"value":"yes"}},"b":{"second":{"value":"no"}}}'
    tokens = spelled(text, yes=0.7)
    assert value_probability(text, ["a", "second"], tokens) == pytest.approx(0.7)
    assert value_probability(text, ["b", "second"], tokens) == 1.0


@pytest.mark.parametrize(
    ("confidence", "kind", "number"), [("logprobs", "logprobs", 0.8), ("stated", "stated", 0.5)]
)
def test_a_judge_takes_it_from_tokens_where_it_is_told_to(
    confidence: str, kind: str, number: float
) -> None:
    judge = LLMJudge(model="stub", secret="s", confidence=confidence)
    (subject,) = subjects(1)
    (request,) = judge.requests([subject], RUBRIC, RUBRIC.criteria)
    assert ("logprobs" in request.settings) == (confidence == "logprobs")
    reply = Reply(text=TEXT, logprobs=tuple(spelled(TEXT, relevant=0.8, _4=0.6)))
    first = judge.read(request, reply, {subject.key: subject}, RUBRIC)[0]
    assert isinstance(first, Verdict) and first.mark.confidence_kind == kind
    assert first.mark.confidence == pytest.approx(number)
    without = judge.read(request, replace(reply, logprobs=None), {subject.key: subject}, RUBRIC)[0]
    assert isinstance(without, Verdict) and without.mark.confidence_kind == "stated"


def test_samples_become_their_middle_with_the_share_alike_and_the_spread() -> None:
    """4 4 5 and one that failed: 4, by two of four; (4, 4, 5) spread by sqrt(2/9) = .471."""
    marks = [
        Mark(value=4, rationale="a"),
        Mark(value=5, rationale="b"),
        Mark(value=4, rationale="c"),
        None,
    ]
    mark, facts = sampled(marks, SCALE)
    assert (mark.value, mark.confidence, mark.confidence_kind, mark.rationale) == (
        4,
        0.5,
        "samples",
        "a",
    )
    assert facts == {"samples": [4, 5, 4, None], "spread": pytest.approx(0.471405)}
    assert sampled([Mark(value=4), Mark(value=5)], SCALE)[0].reason == "samples_tie"
    assert sampled([Mark(value=4), Mark(value=5), None], SCALE)[0].reason == "tie", (
        "the one that is missing may break it"
    )
    assert sampled([None, None], SCALE)[0].reason == "no_verdict"


def test_samples_on_labels_without_order_spread_by_the_share_of_the_others() -> None:
    scale: Scale = (
        read_rubric(
            "rubric: r\ncriteria:\n  c: {question: Which?, scale: {labels: [a, b], ordered: false}}"
        )
        .criterion("c")
        .scale
    )
    mark, facts = sampled([Mark(value="a"), Mark(value="b"), Mark(value="a")], scale)
    assert (mark.value, facts["spread"]) == ("a", pytest.approx(1 / 3))


def test_samples_need_a_temperature() -> None:
    with pytest.raises(
        InputError, match="5 at temperature 0, where all are alike, expected a temperature above 0"
    ):
        LLMJudge(model="m", samples=5)
    assert LLMJudge(model="m").recipe_hash(RUBRIC) != LLMJudge(
        model="m", samples=5, temperature=1.0
    ).recipe_hash(RUBRIC)
