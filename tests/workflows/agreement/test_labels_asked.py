"""Messages that ask for labels, held against the desk: people give exactly the labels that are asked
for, where the desk hands them out, and the message is gone; one screen earlier it is still there."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from graders.store import projects
from graders.store.transfer import exchange
from graders.workflows.agreement import agree
from graders.workflows.agreement.records import CriterionReport
from graders.workflows.review import grading
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.routed import save
from tests.support.studies import bring, scope_at

RUBRIC = """
rubric: small
criteria:
  relevance: {question: Is it so?, scale: ['No', 'Yes'], review: people}
  tone: {question: How?, scale: {labels: [warm, dry, stiff], ordered: false}, review: people}
"""
SCALES = {"small/relevance": ("No", "Yes"), "small/tone": ("warm", "dry", "stiff")}


class Shape(NamedTuple):
    """A project: questions, models, people who grade in turn, the share of answers on which the
    judge has no value, and how many screens people grade before the message is read."""

    questions: int
    models: int
    people: tuple[str, ...]
    silent: float
    before: int


SHAPES = {
    "nobody yet": Shape(100, 2, ("mira", "jon"), 0.0, 0),
    "in the middle of the shared screens": Shape(100, 2, ("mira", "jon"), 0.0, 9),
    "while they grade apart": Shape(100, 2, ("mira", "jon"), 0.0, 40),
    "a judge that leaves answers open": Shape(100, 2, ("mira", "jon"), 0.15, 66),
    "three people": Shape(60, 4, ("mira", "jon", "lena"), 0.0, 30),
    "one person alone": Shape(120, 1, ("mira",), 0.0, 20),
    "a small draw": Shape(60, 2, ("mira", "jon"), 0.05, 10),
    "answers of few questions": Shape(14, 8, ("mira", "jon"), 0.0, 12),
}


def project(folder: Path, shape: Shape) -> tuple[Scope, Any]:
    rng = np.random.default_rng(3)
    scope = scope_at(folder)
    cells = [(f"q{i}", f"m{m}") for i in range(shape.questions) for m in range(shape.models)]
    answers = [{"question_id": q, "model": m, "text": f"Reply {q} by {m}."} for q, m in cells]
    judge = [
        {
            "question_id": q,
            "model": m,
            "judge": "north",
            "criterion": key,
            "value": values[rng.integers(0, len(values))],
        }
        for q, m in cells
        if rng.random() >= shape.silent
        for key, values in SCALES.items()
    ]
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "task_type": "factual"}
        for i in range(shape.questions)
    ]
    bring(scope, folder, RUBRIC, questions=questions, answers=answers, judge=judge)
    exchange.set_seed(scope.ws, scope.project("study"), 5)
    route(scope, "study")
    return scope, rng


class Desk:
    """People who take the next screens in turn."""

    def __init__(self, scope: Scope, people: tuple[str, ...], rng: Any) -> None:
        self.scope, self.rng, self.turn = scope, rng, 0
        self.join(people)

    def join(self, people: tuple[str, ...]) -> None:
        self.people = people
        for person in people:
            projects.add_person(self.scope.ws, person.title(), person_id=person)

    def screen(self) -> int:
        """The next person saves the next screen; how many labels of drawn answers that gives each
        criterion: one screen in five is not drawn."""
        person = self.people[self.turn % len(self.people)]
        self.turn += 1
        mine = Scope(Actor(person), self.scope.ws)
        [found] = grading.next_screens(mine, "study", 1)
        save(mine, found, lambda key, _: SCALES[key][self.rng.integers(0, len(SCALES[key]))])
        design = self.scope.ws.db.execute(
            "SELECT design FROM screen WHERE id = ?", (found.id,)
        ).fetchone()[0]
        return len(found.answers) if design == "calibration" else 0


def reports(scope: Scope) -> dict[str, CriterionReport]:
    return {report.key: report for report in agree.agreement(scope, "study").criteria}


@pytest.mark.parametrize("name", list(SHAPES))
def test_the_labels_that_are_asked_for_end_the_message(tmp_path: Path, name: str) -> None:
    shape = SHAPES[name]
    scope, rng = project(tmp_path, shape)
    desk = Desk(scope, shape.people, rng)
    for _ in range(max(shape.before, 2)):
        desk.screen()
    asked = reports(scope)
    assert set(asked) == set(SCALES)
    missing = {key: report.judges[0].verdict.missing for key, report in asked.items()}
    assert all(report.judges[0].verdict.short for report in asked.values()), missing
    assert all(missing.values()), [report.judges[0].verdict for report in asked.values()]
    if len(shape.people) == 1:
        reason = asked["small/relevance"].judges[0].verdict.reason
        assert reason.startswith("needs a second person")
        desk.join(("jon",))
        for _ in range(shape.before):  # until both have as many
            given = desk.screen()
            missing = {key: n - given for key, n in missing.items()}
        desk.join((*shape.people, "jon"))
    while max(missing.values()) > 0:
        for key, report in reports(scope).items():
            # what is asked for goes down by what was given
            assert report.judges[0].verdict.missing == missing[key] > 0, key
        given = desk.screen()
        missing = {key: n - given for key, n in missing.items()}
    assert set(missing.values()) == {0}
    for report in reports(scope).values():
        verdict = report.judges[0].verdict
        assert verdict.short is None, verdict
        assert report.people.lacking == "" and report.people.ceiling.status != "EARLY"


def test_where_the_desk_cannot_end_it_no_labels_are_asked_for(tmp_path: Path) -> None:
    # 20 of 40 answers are drawn: two people cannot share 30 of them
    scope, rng = project(tmp_path, Shape(20, 2, ("mira", "jon"), 0.0, 0))
    desk = Desk(scope, ("mira", "jon"), rng)
    for _ in range(20):
        desk.screen()
    for report in reports(scope).values():
        verdict = report.judges[0].verdict
        assert verdict.missing is None and "draw more answers" in verdict.reason
        assert report.judges[0].shown.status == "EARLY"


def test_three_experts_on_all_36_cells_of_each_of_14_tests_are_asked_for_nothing(
    tmp_path: Path,
) -> None:
    tests, rng = [f"t{i}" for i in range(14)], np.random.default_rng(8)
    scale = "scale: {labels: [warm, dry, stiff], ordered: false}, review: people"
    rubric = "rubric: small\ncriteria:\n" + "".join(
        f"  {name}: {{question: How is {name}?, {scale}}}\n" for name in tests
    )
    cells = [(f"q{i}", f"m{m}") for i in range(12) for m in range(3)]
    rows = []
    for name in tests:
        true = rng.integers(0, 3, 36)
        for who in ("ann", "bob", "cy", "north"):
            said = np.where(rng.random(36) < 0.6, true, rng.integers(0, 3, 36))
            author = {"judge": who} if who == "north" else {"annotator": who}
            rows += [
                {
                    "question_id": q,
                    "model": m,
                    "criterion": f"small/{name}",
                    "value": SCALES["small/tone"][code],
                    **author,
                }
                for (q, m), code in zip(cells, said, strict=True)
            ]
    scope = scope_at(tmp_path)
    bring(
        scope,
        tmp_path,
        rubric,
        questions=[{"id": f"q{i}", "text": f"Question {i}?"} for i in range(12)],
        answers=[{"question_id": q, "model": m, "text": f"Reply {q} by {m}."} for q, m in cells],
        human=[row for row in rows if "annotator" in row],
        judge=[row for row in rows if "judge" in row],
    )
    found = reports(scope)
    assert len(found) == 14
    for report in found.values():
        verdict = report.judges[0].verdict
        assert (verdict.short, verdict.missing) == (None, None), verdict
        assert "blind label" not in verdict.reason
        assert (report.people.ceiling.n_cells, report.people.graders) == (36, 3)
        assert report.people.lacking == "" and report.judges[0].shown.status == "OK"
