"""Answers with a list of parts count once, however long the list is."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.workflows.leaderboard import ranking as use
from graders.workflows.leaderboard.ground import Wish
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.results import grid as results_grid
from graders.workflows.scope.permissions import Scope
from tests.support.studies import bring, given, scope_at

LISTED = """
rubric: small
criteria:
  facts: {question: Is the fact there?, scale: ["no", "yes"], parts: facts, graders: [judge], review: people}
"""


def listed(
    folder: Path,
    said: dict[str, list[list[int]]],
    judged: dict[str, list[list[int]]],
    without: tuple[str, ...] = (),
) -> Scope:
    """A checklist per question: what people and a judge say of each fact, 0 or 1, by model;
    `without` a person's word on "q fact model"."""
    scope, words = scope_at(folder), ("no", "yes")
    sizes = [len(row) for row in judged["Ash"]]
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "facts": [f"fact {k}" for k in range(size)]}
        for i, size in enumerate(sizes)
    ]
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"{m} says {i}."}
        for i in range(len(sizes))
        for m in judged
    ]
    places = [(i, m, k) for i, size in enumerate(sizes) for m in judged for k in range(size)]
    human = [
        given(f"q{i}", m, "facts", "mira", words[said[m][i][k]], part=f"fact {k}")
        for i, m, k in places
        if i < len(said[m]) and f"q{i} {k} {m}" not in without
    ]
    judge = [
        {
            "question_id": f"q{i}",
            "model": m,
            "criterion": "small/facts",
            "part": f"fact {k}",
            "judge": "north",
            "value": words[judged[m][i][k]],
        }
        for i, m, k in places
    ]
    bring(scope, folder, LISTED, questions=questions, answers=answers, human=human, judge=judge)
    return scope


def test_an_answer_with_twelve_facts_counts_as_much_as_one_with_two(tmp_path: Path) -> None:
    ash, oak = [[1] * 12, [0, 0], [1, 0]], [[0] * 12, [1, 1], [1, 1]]
    scope = listed(tmp_path, {"Ash": ash[:2], "Oak": oak[:2]}, {"Ash": ash, "Oak": oak})
    judged = leaderboard(scope, "study", Wish(view="small/facts", show="judge"))
    # Ash (1 + 0 + 1/2) / 3, Oak (0 + 1 + 1) / 3; over facts it would be 13/16 against 4/16
    assert {row.model: row.figure.value for row in judged.models} == pytest.approx(
        {"Ash": 50.0, "Oak": 200 / 3}
    )
    assert (judged.counts.cells, judged.counts.labels, judged.counts.partly) == (
        32,
        28,
        0,
    )
    people = leaderboard(scope, "study", Wish(view="small/facts", show="people"))
    assert {row.model: row.figure.value for row in people.models} == pytest.approx(
        {"Ash": 50.0, "Oak": 50.0}
    )
    use.forget()
    grid = {row.model: row.cells["small/facts"] for row in results_grid.grid(scope, "study").models}
    assert {model: cell.value for model, cell in grid.items()} == pytest.approx(
        {"Ash": 50.0, "Oak": 50.0}
    ), "as Results has it"


def test_labels_of_an_answer_count_when_all_its_parts_have_one(tmp_path: Path) -> None:
    ash, oak = [[1, 1], [0, 0]], [[0, 1], [1, 1]]
    scope = listed(
        tmp_path, {"Ash": ash, "Oak": oak}, {"Ash": ash, "Oak": oak}, without=("q0 1 Ash",)
    )
    people = leaderboard(scope, "study", Wish(view="small/facts", show="people"))
    assert {row.model: row.figure.value for row in people.models} == pytest.approx(
        {"Ash": 0.0, "Oak": 75.0}
    )
    assert (people.counts.labels, people.counts.partly) == (6, 1)
    assert people.rests_on.endswith("Left out: 1 label on answers of which another part has none.")
