"""After a judge graded everything Results shows its means, marked, until a person has spoken."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.workflows.measuring.measure import measure
from graders.workflows.results.grid import grid
from graders.workflows.routing.route import route
from tests.support.ranked import WORDS, study, values
from tests.support.studies import RUBRIC, bring, given, scope_at


def test_the_judges_means_stand_where_no_person_has_spoken(tmp_path: Path) -> None:
    right, judged = values(30)
    scope = study(tmp_path, right, judged, 0)
    found = grid(scope, "study")
    assert found.title == (
        "No person has rated yet: values are the judges' and rules', unconfirmed; 270 cells are still pending."
    )
    cells = {row.model: row.cells["small/relevance"] for row in found.models}
    for place, model in enumerate(("Ash", "Beech", "Cedar")):
        cell = cells[model]
        assert cell.value == pytest.approx(100 * judged[:, place].mean())
        assert (cell.n, cell.unconfirmed, cell.pending, cell.note) == (30, 30, 30, "unconfirmed")
        assert "30 by judges or rules, unconfirmed" in cell.sentence
        assert "final" not in cell.sentence
    assert cells["Ash"].low is not None
    # nobody suggested anything there
    assert {row.cells["small/completeness"].value for row in found.models} == {None}


def test_one_persons_word_ends_it_on_its_criterion(tmp_path: Path) -> None:
    right, judged = values(30)
    scope = study(tmp_path, right, judged, 1)
    found = grid(scope, "study")
    cells = [row.cells["small/relevance"] for row in found.models]
    assert [(cell.n, cell.unconfirmed) for cell in cells] == [(1, 0)] * 3
    assert found.title.startswith("Nothing") is False


def test_an_answer_with_a_list_counts_once(tmp_path: Path) -> None:
    rubric = RUBRIC.replace(
        "completeness: {question: Is all there?,",
        "completeness: {question: Is all there?, parts: {a: first, b: second},",
    )
    scope = scope_at(tmp_path)
    machine = [
        {**row, "judge": "north", "part": part}
        for question, part, value in (("q1", "a", 5), ("q1", "b", 1), ("q2", "a", 5))
        for row in [
            {
                "question_id": question,
                "model": "Ash",
                "criterion": "small/completeness",
                "value": value,
            }
        ]
    ]
    bring(
        scope,
        tmp_path,
        rubric=rubric,
        questions=[{"id": f"q{i}", "text": "?"} for i in (1, 2)],
        answers=[{"question_id": f"q{i}", "model": "Ash", "text": "a"} for i in (1, 2)],
        judge=machine,
    )
    (row,) = grid(scope, "study").models
    cell = row.cells["small/completeness"]
    assert (cell.unconfirmed, cell.value) == (2, pytest.approx((3 + 5) / 2))
    assert grid(scope, "study", {"category": "none"}).models == []


def test_filters_choose_what_is_summed(tmp_path: Path) -> None:
    right, judged = values(30)
    scope = study(tmp_path, right, judged, 0)
    human = [given("q1", "Ash", "relevance", "mira", WORDS[1])]
    even = grid(scope, "study", {"category": "even"})
    cell = next(row for row in even.models if row.model == "Ash").cells["small/relevance"]
    assert cell.value == pytest.approx(100 * judged[::2, 0].mean())
    bring(scope, tmp_path, questions=[], human=human)
    after = grid(scope, "study")  # what was kept is made anew
    assert next(row for row in after.models if row.model == "Ash").cells["small/relevance"].n == 1


def test_labels_without_an_order_stand_too(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    bring(
        scope,
        tmp_path,
        questions=[{"id": f"q{i}", "text": "?"} for i in range(3)],
        answers=[{"question_id": f"q{i}", "model": "Ash", "text": "a"} for i in range(3)],
        judge=[
            {
                "question_id": f"q{i}",
                "model": "Ash",
                "criterion": "small/tone",
                "judge": "north",
                "value": tone,
            }
            for i, tone in enumerate(("warm", "dry", "warm"))
        ],
    )
    found = grid(scope, "study")
    cell = found.models[0].cells["small/tone"]
    assert (cell.shown, cell.unconfirmed, cell.n) == ("warm 67 %", 3, 3)
    assert "marked unconfirmed" in found.subtitle


def test_values_that_routing_made_final_are_marked_until_a_person_has_spoken(
    tmp_path: Path,
) -> None:
    rubric = (
        RUBRIC.replace("[irrelevant, relevant], review: people", "[irrelevant, relevant]")
        + "  short: {question: Is it short?, scale: [no, yes], review: automatic, "
        "graders: [{length: {short: 40}}]}\n"
    )
    scope = scope_at(tmp_path)
    names = [f"q{i}" for i in range(4)]
    machine = [
        {"question_id": name, "model": "Ash", "criterion": "small/relevance", "judge": "north"}
        | {"value": WORDS[1]}
        for name in names
    ]
    questions = [{"id": name, "text": "?", "task_type": "factual"} for name in names]
    answers = [{"question_id": name, "model": "Ash", "text": "a"} for name in names]
    bring(scope, tmp_path, rubric, questions=questions, answers=answers, judge=machine)
    measure(scope.ws, scope.project("study"), None)
    route(scope, "study")
    found = grid(scope, "study")
    cells = found.models[0].cells
    judged, length = cells["small/relevance"], cells["small/short"]
    assert (judged.automatic, judged.pending) == (4, 0), "the task type decides"
    assert (judged.n, judged.unconfirmed, judged.note) == (4, 4, "unconfirmed")
    assert "Values: 4 by judges or rules, unconfirmed." in judged.sentence
    assert (length.automatic, length.unconfirmed) == (4, 0), "a measurement needs no person"
    assert found.title.startswith("No person has rated yet: ")
    assert "marked unconfirmed" in found.subtitle
    human = [given("q1", "Ash", "relevance", "mira", WORDS[1])]
    bring(scope, tmp_path, rubric, questions=[], human=human)
    after = grid(scope, "study")
    assert after.models[0].cells["small/relevance"].unconfirmed == 0
    assert not after.title.startswith("No person has rated yet")
