"""The answers behind a cell of the grid, and that who is shown their values has seen them."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import NotFound
from graders.store import projects
from graders.store.answers import content
from graders.store.desk import assignments, queue
from graders.workflows.results import cell_answers
from graders.workflows.routing import route
from graders.workflows.scope.seen import mark_seen
from tests.workflows.results.test_grid import study


def test_a_cell_of_the_grid_opens_its_answers(tmp_path: Path) -> None:
    found = cell_answers.answers(study(tmp_path), "study", "Ash", "small/completeness")
    assert found.summary == "3 values, 1 pending"
    assert [(row.question_id, row.value, row.word, row.source) for row in found.rows] == [
        ("q1", 5, "everything", "people"),
        ("q2", 4, "4", "people"),
        ("q3", 3, "3", "people"),
        ("q4", None, "", "pending"),
    ]
    assert [(v.value, v.count) for v in found.values] == [(3, 1), (4, 1), (5, 1)]
    waiting = cell_answers.answers(
        study(tmp_path), "study", "Ash", "small/completeness", {"state": "pending"}
    )
    assert [row.question_id for row in waiting.rows] == ["q4"]


def test_an_unknown_criterion_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        NotFound, match="expected one of small/relevance, small/completeness, small/tone"
    ):
        cell_answers.answers(study(tmp_path), "study", "Ash", "small/wit")


def test_who_looks_has_seen_and_gets_no_blind_screen_with_these_answers(tmp_path: Path) -> None:
    scope = study(tmp_path, person="jonas")
    projects.set_settings(scope.ws, scope.project("study"), {"sampling": {"calibration": 1.0}})
    route.route(scope, "study")
    everything = queue.open_screens(scope.ws.db, scope.project("study"))
    looked = (
        "SELECT s.id FROM subject s JOIN answer a ON a.id = s.answer_id "
        "JOIN question q ON q.id = a.question_id WHERE q.key IN ('q1', 'q2', 'q3')"
    )
    mark_seen(scope, [row[0] for row in scope.ws.db.execute(looked)])

    def draw(screen: int, design: str, seen: bool) -> tuple[str, float, int]:
        return "blind", 1.0, 0

    leased = queue.lease(scope.ws, scope.project("study"), assignments.Wanted("jonas", 20), draw)
    taken = assignments.find_all(scope.ws.db, leased, "jonas")
    questions = {
        s.subject.question.id for a in taken for s in content.subjects(scope.ws.db, a.subjects)
    }
    assert (everything, questions) == (4, {"q4"})  # a screen per question; three were looked at
    fresh = queue.lease(
        scope.ws,
        scope.project("study"),
        assignments.Wanted(projects.add_person(scope.ws, "New").id, 20),
        draw,
    )
    assert len(fresh) == 4  # the first drawn screens are for two people: q4, which Jonas has, too


def test_a_page_of_values_counts_as_seen_too(tmp_path: Path) -> None:
    scope = study(tmp_path, person="jonas")
    cell_answers.answers(scope, "study", "Ash", "small/completeness")
    seen = {
        row[0]
        for row in scope.ws.db.execute("SELECT subject_id FROM seen WHERE person_id = 'jonas'")
    }
    assert len(seen) == 3  # the pending answer showed nothing
