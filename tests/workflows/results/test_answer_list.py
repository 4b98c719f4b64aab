"""The table of answers finds just those that have what is asked for, says why, and tells nobody of
answers that they may still grade blind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError, NotFound
from graders.store import projects
from graders.store.figures.answer_list import Having
from graders.workflows.results.answer_list import AnswerList, all_rows, answer_list
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.routed import routed
from tests.support.studies import bring, given, scope_at

MODELS = ("Ash", "Oak")
N = 30


def study(folder: Path) -> Scope:
    """Two judges who differ on every third answer of Ash, a person who differs from both on every
    fifth of Oak, a judge without a verdict on q1 of Oak, who is unsure of q2."""
    scope = scope_at(folder)
    judge = [
        row
        for name in ("north", "south")
        for i in range(N)
        for model in MODELS
        for row in [judged(name, i, model)]
    ]
    human = [
        given(f"q{i}", "Oak", "relevance", "Mira", "relevant" if i % 5 else "irrelevant")
        for i in range(N)
    ]
    bring(
        scope,
        folder,
        questions=[
            {"id": f"q{i}", "text": f"Question {i}?", "category": ["even", "odd"][i % 2]}
            for i in range(N)
        ],
        answers=[
            {"question_id": f"q{i}", "model": model, "text": f"=Reply {i} of {model}."}
            for i in range(N)
            for model in MODELS
        ],
        judge=judge,
        human=human,
    )
    return scope


def judged(name: str, i: int, model: str) -> dict[str, Any]:
    row = {
        "question_id": f"q{i}",
        "model": model,
        "judge": name,
        "criterion": "small/relevance",
        "value": "irrelevant" if name == "south" and model == "Ash" and i % 3 == 0 else "relevant",
        "confidence": 0.3 if i == 2 else 0.9,
    }
    if (name, i, model) == ("south", 1, "Oak"):
        return {**row, "value": None, "status": "failed", "reason": "bad_reply"}
    return row


def found(page: AnswerList) -> set[tuple[str, str]]:
    return {(row.answer.question_id, row.answer.model) for row in page.rows}


def said(page: AnswerList, question: str, model: str) -> list[str]:
    return [
        f"{one.criterion}: {one.words}"
        for row in page.rows
        for one in row.said
        if (row.answer.question_id, row.answer.model) == (question, model)
    ]


def test_each_list_holds_just_what_it_says(tmp_path: Path) -> None:
    scope = study(tmp_path)
    everything = answer_list(scope, "study")
    assert (everything.total, len(everything.rows), everything.pages) == (2 * N, 50, 2)
    differ = answer_list(scope, "study", Having.JUDGES_DIFFER)
    assert found(differ) == {(f"q{i}", "Ash") for i in range(0, N, 3)}
    assert said(differ, "q3", "Ash") == ["Relevance: north: relevant; south: irrelevant"]
    person = answer_list(scope, "study", Having.PERSON_DIFFERS)
    assert found(person) == {(f"q{i}", "Oak") for i in range(0, N, 5)}
    assert said(person, "q5", "Oak") == ["Relevance: north, south: relevant; Mira: irrelevant"]
    unsure = answer_list(scope, "study", Having.UNSURE)
    # one judge alone is sure of less than two that agree
    assert found(unsure) == {("q2", "Ash"), ("q2", "Oak"), ("q1", "Oak")}
    assert said(unsure, "q2", "Ash") == ["Relevance: relevant, 30 % sure"]
    unscored = answer_list(scope, "study", Having.UNSCORED)
    assert found(unscored) == {("q1", "Oak")}
    (words,) = said(unscored, "q1", "Oak")
    assert words.startswith("Relevance: south: ") and len(words) > 20
    assert answer_list(scope, "study", Having.PENDING).total == 2 * N


def test_filters_narrow_it_down_and_orders_sort_it(tmp_path: Path) -> None:
    scope = study(tmp_path)
    narrowed = answer_list(scope, "study", Having.PERSON_DIFFERS, {"category": "odd"})
    assert found(narrowed) == {(f"q{i}", "Oak") for i in (5, 15, 25)}
    assert answer_list(scope, "study", "any", {"annotator": "Mira"}).total == N
    assert answer_list(scope, "study", "any", {"model": "Ash"}).total == N
    assert answer_list(scope, "study", "judges_differ", {"criterion": "small/tone"}).total == 0
    first = answer_list(scope, "study", "any", {}, "confidence").rows[0].answer
    assert first.question_id == "q2"
    by_model = [row.answer.model for row in answer_list(scope, "study", "any", {}, "model").rows]
    assert by_model == sorted(by_model) and set(by_model) == set(MODELS)
    for wrong in ({"having": "odd"}, {"order": "random"}):
        with pytest.raises(InputError, match="Choose one of these"):
            answer_list(scope, "study", **wrong)
    with pytest.raises(NotFound, match="an annotator of this project"):
        answer_list(scope, "study", filters={"annotator": "nobody"})


def test_all_of_it_is_saved(tmp_path: Path) -> None:
    names, *rows = all_rows(study(tmp_path), "study", "judges_differ", {}, "")
    assert names[:3] == ["question_id", "model", "version"] and len(rows) == N // 3
    assert rows[0][-2:] == ["=Reply 0 of Ash.", "Relevance: north: relevant; south: irrelevant"]


def test_who_may_still_grade_an_answer_blind_is_told_nothing_of_it(tmp_path: Path) -> None:
    scope = routed(tmp_path, 40)
    whole = answer_list(scope, "study", Having.PENDING)
    mine = Scope(Actor("mira"), scope.ws)
    projects.add_person(scope.ws, "Mira", person_id="mira")
    before = answer_list(mine, "study")
    hidden = {row.answer.question_id for row in before.rows if row.hidden}
    assert hidden and all(not row.said for row in before.rows if row.hidden)
    drawn = answer_list(mine, "study", Having.PENDING)
    assert found(drawn) == {one for one in found(whole) if one[0] not in hidden} != found(whole)
    # that an answer waits is no mark; whose values were shown is remembered as seen
    count = "SELECT count(*) FROM seen WHERE person_id = 'mira'"
    told = {row.answer.question_id for row in before.rows if not row.hidden}
    decided = told - {row.answer.question_id for row in drawn.rows}
    assert scope.ws.db.execute(count).fetchone()[0] >= len(decided) > 0
    seen = scope.ws.db.execute(count).fetchone()[0]
    answer_list(mine, "study", Having.PENDING)
    assert scope.ws.db.execute(count).fetchone()[0] == seen
    answer_list(mine, "study", Having.UNSURE)
    assert scope.ws.db.execute(count).fetchone()[0] > seen
