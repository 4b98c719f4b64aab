"""Review: what is kept of a save, what undo brings back, faults, and what is refused in a
sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import CogradeError, InputError, NotFound
from graders.store.answers import content
from graders.store.desk import assignments
from graders.workflows.review import grading
from graders.workflows.routing import route
from graders.workflows.scope import identity
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.workflows.review.test_grading import at, cells_of, made, say, stored, take

# -- saving


def test_a_save_counts_once_however_often_it_arrives(tmp_path: Path) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira")
    first = small.save(at(ws, "mira"), screen, "save-one1")
    again = small.save(at(ws, "mira"), screen, "save-one1", {"completeness": 1})
    assert (first.stored, again.stored, again.ok) == (True, False, True)
    assert len(stored(ws, "mira")) == 3 * 4 and {
        row["value"] for row in stored(ws, "mira") if row["key"] == "small/completeness"
    } == {"4"}


def test_provenance_says_how_a_verdict_came_about(tmp_path: Path) -> None:
    ws = made(tmp_path, count=1)
    say(ws, "judge", "north", "small/completeness", 5)
    say(ws, "rule", "length", "small/brevity", "too long")
    (screen,) = take(ws, "mira")
    answer = screen.answers[1]
    cell = next(c for c in answer.cells if c.criterion == "small/completeness")
    other = next(c for c in answer.cells if c.criterion == "small/brevity")
    given = [
        {
            "cell": cell.id,
            "value": 2,
            "action": "edited",
            "seconds": 7.5,
            "fault_of": "judge wrong",
        },
        # a clock that went backwards has measured nothing
        {
            "cell": other.id,
            "value": None,
            "action": "typed",
            "seconds": -1,
        },
    ]
    order = [a.id for a in screen.answers]
    body = {"save_id": "save-one1", "screen": screen.id, "order": order, "seconds": "long"}
    grading.save(at(ws, "mira"), "study", {**body, "verdicts": given})
    assert (
        ws.db.execute("SELECT seconds FROM assignment WHERE save_id = 'save-one1'").fetchone()[0]
        == 0
    )
    names = {s.id: s.subject.answer.model for s in content.subjects(ws.db, order)}
    one, two = stored(ws, "mira")
    beside = sorted(names[i] for i in order if i != answer.id)
    assert {**one["provenance"], "shown_beside": sorted(one["provenance"]["shown_beside"])} == {
        "arm": "assisted", "design": "ordinary", "probability": 1.0, "action": "edited", "seconds": 7.5, "judges_seen": ["north"],
        "shown_beside": beside, "order": 1, "fault_of": "judge wrong", "comment": "",
        "after_reveal": False,
    }  # fmt: skip
    assert (one["screen_id"], one["save_id"], one["kind"], one["criterion_hash"] != "") == (
        screen.id,
        "save-one1",
        "given",
        True,
    )
    assert two["provenance"]["seconds"] == 0
    assert (two["provenance"]["judges_seen"], two["value"], two["status"], two["reason"]) == (
        ["length"],
        None,
        "unscored",
        "not_applicable",
    )


@pytest.mark.parametrize(
    ("shares", "design", "probability"),
    [
        ({"blind": 0.25}, "blind_arm", 0.25),
        ({"calibration": 0.5}, "calibration", 0.5),  # 6 of 12 answers
        ({"calibration": 1.0, "blind": 0.25}, "calibration", 1.0),
    ],
)
def test_a_blind_verdict_carries_its_draw(
    tmp_path: Path, shares: dict[str, float], design: str, probability: float
) -> None:
    ws = made(tmp_path, **shares)
    # the blind arm is drawn for each person and screen
    for person in (
        "mira",
        "jon",
        "ann",
        "bob",
        "cy",
        "di",
    ):
        for screen in take(ws, person, 9):
            if screen.arm == "blind":
                small.save(at(ws, person), screen, f"save-{person}-{screen.id}", {"tone": "dry"})
            else:
                grading.release(at(ws, person), "study", [screen.id])
    found = [
        row["provenance"]
        for person in ("mira", "jon", "ann", "bob", "cy", "di")
        for row in stored(ws, person)
    ]
    assert {(p["arm"], p["design"], p["probability"], tuple(p["judges_seen"])) for p in found} == {
        ("blind", design, probability, ())
    }


def test_a_second_save_amends_the_first_and_undo_brings_it_back(tmp_path: Path) -> None:
    ws = made(tmp_path)
    mira = at(ws, "mira")
    (screen,) = take(ws, "mira")
    cell = next(c.id for c in cells_of(screen) if c.criterion == "small/completeness")

    def now() -> tuple[Any, str]:
        row = ws.db.execute("SELECT final, final_source FROM cell WHERE id = ?", (cell,)).fetchone()
        return row["final"], row["final_source"]

    assert now() == (None, "pending")
    small.save(mira, screen, "save-one1", {"completeness": 2})
    small.save(mira, screen, "save-two2", {"completeness": 5})
    rows = [row for row in stored(ws, "mira") if row["cell_id"] == cell]
    assert [(row["kind"], row["amends"], row["value"]) for row in rows] == [
        ("given", "", "2"),
        ("amends", rows[0]["uid"], "5"),
    ]
    assert now() == ("5", "people")
    back = grading.undo(mira, "study", "undo-two2", "save-two2")
    assert now() == ("2", "people")
    assert next(c.mine.value for c in cells_of(back) if c.id == cell) == 5, (
        "the screen shows what was taken back, to go on from there"
    )
    grading.undo(mira, "study", "undo-one1", "save-one1")
    assert now() == (None, "pending")
    grading.undo(mira, "study", "undo-one2", "save-one1")  # twice is once
    kinds = [row["kind"] for row in stored(ws, "mira") if row["cell_id"] == cell]
    assert kinds == ["given", "amends", "retracts", "retracts"], "nothing was removed"
    assert small.tallied(ws) == small.recount(ws) and small.opinions(ws) == small.standing(ws)


def test_skipping_stores_no_verdict_and_keeps_the_reason(tmp_path: Path) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira")
    small.save(at(ws, "mira"), screen, "skip-one1", skipped="not my field")
    assert stored(ws, "mira") == []
    assert ws.db.execute("SELECT state, reason FROM assignment").fetchone()[:] == (
        "skipped",
        "not my field",
    )
    assert grading.counts(at(ws, "mira"), "study").done == 0


def test_flags_are_set_with_a_save_and_taken_off_by_the_next(tmp_path: Path) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira")
    small.save(at(ws, "mira"), screen, "save-one1", flagged=True)
    assert ws.db.execute("SELECT count(*) FROM flag WHERE person_id = 'mira'").fetchone()[0] == 3
    assert grading.counts(at(ws, "mira"), "study").flagged == 1
    small.save(at(ws, "mira"), screen, "save-two2", flagged=False)
    assert ws.db.execute("SELECT count(*) FROM flag").fetchone()[0] == 0


# -- faults


def faults(screen: Mapping[str, Any], answer: int) -> list[str]:
    return [fault.name for a in screen.answers if a.id == answer for fault in a.faults]


def test_faults_are_added_confirmed_and_rejected(tmp_path: Path) -> None:
    ws = made(tmp_path, overlap=2)
    say(ws, "judge", "north", "faults/fault", "present", part="slow_start")
    (screen,) = take(ws, "mira")
    first, second, third = (answer.id for answer in screen.answers)
    assert faults(screen, first) == ["slow_start"]
    given = [
        {"answer": first, "name": "slow_start", "value": "present"},
        {"answer": second, "name": "slow_start", "value": "absent"},
        {"answer": third, "name": "empty_phrase", "value": "present", "quote": "says 1"},
    ]
    small.save(at(ws, "mira"), screen, "save-one1", faults=given)
    sql = "SELECT subject_id, part, final, final_source FROM cell WHERE criterion_id = (SELECT id FROM criterion WHERE key = 'faults/fault') AND subject_id IN (?, ?, ?)"
    found = {
        (row["subject_id"], row["part"]): (row["final"], row["final_source"])
        for row in ws.db.execute(sql, (first, second, third))
    }
    assert found[(first, "slow_start")] == ('"present"', "people")
    assert found[(second, "slow_start")] == ('"absent"', "people")
    assert found[(third, "empty_phrase")] == ('"present"', "people")
    assert found[(third, "slow_start")][1] == "pending"
    added = next(row for row in stored(ws, "mira") if row["part"] == "empty_phrase")
    assert json.loads(added["evidence"]) == [{"quote": "says 1"}]
    (other,) = take(ws, "jon")
    assert faults(other, third) == ["empty_phrase", "slow_start"], "a colleague sees what was added"


# -- what is refused


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"save_id": "x"}, "save_id: found 'x', expected 8 to 80 characters, made by the page."),
        ({"screen": "one"}, "screen: found 'one', expected a number."),
        ({"screen": "9" * 25}, "screen: found '9999999999999999999999999', expected a number."),
        ({"screen": 999}, "screen: found 999, expected a screen that was given to you. Reload the page."),
        ({"verdicts": [{"cell": 10**6, "value": 1}]}, "verdict: found cell 1000000, expected a cell of this screen. Reload the page."),
        ({"verdicts": [{"cell": "x", "value": 1}]}, "cell: found 'x', expected a number."),
        ({"faults": [{"answer": 1, "name": "", "value": "present"}]}, "fault: found {'answer': 1, 'name': '', 'value': 'present'}, expected an answer of this screen, a name, present or absent."),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_a_sentence(
    tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira")
    with pytest.raises(InputError) as refused:
        grading.save(
            at(ws, "mira"),
            "study",
            {"save_id": "save-one1", "screen": screen.id, "verdicts": [], **change},
        )
    assert str(refused.value) == sentence
    assert (
        stored(ws, "mira") == [] and ws.db.execute("SELECT count(*) FROM save").fetchone()[0] == 0
    )


@pytest.mark.parametrize(
    ("criterion", "value", "expected"),
    [
        ("completeness", 6, "a whole number from 1 to 5"),
        ("completeness", "good", "a whole number from 1 to 5"),
        ("relevance", "very", "one of irrelevant, relevant"),
        ("tone", 1e400, "one of warm, dry, stiff"),
    ],
)
def test_a_value_off_its_scale_is_refused_and_the_good_ones_with_it(
    tmp_path: Path, criterion: str, value: Any, expected: str
) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira")
    with pytest.raises(
        InputError, match=f"^verdict on {criterion.title()}: found .*, expected {expected}"
    ):
        small.save(at(ws, "mira"), screen, "save-one1", {**small.VALUES, criterion: value})
    assert stored(ws, "mira") == [], "a save is taken whole or not at all"
    assert small.save(at(ws, "mira"), screen, "save-one1").stored, (
        "the page may send it again, mended"
    )


def test_a_cell_of_another_screen_is_refused(tmp_path: Path) -> None:
    ws = made(tmp_path)
    mine, other = take(ws, "mira", 2)
    with pytest.raises(InputError, match="expected a cell of this screen"):
        grading.save(
            at(ws, "mira"),
            "study",
            {
                "save_id": "save-one1",
                "screen": mine.id,
                "verdicts": small.marks(other, small.VALUES),
            },
        )


def test_screens_and_saves_of_others_are_not_there(tmp_path: Path) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira")
    small.save(at(ws, "mira"), screen, "save-one1")
    jon = at(ws, "jon")
    with pytest.raises(NotFound, match="expected one of your screens"):
        grading.one_screen(jon, "study", screen.id)
    with pytest.raises(NotFound, match="expected the id of one of your saves"):
        grading.undo(jon, "study", "undo-one1", "save-one1")
    with pytest.raises(
        NotFound,
        match=r"question 'q99': found no such question, expected the id of a question of this project\.",
    ):
        take(ws, "jon", question_key="q99")


def test_without_a_name_there_is_no_screen(tmp_path: Path) -> None:
    ws = made(tmp_path)
    with pytest.raises(
        CogradeError,
        match=r"annotator name: found none, expected a name\. Enter your name first\.",
    ):
        grading.next_screens(Scope(Actor(), ws), "study", 1)
    with pytest.raises(InputError, match="expected 1 to 80 characters"):
        identity.enter(Scope(Actor(), ws), "   ")
    person = identity.enter(Scope(Actor(), ws), "  Nora   Holm ").person
    assert person.name == "Nora Holm"
    assert identity.enter(Scope(Actor(person.id), ws), "Nora").person.id == person.id, (
        "a new label, the same person"
    )


def test_a_question_is_opened_by_its_address(tmp_path: Path) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira", question_key="q3")
    assert screen.question.id == "q3"
    assert assignments.find(ws.db, screen.id, "mira") is not None


def test_faults_of_equal_answers_are_sent_and_kept_for_each(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    answers = [{"question_id": "q1", "model": m, "text": "The same."} for m in ("Ash", "Oak")]
    small.bring(
        at(ws, "lead"), small.folder(tmp_path, "f", questions=small.questions(1), answers=answers)
    )
    small.sample(ws, calibration=0.0, audit=0.0, blind=0.0)
    route.route(at(ws, "lead"), "study")
    say(ws, "judge", "north", "faults/fault", "present", part="slow_start")
    (screen,) = take(ws, "mira")
    [answer] = screen.answers
    both = [answer, *answer.twins]
    found = [(one.id, fault.id, fault.name) for one in both for fault in one.faults]
    assert len({cell for _, cell, _ in found}) == 2 and {name for _, _, name in found} == {
        "slow_start"
    }
    given = [
        {"answer": one, "cell": cell, "name": name, "value": "absent"} for one, cell, name in found
    ]
    small.save(at(ws, "mira"), screen, "save-one1", {}, faults=given)
    finals = ws.db.execute(
        "SELECT final, final_source FROM cell WHERE part = 'slow_start'"
    ).fetchall()
    assert [tuple(row) for row in finals] == [('"absent"', "people")] * 2
    again = grading.one_screen(at(ws, "mira"), "study", screen.id).answers[0]
    assert [fault.mine.value for one in (again, *again.twins) for fault in one.faults] == [
        "absent"
    ] * 2
