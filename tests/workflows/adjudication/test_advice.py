"""Dawid-Skene as advice: offered where many people graded much, and a person who errs one way
weighs less than the others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from graders.core.errors import NotFound
from graders.workflows.adjudication.adjudicate import CellQuery, cell_card
from graders.workflows.adjudication.advice import advice
from tests.commands.runner import Line
from tests.support.studies import bring, given, scope_at

N = 60


def test_people_are_weighed_where_there_are_enough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = scope_at(tmp_path, "vera")
    chance = np.random.default_rng(1)
    truth = chance.integers(1, 6, N)
    human = []
    for place, person in enumerate(("ann", "bob", "cy", "dan", "eve")):
        for i in range(N):
            # Ann and Bob know; the others guess, and on q0 all three guess alike
            value = int(truth[i]) if place < 2 else int(chance.integers(1, 6))
            if i == 0:
                value = 5 if place < 2 else 2
            human.append(given(f"q{i}", "Ash", "completeness", person, value, arm="blind"))
            human.append(given(f"q{i}", "Ash", "relevance", person, "relevant", arm="blind"))
    questions = [{"id": f"q{i}", "text": f"Question {i}?"} for i in range(N)]
    answers = [{"question_id": f"q{i}", "model": "Ash", "text": f"Reply {i}."} for i in range(N)]
    bring(scope, tmp_path, questions=questions, answers=answers, human=human)
    sql = "SELECT c.id FROM cell c JOIN criterion k ON k.id = c.criterion_id JOIN question q ON q.id = c.question_id WHERE q.key = ? AND k.key = ?"

    def cell(question: str, criterion: str) -> int:
        return int(scope.ws.db.execute(sql, (question, f"small/{criterion}")).fetchone()[0])

    one = cell("q0", "completeness")
    assert cell_card(scope, "study", CellQuery(one)).advice
    found = advice(scope, "study", one)
    # the median is 2
    assert (found.offered, found.value, found.word, found.people) == (
        True,
        5,
        "everything",
        5,
    )
    assert found.chance > 0.9
    assert Line(scope.ws.path, capsys)("adjudicate", "advice", str(one)).out.startswith(
        "5 everything, "
    )
    two_values = cell("q0", "relevance")
    assert not cell_card(scope, "study", CellQuery(two_values)).advice
    assert (
        advice(scope, "study", two_values).words
        == "Advice needs 5 annotators with 50 cells each and more than two values."
    )
    with pytest.raises(NotFound):
        advice(scope, "study", 10_000)
