"""A speed that nobody measured is nobody's work: the cell is closed with its reason, and counted
apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.store import projects
from graders.store.opinions.tallies import tallies as tallies_of
from graders.store.workspace import Workspace
from graders.workflows.measuring import measure
from graders.workflows.results import answer as results_answer
from graders.workflows.review import grading
from graders.workflows.review.screen_records import FinalShown, FinalSource
from graders.workflows.routing.route import route
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
    given = [
        {**row, **({"time_to_first_token": 0.4} if row["model"] == "Ash" else {})}
        for row in small.answers(3, ["Ash", "Oak"])
    ]
    small.bring(
        scope, small.folder(place, "f", questions=small.questions(3), answers=given), rubric=RUBRIC
    )
    small.sample(ws, **{"calibration": 0.0, "audit": 0.0, "blind": 0.0, **sampling})
    measure.measure(
        ws,
        projects.get_project(ws, "study"),
        None,
        progress=lambda done, total: None,
        should_stop=lambda: False,
    )
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
    assert {source for source, *_ in states(ws, "Ash")} == {"pending"}, (
        "a measured one waits for people, as the rubric says"
    )
    assert small.tallied(ws) == small.recount(ws)
    project = projects.get_project(ws, "study")
    tallies = {(row.model, row.criterion_id): row.closed for row in tallies_of(ws.db, project, {})}
    speed = next(c.id for c in projects.criteria(ws, project) if c.key == "quick/speed")
    assert (tallies["Oak", speed], tallies["Ash", speed]) == (3, 0)


def test_the_results_say_why(tmp_path: Path) -> None:
    card = results_answer.answer(small.scope_of(graded(tmp_path)), "study", "q1", "Oak")
    cell = next(cell for cell in card.cells if cell.criterion == "quick/speed")
    assert (cell.source, cell.value, cell.reason) == ("closed", None, CLOSED)
    assert cell.verdicts[0].rationale == "The time to the first token was not measured."


@pytest.mark.parametrize(("arm", "sampling"), [("assisted", {}), ("blind", {"calibration": 1.0})])
def test_the_desk_folds_it_on_both_kinds_of_screen(
    tmp_path: Path, arm: str, sampling: dict[str, float]
) -> None:
    ws = graded(tmp_path, **sampling)
    (screen,) = grading.next_screens(small.scope_of(ws, "mira"), "study", 1)
    assert screen.arm == arm
    shown = sorted(
        (cell.criterion, cell.open, cell.route_reason, cell.final)
        for answer in screen.answers
        for cell in answer.cells
    )
    people = "task type factual" if arm == "assisted" else ""  # the first question is factual
    assert [(name, is_open) for name, is_open, _, _ in shown] == [
        ("quick/completeness", True), ("quick/completeness", True), ("quick/speed", False), ("quick/speed", True),
    ]  # fmt: skip
    assert shown[2][2:] == ("not measured", FinalShown(None, FinalSource.CLOSED))
    assert shown[3][2:] == (people, None)


def test_somebody_who_knows_has_the_last_word(tmp_path: Path) -> None:
    ws = graded(tmp_path)
    mira = small.scope_of(ws, "mira")
    (screen,) = grading.next_screens(mira, "study", 1)
    small.save(mira, screen, "save-one1", values={"completeness": 4, "speed": "slow"})
    assert ("people", "one person", "automatic", "not measured") in states(ws, "Oak")
    assert small.tallied(ws) == small.recount(ws)


BOTH = """
rubric: quick
criteria:
  completeness: {question: Is all there?, scale: {from: 1, to: 5}, graders: [judge], review: people}
  speed: {question: Quick enough?, scale: [slow, fast], graders: [{time_to_first_token: {limit_seconds: 5}}], review: automatic}
  brevity: {question: Short enough?, scale: [too long, fitting], graders: [{length: {short: 40, detailed: 80}}], review: automatic}
  language: {question: The language asked for?, scale: ["no", "yes"], graders: [answer_language], review: automatic}
"""


def measured(place: Path, rubric: str = BOTH, **sampling: float) -> Workspace:
    """Three questions to Ash, timed; all rules and a judge have spoken. Where an audit is drawn,
    the judge decides alone."""
    ws = small.workspace(place)
    scope = small.scope_of(ws)
    given = [{**row, "time_to_first_token": 0.4} for row in small.answers(3, ["Ash"])]
    said = [
        small.judge(row["question_id"], "Ash", "quick/completeness", "north", 4)
        for row in given
        if "completeness" in rubric
    ]
    rubric = (
        rubric.replace("review: people", "review: automatic") if "audit" in sampling else rubric
    )
    small.bring(
        scope,
        small.folder(place, "f", questions=small.questions(3), answers=given, judge=said),
        rubric=rubric,
    )
    small.sample(ws, **{"calibration": 0.0, "audit": 0.0, "blind": 0.0, **sampling})
    measure.measure(
        ws,
        projects.get_project(ws, "study"),
        None,
        progress=lambda done, total: None,
        should_stop=lambda: False,
    )
    route(scope, "study")
    return ws


@pytest.mark.parametrize(
    "sampling",
    [{"calibration": 1.0}, {"audit": 1.0}, {"blind": 1.0}],
    ids=["calibration", "audit", "blind arm"],
)
def test_what_rules_measure_is_not_asked_blind(tmp_path: Path, sampling: dict[str, float]) -> None:
    ws = measured(tmp_path, **sampling)
    mira = small.scope_of(ws, "mira")
    screens = grading.next_screens(mira, "study", 9)
    assert {screen.arm for screen in screens} == {"blind"} and len(screens) == 3
    asked = {
        (cell.criterion, cell.open)
        for screen in screens
        for answer in screen.answers
        for cell in answer.cells
    }
    assert asked == {("quick/completeness", True), ("quick/language", True)}, (
        "what a reader can tell is asked, also where a rule decides"
    )
    for screen in screens:
        small.save(
            mira, screen, f"save-{screen.id:04}", values={"completeness": 4, "language": "yes"}
        )
    rows = ws.db.execute(
        "SELECT DISTINCT r.key, c.final_source FROM cell c JOIN criterion r ON r.id = c.criterion_id WHERE r.key LIKE 'quick/%'"
    )
    assert {tuple(row) for row in rows} == {
        ("quick/completeness", "people"), ("quick/language", "people"), ("quick/speed", "automatic"), ("quick/brevity", "automatic"),
    }  # fmt: skip
    assert small.tallied(ws) == small.recount(ws)


def test_an_assisted_screen_folds_what_rules_measured(tmp_path: Path) -> None:
    ws = measured(tmp_path)
    (screen, *_) = grading.next_screens(small.scope_of(ws, "mira"), "study", 9)
    cells = {cell.criterion: (cell.open, cell.final) for cell in screen.answers[0].cells}
    assert cells["quick/speed"] == (False, FinalShown("fast", FinalSource.AUTOMATIC))


def test_an_answer_of_which_all_is_measured_is_not_drawn(tmp_path: Path) -> None:
    only = "rubric: quick\ncriteria:\n" + "".join(
        line + "\n" for line in BOTH.splitlines() if "speed" in line or "brevity" in line
    )
    ws = measured(tmp_path, only, calibration=1.0, audit=1.0)
    assert ws.db.execute("SELECT count(*) FROM screen").fetchone()[0] == 0
    assert projects.events(ws, projects.get_project(ws, "study"), "draw") == []


def test_what_a_person_said_of_a_measured_cell_stays_on_the_blind_screen(tmp_path: Path) -> None:
    ws = measured(tmp_path, calibration=1.0)
    mira = small.scope_of(ws, "mira")
    (screen, *_) = grading.next_screens(mira, "study", 1)
    subject = screen.answers[0].id
    cell = ws.db.execute(
        "SELECT c.id FROM cell c JOIN criterion r ON r.id = c.criterion_id AND r.key = 'quick/speed' WHERE c.subject_id = ?",
        (subject,),
    ).fetchone()[0]
    # a page of before still asked
    small.save(mira, screen, "save-old1", {}, verdicts=[{"cell": cell, "value": "slow"}])
    again = grading.one_screen(mira, "study", screen.id)
    assert [c.mine.value for c in again.answers[0].cells if c.criterion == "quick/speed"] == [
        "slow"
    ]


def test_a_flag_does_not_send_what_is_measured_to_people(tmp_path: Path) -> None:
    ws = measured(tmp_path, calibration=1.0)
    mira = small.scope_of(ws, "mira")
    for screen in grading.next_screens(mira, "study", 9):
        small.save(
            mira,
            screen,
            f"save-{screen.id:04}",
            values={"completeness": 4, "language": "yes"},
            flagged=True,
        )
    route(small.scope_of(ws), "study")
    rows = ws.db.execute(
        "SELECT DISTINCT r.key, c.route, c.final_source FROM cell c JOIN criterion r ON r.id = c.criterion_id AND r.key LIKE 'quick/%'"
    )
    assert {tuple(row) for row in rows} == {
        ("quick/completeness", "people", "people"),
        ("quick/language", "people", "people"),
        ("quick/speed", "automatic", "automatic"),
        ("quick/brevity", "automatic", "automatic"),
    }  # fmt: skip
