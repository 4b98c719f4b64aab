"""Three questions for a newcomer: one where all agree, one where judges differ, one with a
suggestion that most people did not give; then the newcomer beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graders.workflows.home.first_questions import compared, first_questions, languages
from graders.workflows.scope.permissions import Scope
from tests.support.studies import bring, given, scope_at

WORDS = ("irrelevant", "relevant")
#: Question -> values of two judges and two people, all 0 or 1.
SAID = {
    "agree": (1, 1, 1, 1),
    "differ": (0, 1, 1, 1),
    "misled": (0, 0, 1, 1),
    "further": (1, 1, 1, 1),
}


@pytest.fixture
def study(tmp_path: Path) -> Scope:
    scope = scope_at(tmp_path)
    bring(
        scope,
        tmp_path,
        questions=[
            {"id": name, "text": f"Question {name}?", "language": language}
            for name, language in (*((n, "en") for n in SAID), ("allein", "de"))
        ],
        answers=[
            {"question_id": name, "model": "Ash", "text": f"Reply to {name}."}
            for name in (*SAID, "allein")
        ],
        judge=[judged(name, who, said[at]) for name, said in rows() for at, who in enumerate("ab")],
        human=[
            given(name, "Ash", "relevance", who, WORDS[said[at]])
            for name, said in rows()
            for at, who in ((2, "Mira"), (3, "Jon"))
        ],
    )
    return scope


def rows() -> list[tuple[str, tuple[int, ...]]]:
    return [*SAID.items(), ("allein", (1, 1, 1, 1))]


def judged(question: str, name: str, value: int) -> dict[str, Any]:
    return {
        "question_id": question,
        "model": "Ash",
        "judge": name,
        "criterion": "small/relevance",
        "value": WORDS[value],
        "confidence": 0.9,
        "rationale": f"{name} says so of {question}.",
    }


def test_each_question_makes_a_point(study: Scope) -> None:
    assert languages(study, "study") == ["en"]  # one German question is too few
    for language in ("en", "de", ""):
        asked = first_questions(study, "study", language)
        assert [one.question_id for one in asked] == ["agree", "differ", "misled"]
    assert [one.suggested for one in asked] == ["", "", "irrelevant"]
    assert [option.word for option in asked[0].options] == list(WORDS)
    assert asked[0].answer == "Reply to agree."


def test_the_newcomer_stands_beside_judges_and_people(study: Scope) -> None:
    asked = first_questions(study, "study", "en")
    found = compared(study, "study", asked, [1, 0, 1])
    assert [(one.name, one.same, one.of) for one in found.scores] == [
        ("a", 2, 3),
        ("b", 1, 3),
        ("most annotators", 2, 3),
    ]
    second = found.rows[1]
    assert second.word == "irrelevant"
    assert [(v.name, v.word, v.same) for v in second.judges] == [
        ("a", "irrelevant", True),
        ("b", "relevant", False),
    ]
    assert second.judges[1].why == "b says so of differ."
    assert {v.name for v in second.people} == {"Mira", "Jon"}
    # no screens were randomised here, so nothing is claimed about suggestions
    assert found.effect == ""
    # an answer that no key gives is passed over
    assert len(compared(study, "study", asked, [1, 7]).rows) == 1


def test_a_project_without_such_answers_has_no_questions(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    bring(
        scope,
        tmp_path,
        questions=[{"id": "q", "text": "Why?"}],
        answers=[{"question_id": "q", "model": "Ash", "text": "So."}],
    )
    assert languages(scope, "study") == [] and first_questions(scope, "study", "en") == []
