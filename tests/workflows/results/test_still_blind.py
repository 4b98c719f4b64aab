"""Answers drawn for blind grading: what machines and colleagues think of them stays hidden from a
person who may still grade them, and sums are shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graders.core.errors import NotAllowed
from graders.core.shapes import writable
from graders.store.desk import queue
from graders.store.workspace import Workspace
from graders.workflows.agreement import matrix
from graders.workflows.agreement.records import MatrixCell
from graders.workflows.report import export
from graders.workflows.results import answer as results_answer
from graders.workflows.results import cell_answers
from graders.workflows.results import grid as results_grid
from graders.workflows.review import grading
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.workflows.review.test_grading import MARKER, NUMBER, at, made, say, take

HIDDEN = "hidden until you have graded it blind"


def study(tmp_path: Path, **shares: float) -> Workspace:
    """Twelve answers, of which six are drawn; a judge graded all."""
    ws = made(tmp_path, calibration=0.5, **shares)
    say(ws, "judge", f"{MARKER}-north", "small/completeness", 5)
    return ws


def drawn(ws: Workspace) -> set[tuple[str, str]]:
    """(question, model) of the drawn answers."""
    sql = (
        "SELECT q.key, a.model FROM screen s JOIN screen_subject x ON x.screen_id = s.id "
        "JOIN subject u ON u.id = x.subject_id JOIN answer a ON a.id = u.answer_id "
        "JOIN question q ON q.id = a.question_id WHERE s.design = 'calibration'"
    )
    return {(key, model) for key, model in ws.db.execute(sql)}


def test_results_show_sums_and_no_value_of_what_a_person_may_still_grade_blind(
    tmp_path: Path,
) -> None:
    ws = study(tmp_path)
    waiting = drawn(ws)
    assert len(waiting) == 6
    for model in ("Ash", "Oak", "Elm"):
        found = cell_answers.answers(at(ws, "jon"), "study", model, "small/completeness")
        assert found.total == 4 and len(found.rows) == 4
        for row in found.rows:
            hidden = (row.question_id, model) in waiting
            assert (row.reason == HIDDEN) is hidden and not (hidden and row.word)
    cells = [
        row.cells["small/completeness"] for row in results_grid.grid(at(ws, "jon"), "study").models
    ]
    assert [cell.cells for cell in cells] == [4, 4, 4], "sums are shown"


def test_one_answer_holds_no_byte_of_a_judge_and_stays_drawn_for_the_person(
    tmp_path: Path,
) -> None:
    ws = study(tmp_path)
    waiting = sorted(drawn(ws))
    for question, model in waiting:
        card = results_answer.answer(at(ws, "jon"), "study", question, model)
        sent = json.dumps(card, default=writable)
        assert MARKER not in sent and str(NUMBER)[1:] not in sent
        assert {cell.reason for cell in card.cells} == {HIDDEN}
        assert card.text, "the answer itself is shown"
    assert {screen.arm for screen in take(ws, "jon", 9) if screen.design == "calibration"} == {
        "blind"
    }
    mine = {
        (s.question.id, a.id)
        for s in take(ws, "jon", 9)
        if s.design == "calibration"
        for a in s.answers
    }
    assert len(mine) == 6, "looking has cost none of them"


def test_what_was_graded_or_seen_or_is_taken_or_was_never_drawn_is_shown(tmp_path: Path) -> None:
    ws = study(tmp_path)

    def shown(who: Scope, question: str, model: str) -> bool:
        card = results_answer.answer(who, "study", question, model)
        return MARKER in json.dumps(card, default=writable)

    everything = {(f"q{i}", model) for i in range(1, 5) for model in ("Ash", "Oak", "Elm")}
    for question, model in everything - drawn(ws):
        assert shown(at(ws, "jon"), question, model), "never drawn"
    for question, model in drawn(ws):
        assert shown(Scope(Actor(""), ws), question, model), (
            "somebody without a name grades nothing"
        )
    for screen in take(ws, "mira", 9):
        if screen.design == "calibration":
            small.save(at(ws, "mira"), screen, f"save-blind{screen.id}")
    for question, model in drawn(ws):
        assert shown(at(ws, "mira"), question, model), "graded by her"
        assert not shown(at(ws, "jon"), question, model), "his place is still free"
    for screen in take(ws, "jon", 9):
        if screen.design == "calibration":
            small.save(at(ws, "jon"), screen, f"save-jon{screen.id}")
    small.scope_of(ws, "ann")
    for question, model in drawn(ws):
        assert shown(at(ws, "ann"), question, model), "nobody is asked any more"


def test_the_answers_behind_a_matrix_leave_out_what_a_person_may_still_grade(
    tmp_path: Path,
) -> None:
    ws = study(tmp_path)
    for screen in take(ws, "mira", 9):
        if screen.design == "calibration":
            small.save(at(ws, "mira"), screen, f"save-blind{screen.id}")
    cell = MatrixCell("small/completeness", f"judge:{MARKER}-north", "person:mira", "5", "4")
    for person, rows in (("mira", 6), ("jon", 0)):
        found = matrix.matrix_cell(at(ws, person), "study", cell, 1)
        assert (found.total, len(found.rows)) == (6, rows), "the sum is shown"
        assert found.hidden == 6 - rows
    assert not any(queue.has_seen(ws.db, "jon", screen.id) for screen in take(ws, "jon", 9))


def test_an_annotator_exports_nothing(tmp_path: Path) -> None:
    ws = study(tmp_path)
    at(ws, "jon")
    with pytest.raises(NotAllowed):
        export.export(Scope(Actor("jon", "annotator"), ws), "study", "csv", tmp_path / "out.csv")
    assert grading.counts(at(ws, "jon"), "study").total > 0
