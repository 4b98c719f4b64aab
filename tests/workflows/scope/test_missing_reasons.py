"""Reasons for a missing value, in words: the table holds all that Cograde itself says."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graders.core.records import CAUSES, Answer, Question, Subject
from graders.core.words import catalogue
from graders.workflows.scope.missing_reasons import (
    cause_counts,
    cause_words,
    reason_words,
)

GRADERS = Path(__file__).parents[3] / "graders"


def said_in(folder: str, function: str) -> set[str]:
    """Reasons that the files of a folder give to a function as text."""
    found = set()
    for path in (GRADERS / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = getattr(node, "func", None)
            if (
                isinstance(node, ast.Call)
                and (getattr(name, "attr", "") or getattr(name, "id", "")) == function
            ):
                found |= {
                    a.value
                    for a in node.args
                    if isinstance(a, ast.Constant)
                    and isinstance(a.value, str)
                    and a.value.islower()
                }
    return found


def without_words(kind: str, codes: set[str]) -> list[str]:
    """The codes that the catalogue does not know."""
    return sorted(c for c in codes if catalogue().text(f"scope.{kind}.{c}") is None)


def test_every_reason_of_our_own_graders_has_its_words() -> None:
    own = (
        said_in("rules", "unscored")
        | said_in("judges", "unscored")
        | said_in("workflows", "unscored")
    )
    assert {"not_decisive", "too_few_labels", "not_asked"} <= own
    assert without_words("verdict", {*own, *CAUSES}) == []
    assert without_words("metric", said_in("metrics", "unscored") - {"language"}) == []


def test_every_cause_of_a_call_has_its_few_words() -> None:
    assert without_words("call", set(CAUSES)) == []
    told = cause_counts({"rate_limited": 3, "in flight when the run ended": 1, "moon_phase": 1_200})
    assert told == "rate-limited (429) 3, in flight when the run ended 1, moon phase 1,200"
    assert cause_words("") == cause_counts({}) == ""


def subject(language: str) -> Subject:
    return Subject(
        Question(id="q", text="?", language=language), Answer(question_id="q", model="m", text="a")
    )


@pytest.mark.parametrize(
    ("reason", "rationale", "metric", "language", "words"),
    [
        ("", "", "", "", ""),
        (
            "language",
            "",
            "bertscore_f1",
            "zh-CN",
            "No BERTScore model reads Chinese; name one in the setting bertscore_multilingual.",
        ),
        (
            "language",
            "",
            "embedding_cosine",
            "ru",
            "No model for vectors reads Russian; name one in the setting multilingual.",
        ),
        (
            "language",
            "",
            "code_ast",
            "en",
            "The code is not in a language that this metric reads; it reads Python.",
        ),
        ("empty", "", "token_f1", "", "The answer has no text."),
        ("empty", "", "", "", "The judge's reply was empty; grade again."),
        (
            "syntax_error: line 2: bad",
            "",
            "code_syntax",
            "",
            "The answer's code is not valid Python: line 2: bad",
        ),
        ("moon_phase", "The moon is full.", "", "", "The moon is full."),  # of a plug-in
        ("moon_phase", "", "", "", "moon phase"),
    ],
)
def test_reasons_in_words(
    reason: str, rationale: str, metric: str, language: str, words: str
) -> None:
    assert reason_words(reason, rationale, metric=metric, subject=subject(language)) == words
