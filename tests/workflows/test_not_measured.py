"""A speed that nobody measured is nobody's work: the cell is closed with its reason, and counted apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.store import projects
from graders.store.tallies import tallies as tallies_of
from graders.store.workspace import Workspace
from graders.workflows import measure, results, review
from graders.workflows.route import route
from tests.store import small

RUBRIC = """
rubric: quick
criteria:
  completeness: {question: Is all there?, scale: {from: 1, to: 5}, graders: [judge], review: people}
  speed: {question: Quick enough?, scale: [slow, fast], graders: [{time_to_first_token: {limit_seconds: 5}}], review: people}
"""
CLOSED = "not applicable (not measured)"


def graded(place: Path, **sampling: float) -> Workspace:
    """Three questions; Ash was timed, Oak was not."""
    ws = small.workspace(place)
    scope = small.scope_of(ws)
    given = [{**row, **({"time_to_first_token": 0.4} if row["model"] == "Ash" else {})} for row in small.answers(3, ["Ash", "Oak"])]
    small.bring(scope, small.folder(place, "f", questions=small.questions(3), answers=given), rubric=RUBRIC)
    small.sample(ws, **{"calibration": 0.0, "audit": 0.0, "blind": 0.0, **sampling})
    measure.measure(ws, projects.get_project(ws, "study"), None, progress=lambda done, total: None, should_stop=lambda: False)
    route(scope, "study")
    return ws


def states(ws: Workspace, model: str) -> set[tuple[str, str, str, str]]:
    sql = (
        "SELECT c.final_source, c.final_reason, c.route, c.route_reason FROM cell c JOIN criterion r ON r.id = c.criterion_id AND r.key = 'quick/speed' "
        "JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id WHERE a.model = ?"
    )
    return {tuple(row) for row in ws.db.execute(sql, (model,))}


def test_it_is_closed_at_once_with_its_reason(tmp_path: Path) -> None:
    ws = graded(tmp_path)
    assert states(ws, "Oak") == {("closed", CLOSED, "automatic", "not measured")}
    assert {source for source, *_ in states(ws, "Ash")} == {"pending"}, "a measured one waits for people, as the rubric says"
    assert small.tallied(ws) == small.recount(ws)
    project = projects.get_project(ws, "study")
    tallies = {(row["model"], row["criterion_id"]): row["closed"] for row in tallies_of(ws.db, project, {})}
    speed = next(c.id for c in projects.criteria(ws, project) if c.key == "quick/speed")
    assert (tallies["Oak", speed], tallies["Ash", speed]) == (3, 0)


def test_the_results_say_why(tmp_path: Path) -> None:
    card = results.answer(small.scope_of(graded(tmp_path)), "study", "q1", "Oak")
    cell = next(cell for cell in card["cells"] if cell["criterion"] == "quick/speed")
    assert (cell["source"], cell["value"], cell["reason"]) == ("closed", None, CLOSED)
    assert cell["verdicts"][0]["rationale"] == "The time to the first token was not measured."


@pytest.mark.parametrize(("arm", "sampling"), [("assisted", {}), ("blind", {"calibration": 1.0})])
def test_the_desk_folds_it_on_both_kinds_of_screen(tmp_path: Path, arm: str, sampling: dict[str, float]) -> None:
    ws = graded(tmp_path, **sampling)
    (screen,) = review.next_screens(small.scope_of(ws, "mira"), "study", 1)
    assert screen["arm"] == arm
    shown = sorted(
        (cell["criterion"], cell["open"], cell["route_reason"], cell["final"]) for answer in screen["answers"] for cell in answer["cells"]
    )
    people = "task type factual" if arm == "assisted" else ""  # the first question is factual
    assert [(name, is_open) for name, is_open, _, _ in shown] == [
        ("quick/completeness", True), ("quick/completeness", True), ("quick/speed", False), ("quick/speed", True),
    ]  # fmt: skip
    assert shown[2][2:] == ("not measured", {"value": None, "source": "closed"})
    assert shown[3][2:] == (people, None)


def test_somebody_who_knows_has_the_last_word(tmp_path: Path) -> None:
    ws = graded(tmp_path)
    mira = small.scope_of(ws, "mira")
    (screen,) = review.next_screens(mira, "study", 1)
    small.save(mira, screen, "save-one1", values={"completeness": 4, "speed": "slow"})
    assert ("people", "one person", "automatic", "not measured") in states(ws, "Oak")
    assert small.tallied(ws) == small.recount(ws)
