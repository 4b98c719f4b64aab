"""Copies with a seeded fault in people's queues: nothing tells them from other screens, they are in
no result, and they travel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graders.store import projects
from graders.store.transfer import imports as import_store
from graders.workflows.agreement.agree import agreement
from graders.workflows.agreement.people import people_report
from graders.workflows.agreement.work_left import progress
from graders.workflows.diagnostics import seeded_faults
from graders.workflows.importing import stage as importing_stage
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.projects import settings as projects_settings
from graders.workflows.report.export import export
from graders.workflows.results.grid import grid
from graders.workflows.review import desk, grading, my_work
from graders.workflows.routing.route import route
from graders.workflows.rubrics import edit as rubrics_edit
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.store import small
from tests.support.routed import RUBRIC, save
from tests.support.studies import bring, scope_at

pytestmark = pytest.mark.usefixtures("soon")

N, GAP = 20, 8
ANSWER = "Ash knows that a whale breathes air and has 206 bones. A whale is not a fish, and it feeds its calves with milk for months."


def study(tmp_path: Path, **sampling: float) -> Scope:
    """20 factual questions with one answer each, all drawn for calibration, and copies of all."""
    scope = scope_at(tmp_path)
    questions = [
        {"id": f"q{i}", "text": f"Is a whale {i}?", "language": "en", "task_type": "factual"}
        for i in range(N)
    ]
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=questions,
        answers=[{"question_id": q["id"], "model": "Ash", "text": ANSWER} for q in questions],
    )
    shares = {
        "calibration": 1.0,
        "audit": 0.0,
        "blind": 0.0,
        "repeat": 0.0,
        "control": 0.5,
        **sampling,
    }
    projects.set_settings(scope.ws, scope.project("study"), {"sampling": shares})
    route(scope, "study")
    seeded_faults.seed(scope, "study", 1.0)
    return scope


def grade(scope: Scope, person: str) -> list[dict[str, Any]]:
    """Somebody who gives an answer whose end is cut off less, and one with another number more;
    returns all screens."""
    projects.add_person(scope.ws, person.title(), person_id=person)
    mine, given = Scope(Actor(person), scope.ws), []
    while found := grading.next_screens(mine, "study", 3):
        for screen in found:
            text = screen.answers[0].text
            worth = 2 if not text.endswith(".") else 5 if "206" not in text else 4
            save(
                mine,
                screen,
                lambda criterion, question, worth=worth: (
                    "relevant" if criterion == "small/relevance" else worth
                ),
            )
        given += found
    return given


def designs(scope: Scope) -> list[tuple[Any, ...]]:
    sql = (
        "SELECT s.design, z.key, p.name, b.model, a.occasion, a.state, q.screen_id IS NOT NULL FROM assignment a JOIN screen s ON s.id = a.screen_id "
        "JOIN question z ON z.id = s.question_id JOIN screen_subject x ON x.screen_id = s.id JOIN subject u ON u.id = x.subject_id JOIN project p "
        "ON p.id = u.project_id JOIN answer b ON b.id = u.answer_id LEFT JOIN queue q ON q.screen_id = s.id WHERE s.project_id = 1 ORDER BY s.id"
    )
    return [tuple(row) for row in scope.ws.db.execute(sql)]


def figures(scope: Scope) -> list[Any]:
    return [grid(scope, "study"), leaderboard(scope, "study"), agreement(scope, "study")]


def test_copies_come_unseen_and_say_who_notices(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = study(tmp_path)
    assert (
        desk.open_desk(scope, "study").settings.controls
        and projects_settings.settings(scope, "study").settings["control"] == 0.5
    )
    given = grade(scope, "mira")
    controls = [row for row in designs(scope) if row[0] == "control"]
    assert 10 <= len(controls) <= N and len({row[1] for row in controls}) == len(controls), (
        "one copy of a question at most"
    )
    assert {row[2] for row in controls} == {"study-seeded"} and {row[4:] for row in controls} == {
        (4, "done", 0)
    }
    # nothing in what the page gets tells a copy from an answer but its text
    shapes = {
        (screen.practice, screen.design in ("ordinary", "calibration"), screen.arm, len(screen.answers),
         tuple((c.criterion, c.open) for c in screen.answers[0].cells), len(screen.question.references)) for screen in given
    }  # fmt: skip
    assert len(shapes) == 1 and not any(
        word in str(screen) for screen in given for word in ("seeded", "·", "control")
    )
    assert (
        grading.counts(Scope(Actor("mira"), scope.ws), "study").done
        == N + len(controls)
        == len(given)
    )
    listed = my_work.my_work(Scope(Actor("mira"), scope.ws), "study").rows
    assert len(listed) == 2 * len(given), "a gap in the list would tell of a copy"

    mira = next(
        one for one in seeded_faults.detection(scope, "study").graders if one.kind == "person"
    )
    cut, number = (
        sum(name in row[3] for row in controls) for name in ("tail_cut", "number_changed")
    )
    assert (mira.name, mira.all.copies, mira.all.noticed, mira.all.raised) == (
        "Mira",
        len(controls),
        cut,
        number,
    )
    assert mira.all.status == "OK" and mira.all.value == pytest.approx(cut / len(controls))
    few = next(figure for figure in mira.faults.values() if figure.status != "OK")
    assert few.noticed is None and few.value is None and "INCONCLUSIVE" in few.sentence, (
        "a few copies shame nobody"
    )
    shown = Line(scope.ws.path, capsys)("controls", "detection").out
    assert f"Mira: {cut} of {len(controls)} noticed" in shown and "graded INCONCLUSIVE" in shown

    # one is taken back and given again; and nothing of it is in any figure of the answers
    (row,) = people_report(scope, "study").people
    assert row.verdicts == 2 * N
    assert (
        next(one.minutes for one in progress(scope, "study").minutes if one.kind == "control") > 0
    )
    before = figures(scope)
    last = next(screen for screen in reversed(given) if screen.design == "ordinary")
    mine = Scope(Actor("mira"), scope.ws)
    again = grading.undo(mine, "study", "undo-it-1", f"mira-save-{last.id}")
    kinds = {one.kind: one for one in seeded_faults.detection(scope, "study").graders}
    assert (
        kinds["person"].all.copies == len(controls) - 1
        and again.answers[0].cells[0].mine is not None
    )
    assert figures(scope) == before

    # all of it travels in the exchange format, and in no other
    target, table = tmp_path / "out", tmp_path / "out.csv"
    export(scope, "study", "jsonl", target)
    export(scope, "study", "csv", table)
    assert "tail_cut" not in table.read_text("utf-8")
    assert [
        path.name
        for path in sorted(target.glob("*.jsonl"))
        if '"seeded"' in path.read_text("utf-8")
    ] == ["copies.jsonl"]
    copy = small.scope_of(small.workspace(tmp_path, "other"))
    report = importing_stage.stage(copy, "study", target)
    assert report.bad_rows == () and [p.name for p in projects.begun_projects(copy.ws)] == []
    assert [row.title for row in import_store.unfinished(copy.ws)] == ["study"], (
        "the copies wait with their answers"
    )
    importing_stage.finish(copy, report.import_id)
    assert [p.name for p in projects.begun_projects(copy.ws)] == ["study"]
    assert designs(copy) == [row for row in designs(scope) if row[5] == "done"]
    assert (
        seeded_faults.detection(copy, "study").graders
        == seeded_faults.detection(scope, "study").graders
    )

    # a rubric that changes is carried to the copies
    reworded = RUBRIC.replace("Is all there?", "Is all there that was asked for?")
    rubrics_edit.put(scope, "study", reworded)
    keys = [(row.key, row.hash) for row in projects.criteria(scope.ws, scope.project("study"))]
    assert sorted(keys) == sorted(
        (row.key, row.hash) for row in projects.criteria(scope.ws, scope.project("study-seeded"))
    )
    found = {one.kind: one.all for one in seeded_faults.detection(scope, "study").graders}
    assert found["person"].noticed in (0, None), (
        "what was said under the earlier wording counts no more"
    )
    # as if the copies were left behind
    projects.save_rubric(scope.ws, scope.project("study"), projects.known_rubric(RUBRIC, "small"))
    scope.ws.db.execute("UPDATE assignment SET state = 'released' WHERE occasion = 4")
    scope.ws.db.commit()
    assert grading.next_screens(mine, "study", 3) == [], (
        "a copy is never asked about by other words than its answer"
    )

    # where its answer changes a screen that somebody has does not show what it is
    projects.set_settings(scope.ws, scope.project("study"), {"show_models": True})
    number = scope.ws.db.execute(
        "SELECT id FROM screen WHERE design = 'control' ORDER BY id"
    ).fetchone()[0]
    before = grading.one_screen(mine, "study", number)
    bring(
        scope,
        tmp_path,
        RUBRIC,
        answers=[{"question_id": before.question.id, "model": "Ash", "text": "It is none."}],
    )
    assert grading.one_screen(mine, "study", number) == before and before.answers[0].model == "Ash"
