"""Rules that detect point out and never decide: right answers that they flag reach people, and what
a person says of a fault reaches everything that was derived from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from graders.core.settings import Settings
from graders.store import projects
from graders.store.opinions import cells as cell_store
from graders.store.workspace import Workspace
from graders.web.app import make_app
from graders.web.session import Resolver
from graders.workflows.cells import earlier_rulings
from graders.workflows.cells.rule_precision import counted
from graders.workflows.measuring.measure import measure
from graders.workflows.results import answer as results_answer
from graders.workflows.results.answer import answer
from graders.workflows.results.grid import grid
from graders.workflows.routing import route
from tests.store import small
from tests.support.plain import plain

RUBRIC = """
rubric: small
criteria:
  right: {question: Is it right?, scale: [wrong, right], graders: [judge, arithmetic_error], review: automatic}
  fit: {question: Is it what was asked for?, scale: [No, Yes], graders: [judge, not_the_form, requested_count], review: automatic}
"""
BASE_2 = "Add 1011 and 110, written with the digits 0 and 1 alone."
TALK = "Write a dialogue between a cat and a dog."
TABLE = (
    "| Who | Says |\n|---|---|\n| Cat | Who is at the door? |\n| Dog | The postman again. |\n"
    "| Cat | Then I shall sleep on. |"
)
SLASHES = "Cat / Who is at the door? / Dog / The postman again. / Cat / Then I shall sleep on."
THREE = "1. Bake bread\n2. Read a novel\n3. Build a fort"
ANSWERS = {
    "sum": (BASE_2, "1011 + 110 = 10001"),
    "talk": (TALK, SLASHES),
    "table": (TALK, TABLE),
    "digits": ("Give me 5 ideas for a rainy day.", THREE),
    "words": ("Give me five ideas for a rainy day.", THREE),
}


def study(place: Path, judge: str = "best") -> Workspace:
    """The answers under a judge that gives all the `best` value, the `worst`, or none; measured and
    routed."""
    ws = small.workspace(place)
    lead = small.scope_of(ws)
    questions = [
        {"id": key, "text": text, "task_type": "factual"} for key, (text, _) in ANSWERS.items()
    ]
    answers = [
        {"question_id": key, "model": "Ash", "text": text} for key, (_, text) in ANSWERS.items()
    ]
    ends = {"best": ("right", "Yes"), "worst": ("wrong", "No")}.get(judge)
    said = [
        small.judge(key, "Ash", f"small/{name}", "north", value, confidence=0.9)
        for key in ANSWERS
        for name, value in zip(("right", "fit"), ends or (), strict=False)
    ]
    folder = small.folder(place, "files", questions=questions, answers=answers, judge=said)
    small.bring(lead, folder, rubric=RUBRIC)
    small.sample(ws, calibration=0.0, audit=0.0, blind=0.0)
    measure(ws, projects.get_project(ws, "study"), None)
    route.route(lead, "study")
    return ws


def cell(ws: Workspace, question: str, criterion: str) -> tuple[Any, ...]:
    """Suggestion, confidence, route and why, final value and whose."""
    found = next(
        c
        for c in results_answer.answer(small.scope_of(ws), "study", question, "Ash").cells
        if c.criterion == f"small/{criterion}"
    )
    state = cell_store.load_cells(ws.db, [found.cell])[found.cell].state
    return (
        state.suggestion,
        state.confidence,
        state.route,
        state.route_reason,
        state.final,
        state.final_source,
    )


def sure(rule: str) -> object:
    """The precision of a rule in English, to three digits."""
    confidence = counted()[rule]["en"].confidence
    assert 0.5 < confidence < 1
    return pytest.approx(confidence, abs=1e-3)


def test_a_right_answer_in_base_2_and_a_dialogue_in_another_layout_are_not_final(
    tmp_path: Path,
) -> None:
    ws = study(tmp_path)
    apart = ("people", "rule and judge differ", None, "pending")
    assert cell(ws, "sum", "right") == ("wrong", sure("arithmetic_error"), *apart)
    assert cell(ws, "talk", "fit") == ("No", sure("not_the_form"), *apart)
    assert cell(ws, "table", "fit")[4] != "No", "whatever the rule makes of a table"


def test_a_count_asked_for_in_digits_decides_and_one_in_words_does_not(tmp_path: Path) -> None:
    ws = study(tmp_path)
    assert cell(ws, "digits", "fit") == (
        "No",
        1.0,
        "automatic",
        "rule requested_count",
        "No",
        "automatic",
    )
    assert cell(ws, "words", "fit")[2:] == ("people", "rule and judge differ", None, "pending")


def test_without_a_judge_people_decide(tmp_path: Path) -> None:
    ws = study(tmp_path, judge="none")
    assert cell(ws, "sum", "right")[2:] == ("people", "rule without a judge", None, "pending")


def test_a_judge_that_says_the_same_bears_the_rule_out(tmp_path: Path) -> None:
    ws = study(tmp_path, judge="worst")
    assert cell(ws, "sum", "right") == (
        "wrong",
        0.9,
        "automatic",
        "judge north",
        "wrong",
        "automatic",
    )


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[tuple[Workspace, TestClient]]:
    ws = study(tmp_path)
    app = make_app(Resolver(ws), Settings(workspace=ws.path))
    with TestClient(app, base_url="http://localhost") as client:
        client.post("/api/me", json={"name": "Mira"})
        yield ws, client


def say(client: TestClient, screen: dict[str, Any], save_id: str, **fault: str) -> None:
    """Save a screen with nothing but what is said of a fault."""
    (answer,) = screen["answers"]
    body = {
        "project": "study",
        "save_id": save_id,
        "screen": screen["id"],
        "seconds": 3,
        "order": [answer["id"]],
        "verdicts": [],
        "faults": [{"answer": answer["id"], **fault}],
    }
    assert client.post("/api/save", json=body).json()["stored"] is True


def screen_of(client: TestClient, question: str) -> dict[str, Any]:
    where = {"project": "study", "question": question}
    (found,) = client.get("/api/next", params=where).json()["screens"]
    return dict(found)


def results(ws: Workspace, question: str, criterion: str) -> tuple[Any, ...]:
    """What Results shows of the model's criterion, and the answer's own page of the cell."""
    scope = small.scope_of(ws)
    (model,) = grid(scope, "study").models
    card = answer(scope, "study", question, "Ash")
    cell = next(c for c in card.cells if c.criterion == f"small/{criterion}")
    shown = model.cells[f"small/{criterion}"]
    return cell.suggestion, cell.route, cell.value, shown.n, shown.value


def test_a_rejected_fault_frees_its_criterion_at_once_and_undo_takes_that_back(
    desk: tuple[Workspace, TestClient],
) -> None:
    ws, client = desk
    before = results(ws, "sum", "right")
    assert before == ("wrong", "people", None, 5, 80.0), "unconfirmed, the suggestion counts"
    screen = screen_of(client, "sum")
    say(client, screen, "save-0001", name="arithmetic_error", value="absent")
    assert results(ws, "sum", "right") == ("right", "automatic", "right", 5, 100.0)
    assert small.tallied(ws) == small.recount(ws)
    undone = {"project": "study", "undo_id": "undo-0001", "save_id": "save-0001"}
    assert client.post("/api/undo", json=undone).json()["ok"] is True
    assert results(ws, "sum", "right") == before


def test_a_fault_that_a_person_adds_or_confirms_lowers_the_suggestion(
    desk: tuple[Workspace, TestClient],
) -> None:
    ws, client = desk
    say(client, screen_of(client, "talk"), "save-0002", name="not_the_form", value="present")
    assert cell(ws, "talk", "fit")[0] == "No", "confirmed"
    # relevance is what the fault counts against, and no criterion has that name: the rule's has it
    say(client, screen_of(client, "words"), "save-0003", name="not_the_form", value="present")
    assert cell(ws, "words", "fit")[:1] == ("No",)


def test_what_a_rule_decided_in_an_earlier_version_is_weighed_again_with_a_trace(
    tmp_path: Path,
) -> None:
    ws = study(tmp_path)
    project = projects.get_project(ws, "study")
    now = cell(ws, "sum", "right")
    sql = (
        "UPDATE cell SET suggestion_confidence = 1.0, route = 'automatic', "
        "route_reason = suggestion_reason, final = suggestion, final_number = 0, "
        "final_source = 'automatic', final_reason = suggestion_reason, open = 0 "
        "WHERE suggestion_reason GLOB 'rule*' AND final_source = 'pending' AND part = ''"
    )
    with ws.write() as db:
        assert db.execute(sql).rowcount == 3
        db.execute("INSERT INTO unweighed VALUES (?)", (project.id,))
    verdicts = ws.db.execute("SELECT count(*) FROM verdict").fetchone()[0]
    earlier_rulings.weigh_again(ws)
    assert cell(ws, "sum", "right") == now
    (event,) = projects.events(ws, project, earlier_rulings.EVENT, limit=9)
    assert event.body["cells"] == 3
    assert plain(event.body["changed"][0]["before"]) == [
        "wrong",
        "automatic",
        "automatic",
        "rule arithmetic_error",
    ]
    assert event.body["changed"][0]["now"] == [None, "pending", "people", "rule and judge differ"]
    earlier_rulings.weigh_again(ws)
    assert len(projects.events(ws, project, earlier_rulings.EVENT, limit=9)) == 1, "once"
    assert ws.db.execute("SELECT count(*) FROM verdict").fetchone()[0] == verdicts
