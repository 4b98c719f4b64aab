"""Very fast work: what counts as such, who is told of it, and that it is told once."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.store import projects
from graders.store.desk.people_work import timed_screens
from graders.store.projects import get_project
from graders.workflows.agreement.people import people_report
from graders.workflows.agreement.work_left import progress
from graders.workflows.home.status import status
from graders.workflows.opinions.fast_work import CELLS, fast_work, first_told, is_fast
from graders.workflows.report.report import report
from graders.workflows.review import grading
from graders.workflows.review.save_replies import SaveReply
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small


@pytest.fixture
def lead(tmp_path: Path) -> Scope:
    scope = small.study(tmp_path, small.workspace(tmp_path), count=16)
    for name in ("nina", "otto"):
        projects.add_person(scope.ws, name.title(), person_id=name)
    return scope


def graded(lead: Scope, person: str, each: float) -> tuple[SaveReply, int]:
    """One screen of a person, all its cells, in so many seconds a cell; the reply, and how many
    cells it had."""
    scope = Scope(Actor(person), lead.ws)
    (screen,) = grading.next_screens(scope, "study", 1)
    cells = len(small.marks(screen, small.VALUES))
    reply = small.save(scope, screen, f"{person}-{screen.id}-first", seconds=each * cells)
    return reply, cells


def test_very_fast_work_is_shown_to_the_lead_and_told_once(lead: Scope) -> None:
    done, told = 0, []
    while done < 100:
        reply, cells = graded(lead, "nina", 0.47)
        done += cells
        told.append((done, reply.pace))
    assert [pace for cells, pace in told if cells < CELLS] == [""] * sum(c < CELLS for c, _ in told)
    said = [pace for _, pace in told if pace]
    assert len(said) == 1, "once"
    assert said[0].startswith("Your last ") and "You are told only once." in said[0]
    project = get_project(lead.ws, "study")
    (fast,) = fast_work(lead.ws.db, project).values()
    assert (fast.person, fast.cells) == ("nina", done)
    assert fast.seconds == pytest.approx(0.47 * done, abs=1)
    figures = f"{done} ratings in {round(fast.seconds)} s"
    sentence = f"Nina: {figures}, below 1 s each, too fast to have read the answers"
    (row,) = [one for one in people_report(lead, "study").people if one.person == "nina"]
    assert row.fast == fast and f"very fast: {figures}" in row.sentence
    assert status(lead, "study")[0].fast == [sentence]
    assert progress(lead, "study").fast == f"Very fast work: {sentence}."
    found = report(lead, "study")
    (part,) = [one for one in found.sections if one.key == "progress"]
    assert f"Very fast work: {sentence}." in part.words


def test_a_save_looks_at_the_last_screens_alone(lead: Scope) -> None:
    for _ in range(12):
        graded(lead, "nina", 0.3)
    asked: list[str] = []
    lead.ws.db.set_trace_callback(asked.append)
    assert first_told(lead.ws.db, get_project(lead.ws, "study"), "nina") == ""
    lead.ws.db.set_trace_callback(None)
    counts = [sql for sql in asked if "FROM verdict" in sql]
    assert 0 < len(counts) < 8
    (plan,) = lead.ws.db.execute(f"EXPLAIN QUERY PLAN {counts[0]}")
    assert "verdict_save" in plan[3], "by the index of saves, whatever else there is"


def test_work_at_a_pace_that_reading_takes_is_not(lead: Scope) -> None:
    for _ in range(8):  # as quick as a decision and its key
        assert graded(lead, "otto", 1.5)[0].pace == ""
    assert fast_work(lead.ws.db, get_project(lead.ws, "study")) == {}
    assert status(lead, "study")[0].fast == [] and progress(lead, "study").fast == ""


def test_a_few_quick_screens_between_others_are_no_stretch(lead: Scope) -> None:
    quick = 0
    for turn in range(8):
        reply, cells = graded(lead, "otto", 1.5 if turn % 2 else 0.3)
        quick += 0 if turn % 2 else cells
        assert cells < CELLS and reply.pace == ""
    assert quick >= CELLS
    assert fast_work(lead.ws.db, get_project(lead.ws, "study")) == {}


def test_a_save_that_names_no_time_is_not_looked_at() -> None:
    assert is_fast({"seconds": 3, "verdicts": [{}] * 4})
    assert not is_fast({"seconds": 4, "verdicts": [{}] * 4})
    assert not is_fast({"seconds": 0, "verdicts": [{}]}) and not is_fast({"verdicts": [{}]})
    assert not is_fast({}) and not is_fast({"seconds": "soon"})


def test_the_verdicts_of_a_screen_are_found_without_reading_all(lead: Scope) -> None:
    """A report asks this of every screen, each save of its person's screens."""
    graded(lead, "nina", 2)
    project, asked = get_project(lead.ws, "study"), list[str]()
    lead.ws.db.set_trace_callback(asked.append)
    assert timed_screens(lead.ws.db, project)
    lead.ws.db.set_trace_callback(None)
    (sql,) = asked
    plan = [row[3] for row in lead.ws.db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    assert any("verdict_save" in step for step in plan), plan
