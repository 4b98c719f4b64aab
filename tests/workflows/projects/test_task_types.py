"""Task types: those that a file states stay, those of categories can be chosen, corrected, and
reach questions that come later."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import CogradeError
from graders.core.shapes import as_dict
from graders.store import projects
from graders.store.answers import content
from graders.store.workspace import Workspace
from graders.workflows.projects import task_types
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.imported import everything


def asked(*rows: tuple[str, str, str]) -> list[dict[str, str]]:
    """Questions by id, category and stated task type."""
    return [
        {"id": key, "text": f"{key}?", "category": category, "task_type": task}
        for key, category, task in rows
    ]


def types(ws: Workspace) -> dict[str, str]:
    found = content.questions(ws.db, projects.get_project(ws, "study")).values()
    return {question.id: question.task_type for question in found}


def test_a_category_gets_a_task_type_and_its_cells_their_route(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    said = [small.judge(f"q{i}", "Ash", "completeness", "north", 4, confidence=0.9) for i in (1, 2)]
    asked = [
        {"id": f"q{i}", "text": f"Q{i}?", "category": c} for i, c in ((1, "sums"), (2, "verse"))
    ]
    small.bring(
        scope,
        small.folder(tmp_path, "f", questions=asked, answers=small.answers(2, ["Ash"]), judge=said),
    )
    route(scope, "study")
    sql = (
        "SELECT q.task_type, c.route, c.route_reason, c.final FROM cell c JOIN question q ON q.id = c.question_id JOIN criterion k ON k.id = c.criterion_id "
        "WHERE k.key = 'small/completeness' ORDER BY q.id"
    )
    assert [row[0] for row in ws.db.execute(sql)] == ["unknown", "unknown"]
    assert task_types.map_categories(scope, "study", {"sums": "factual", "verse": "creative"}) == 2
    assert [tuple(row) for row in ws.db.execute(sql)] == [
        ("factual", "automatic", "judge north", "4"),
        ("creative", "people", "task type creative", None),
    ]
    assert task_types.map_categories(scope, "study", {"sums": "factual"}) == 0
    assert small.tallied(ws) == small.recount(ws)
    with pytest.raises(CogradeError, match="expected one of factual, creative, unknown"):
        task_types.map_categories(scope, "study", {"sums": "funny"})


def test_what_the_files_column_states_stays_and_a_wrong_choice_is_corrected(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    rows = asked(
        ("q1", "sums", "creative"),
        ("q2", "sums", ""),
        ("q3", "sums", ""),
        ("q4", "verse", "creative"),
    )
    small.bring(
        scope, small.folder(tmp_path, "f", questions=rows, answers=small.answers(4, ["Ash"]))
    )
    assert task_types.map_categories(scope, "study", {"sums": "creative", "verse": "factual"}) == 2
    assert types(ws) == {"q1": "creative", "q2": "creative", "q3": "creative", "q4": "creative"}
    # also the types that are equal now are told apart
    assert task_types.map_categories(scope, "study", {"sums": "factual"}) == 2
    assert types(ws) == {"q1": "creative", "q2": "factual", "q3": "factual", "q4": "creative"}
    assert [as_dict(row) for row in task_types.categories(scope, "study")] == [
        {
            "category": "sums",
            "questions": 3,
            "stated": 1,
            "stated_types": {"creative": 1},
            "chosen": "factual",
        },
        {
            "category": "verse",
            "questions": 1,
            "stated": 1,
            "stated_types": {"creative": 1},
            "chosen": "unknown",
        },
    ]
    assert task_types.map_categories(scope, "study", {"sums": "unknown"}) == 2
    assert types(ws) == {"q1": "creative", "q2": "unknown", "q3": "unknown", "q4": "creative"}
    assert small.tallied(ws) == small.recount(ws)


def test_questions_that_come_later_take_the_type_of_their_category(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    small.bring(
        scope, small.folder(tmp_path, "a", questions=asked(("q1", "sums", ""), ("q2", "verse", "")))
    )
    task_types.map_categories(scope, "study", {"sums": "factual", "verse": "creative"})
    more = asked(
        ("q2", "sums", ""), ("q3", "sums", ""), ("q4", "sums", "creative"), ("q5", "riddles", "")
    )
    small.bring(scope, small.folder(tmp_path, "b", questions=more))  # q2 moves to another category
    assert types(ws) == {
        "q1": "factual",
        "q2": "factual",
        "q3": "factual",
        "q4": "creative",
        "q5": "unknown",
    }
    # now a file states it
    small.bring(scope, small.folder(tmp_path, "c", questions=asked(("q3", "sums", "factual"))))
    task_types.map_categories(scope, "study", {"sums": "creative"})
    assert types(ws) == {
        "q1": "creative",
        "q2": "creative",
        "q3": "factual",
        "q4": "creative",
        "q5": "unknown",
    }
    before = everything(scope)
    small.bring(scope, small.folder(tmp_path, "d", questions=more))
    assert everything(scope) == before
    assert small.tallied(ws) == small.recount(ws)
