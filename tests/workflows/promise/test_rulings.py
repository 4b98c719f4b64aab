"""What a run does with evidence: proven cells are the machine's, refuted ones people's; an alarm
gives cells back, a void does so too."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from graders.store import projects
from graders.workflows.projects.settings import change_rubric, change_settings
from graders.workflows.promise.risk import risk
from graders.workflows.review import grading
from graders.workflows.routing import route
from graders.workflows.routing.page import routing
from graders.workflows.routing.terms import draw_more, fix_terms
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.routed import RUBRIC, grade, routed, save


def routes(
    scope: Scope, criterion: str = "small/relevance", task: str = "creative"
) -> Counter[tuple[str, str]]:
    sql = (
        "SELECT c.route, c.route_reason FROM cell c JOIN criterion k ON k.id = c.criterion_id JOIN question q ON q.id = c.question_id "
        "WHERE k.key = ? AND q.task_type = ?"
    )
    return Counter(
        (row[0], row[1].split(":")[0].split(" (")[0])
        for row in scope.ws.db.execute(sql, (criterion, task))
    )


def agrees(criterion: str, question: str) -> Any:
    """People say what the judge says of relevance, and never what it says of completeness."""
    return "relevant" if criterion == "small/relevance" else 1


@pytest.fixture(scope="module")
def proven(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    """Relevance is proven, completeness refuted; 36 of 60 answers were drawn and labelled."""
    scope = routed(tmp_path_factory.mktemp("proven"), 60, calibration=0.6)
    fix_terms(scope, "study", 0.4, 0.4)
    grade(scope, "mira", agrees)
    route.route(scope, "study")
    return scope


def test_proven_cells_are_the_machines_also_of_creative_questions(proven: Scope) -> None:
    states = {(row.criterion, row.task_type): row.state for row in risk(proven, "study").rows}
    assert (
        states["small/relevance", "creative"] == "PROVEN"
        and states["small/completeness", "factual"] == "UNPROVEN"
    )
    found = routes(proven)
    assert (
        set(found) <= {("automatic", "proven"), ("people", "outside the promise")}
        and found["automatic", "proven"] > 10
    )
    # factual ones are the machine's by rule unless the data object
    assert set(routes(proven, "small/completeness", "factual")) == {("people", "the labels object")}
    audit = routing(proven, "study").rows[2].audit
    assert (
        audit.objection.startswith("The labels object: the machine differs on ")
        and audit.objection in audit.sentence
    )


def test_a_lead_may_leave_it_to_the_rules(proven: Scope) -> None:
    change_settings(proven, "study", {"promises": False})
    route.route(proven, "study")
    assert set(routes(proven)) == {("people", "task type creative")}
    change_settings(proven, "study", {"promises": True})
    route.route(proven, "study")
    assert routes(proven)["automatic", "proven"] > 10


def test_another_wording_voids_the_ruling_at_once(proven: Scope) -> None:
    change_rubric(
        proven, "study", "small", RUBRIC.replace("what was asked?", "what the question asks?")
    )
    assert set(routes(proven)) == {("people", "task type creative")}
    words = {row.words for row in risk(proven, "study").rows if row.criterion == "small/relevance"}
    assert all("the wording of the criterion changed" in w.lower() for w in words)
    route.route(proven, "study")
    void = projects.events(proven.ws, proven.project("study"), "rulings", limit=1)[0].body["void"]
    assert void == ["small/relevance, creative", "small/relevance, factual"] or set(void) == {
        "small/relevance, factual",
        "small/relevance, creative",
    }
    change_rubric(proven, "study", "small", RUBRIC)
    route.route(proven, "study")
    assert routes(proven)["automatic", "proven"] > 10


def test_an_alarm_of_the_audit_gives_the_cells_back_and_a_further_draw_begins_anew(
    tmp_path: Path,
) -> None:
    scope = routed(tmp_path, 80, calibration=0.0, audit=1.0, creative=False)
    # .98 - .43 i / 80 < .6
    assert routes(scope, task="factual") == {
        ("automatic", "judge north"): 71,
        ("people", "low confidence"): 9,
    }
    projects.add_person(scope.ws, "Mira", person_id="mira")
    mine, rang = Scope(Actor("mira"), scope.ws), []
    while len(rang) < 32:  # 71 of the 80 audited answers have a cell that the machine decided
        for screen in grading.next_screens(mine, "study", 4):
            save(
                mine,
                screen,
                lambda criterion, question: "irrelevant" if criterion == "small/relevance" else 4,
            )
            rang.append(route.after_audit(mine, "study", screen.id))
    assert sum(rang) == 1  # at the look after 25 audits, and only once
    assert set(routes(scope, task="factual")) == {("people", "the audit's alarm")}
    assert ("automatic", "judge north") in routes(scope, "small/completeness", "factual")
    row = routing(scope, "study").rows[0]
    assert row.audit.alarm == "Off on 100% of 25 audits: its cells went back to people."
    assert row.audit.sentence.startswith(
        "Relevance, factual questions: promised is at most 10% of the machine's cells off. Off on 100%"
    )
    assert draw_more(scope, "study", 5).tasks["factual"].draw == 2
    route.route(scope, "study")
    # until the new draw proves it
    assert set(routes(scope, task="factual")) == {("people", "the audit's alarm")}


def test_what_is_read_anyway_is_graded_whole_where_a_lead_says_so(tmp_path: Path) -> None:
    rubric = "tone: {question: Which tone?, scale: [stiff, warm], review: people}"
    scope = routed(tmp_path, 12, calibration=0.0, creative=False)
    change_rubric(scope, "study", "small", RUBRIC + "  " + rubric + "\n")
    route.route(scope, "study")
    before = routes(scope, task="factual")
    change_settings(scope, "study", {"whole": True})
    route.route(scope, "study")
    after = routes(scope, task="factual")
    assert after["people", "the answer is read anyway"] == before["automatic", "judge north"] > 0
