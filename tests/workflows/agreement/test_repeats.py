"""Second looks: a screen comes back to the same person blind after 50 others, and what is said then
stands beside the first verdict."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from graders.store import projects
from graders.store.desk import annotators, assignments, own_screens, saves
from graders.store.opinions import earlier
from graders.store.transfer import snapshot
from graders.workflows.agreement.agree import agreement
from graders.workflows.agreement.people import people_report
from graders.workflows.agreement.work_left import progress
from graders.workflows.projects import settings as projects_settings
from graders.workflows.review import grading
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.store import small
from tests.support.routed import RUBRIC, grade, routed, save
from tests.support.studies import bring

pytestmark = pytest.mark.usefixtures("soon")

N, GAP = 22, 10


def said(scope: Scope) -> list[tuple[str, int, str, float, str]]:
    """People's present opinions."""
    sql = "SELECT p.name, o.cell_id, o.value, o.number, o.design FROM opinion o JOIN author p ON p.id = o.author_id AND p.kind = 'person' ORDER BY 1, 2"
    return [tuple(row) for row in scope.ws.db.execute(sql)]


def test_what_is_said_again_is_agreement_with_oneself_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = routed(tmp_path, N, calibration=1.0, creative=False, repeat=0.6)
    looks: Counter[str] = Counter()

    def value(criterion: str, question: str) -> Any:
        looks[f"{criterion} {question}"] += 1
        if criterion == "small/relevance":
            return "relevant"
        # the second look is never the same
        return 4 if looks[f"{criterion} {question}"] == 1 else 3

    mira = Scope(Actor("mira"), scope.ws)
    assert (
        grade(scope, "mira", value, screens=GAP) == GAP
        and not scope.ws.db.execute("SELECT 1 FROM screen WHERE again > 0").fetchall()
    )
    first = said(scope)
    one, two = grading.next_screens(mira, "study", 2)  # so many others came after none of them yet
    save(mira, one, value)
    (again,) = grading.next_screens(mira, "study", 1, have=[two.id])
    project = scope.project("study")
    counted = annotators.left_for(scope.ws.db, project, "mira")
    assert counted == N - (GAP + 1) + 1, "the one in hand is not forgotten"
    design, back = scope.ws.db.execute(
        "SELECT design, again FROM screen WHERE id = ?", (again.id,)
    ).fetchone()
    assert design == "repeat" and back and (again.design, again.arm) == ("ordinary", "blind"), (
        "nothing tells it from a first look"
    )
    assert {cell.mine for answer in again.answers for cell in answer.cells} == {None}
    before = said(scope)
    # flagged on the first look
    saves.set_flags(
        scope.ws.db, scope.ws, project, assignments.find(scope.ws.db, back, "mira"), True
    )
    scope.ws.db.execute("UPDATE assignment SET flagged = 1 WHERE screen_id = ?", (back,))
    stored = save(mira, again, value)
    assert scope.ws.db.execute("SELECT count(*) FROM flag").fetchone()[0] == 1, (
        "the page of a second look shows no flag, and takes none off"
    )
    assert stored.ok and said(scope) == before and set(first) <= set(before)
    shown = grading.one_screen(mira, "study", again.id)
    assert [
        c.mine.value for a in shown.answers for c in a.cells if c.criterion == "small/completeness"
    ] == [3]
    grading.undo(mira, "study", "undo-it-1", f"mira-save-{again.id}")
    assert said(scope) == before, "taking a second look back leaves the first verdict"
    cells = [cell for answer in again.answers for cell in answer.cells if cell.open]
    marks = [
        {
            "cell": cell.id,
            "value": "relevant" if cell.criterion == "small/relevance" else 3,
            "action": "typed",
        }
        for cell in cells
    ]
    grading.save(
        mira,
        "study",
        {"screen": again.id, "save_id": "once-more-1", "verdicts": marks, "seconds": 40.0},
    )
    # more come back as more screens are old enough: the 1st to the 12th of 22
    grade(scope, "mira", value)
    designs = dict(
        scope.ws.db.execute(
            "SELECT s.design, count(*) FROM assignment a JOIN screen s ON s.id = a.screen_id GROUP BY 1"
        ).fetchall()
    )
    assert designs == {"calibration": N, "repeat": 12} and len(said(scope)) == 2 * N
    assert scope.ws.db.execute(
        "SELECT count(DISTINCT again), count(*) FROM screen WHERE again > 0"
    ).fetchone()[:] == (12, 12)
    assert grading.counts(mira, "study").done == N + 12

    (row,) = people_report(scope, "study").people
    # relevance is the same on all of 12 questions, completeness on none; one look was taken back
    # and given again
    assert (row.self.value, row.self.n_cells, row.self.n_questions) == (
        0.5,
        24,
        12,
    )
    figures = {c.key: c.people.self for c in agreement(scope, "study").criteria}
    assert (
        figures["small/relevance"].status == "UNDEFINED"
        and figures["small/completeness"].value == 0.0
    )
    assert "people with themselves" in Line(scope.ws.path, capsys)("agree").out
    assert next(
        one.minutes for one in progress(scope, "study").minutes if one.kind == "repeat"
    ) == pytest.approx(13 * 40 / 60, abs=0.1)

    clause = earlier.opinions_under(
        next(c for c in projects.criteria(scope.ws, project) if c.key == "small/completeness")
    )
    under = scope.ws.db.execute(
        f"{clause.sql} SELECT number, design, count(*) FROM opinion JOIN author w ON w.id = author_id AND w.kind = 'person' GROUP BY 1, 2",
        clause.values,
    )
    assert [tuple(row) for row in under] == [(4.0, "calibration", N)], (
        "under the earlier wording the first look counts too"
    )


def test_what_was_worded_anew_or_changed_does_not_come_back(tmp_path: Path) -> None:
    scope = routed(tmp_path, 14, calibration=1.0, creative=False, repeat=0.0)
    grade(
        scope,
        "mira",
        lambda criterion, question: "relevant" if criterion == "small/relevance" else 4,
    )
    first = {i: {"id": f"q{i}", "text": f"Question {i}?"} for i in (0, 1, 2)}
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=list(first.values()),
        answers=[{"question_id": f"q{i}", "model": "Ash", "text": "New."} for i in first],
    )
    projects_settings.change_settings(scope, "study", {"repeat": 0.2})
    mira = Scope(Actor("mira"), scope.ws)
    # of the four that are old enough one shows the present text
    (again,) = grading.next_screens(mira, "study", 1)
    assert (
        scope.ws.db.execute("SELECT design FROM screen WHERE id = ?", (again.id,)).fetchone()[0]
        == "repeat"
    )
    assert again.question.id not in {"q0", "q1", "q2"}
    projects_settings.change_rubric(
        scope, "study", "small", RUBRIC.replace("Is all there?", "Is really all there?")
    )
    save(
        mira,
        again,
        lambda criterion, question: "irrelevant" if criterion == "small/relevance" else 1,
    )
    cells = {cell.id: cell.criterion for answer in again.answers for cell in answer.cells}
    stands = {
        cells[cell]: (value, design) for _, cell, value, _, design in said(scope) if cell in cells
    }
    assert stands == {
        "small/relevance": ('"relevant"', "calibration"),
        "small/completeness": ("1", "calibration"),
    }, "nothing to hold the latter against"
    assert own_screens.repeat_due(scope.ws.db, scope.project("study"), "mira", 1.0) is None


def test_second_looks_travel_beside_the_queue(tmp_path: Path) -> None:
    scope = routed(tmp_path, 14, calibration=1.0, creative=False, repeat=0.3)
    grade(
        scope,
        "mira",
        lambda criterion, question: "relevant" if criterion == "small/relevance" else 4,
    )
    sql = (
        "SELECT s.design, z.key, b.id IS NOT NULL, a.state, a.occasion, q.screen_id IS NOT NULL FROM assignment a JOIN screen s ON s.id = a.screen_id "
        "JOIN question z ON z.id = s.question_id LEFT JOIN screen b ON b.id = s.again AND b.question_id = s.question_id "
        "LEFT JOIN queue q ON q.screen_id = s.id ORDER BY s.id"
    )
    before = [tuple(row) for row in scope.ws.db.execute(sql)]
    assert [row[0] for row in before].count("repeat") == 4 and {
        row[2:] for row in before if row[0] == "repeat"
    } == {(1, "done", 1, 0)}
    place = small.folder(tmp_path, "copy", **snapshot.tables(scope.ws, scope.project("study")))
    copy = small.scope_of(small.workspace(tmp_path, "other"))
    small.bring(copy, place, rubric=RUBRIC)
    assert [tuple(row) for row in copy.ws.db.execute(sql)] == before


def test_nothing_comes_back_whose_marks_were_seen_or_that_looked_hard(tmp_path: Path) -> None:
    # half of them assisted, all in adaptive order
    scope = routed(tmp_path, N, calibration=0.0, blind=0.5, repeat=0.6)
    grade(
        scope,
        "mira",
        lambda criterion, question: "relevant" if criterion == "small/relevance" else 4,
    )
    assert not scope.ws.db.execute("SELECT 1 FROM screen WHERE design = 'repeat'").fetchall()
