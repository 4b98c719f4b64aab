"""Review: what a person is shown and when, what a blind screen may hold, and what is kept of a
save."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError
from graders.core.records import Evidence, Mark, MetricValue, SubjectKey, Verdict
from graders.core.shapes import writable
from graders.store import projects
from graders.store.answers import content, metric_values
from graders.store.desk import queue
from graders.store.opinions import cells, made_cells, verdicts
from graders.store.opinions.verdicts import CellVerdict
from graders.store.workspace import Workspace
from graders.workflows.cells.state import read_frame, refresh
from graders.workflows.cells.told import GivenMark
from graders.workflows.results import answer as results_answer
from graders.workflows.review import grading
from graders.workflows.review.screen_records import CellShown, Screen
from graders.workflows.routing import route
from graders.workflows.scope.permissions import Scope
from tests.store import small

#: Nobody writes this by accident; numbers have a marker of their own.
MARKER, NUMBER = "ZQXJ", 0.8192735


def at(ws: Workspace, person: str) -> Scope:
    return small.scope_of(ws, person)


def take(ws: Workspace, person: str, count: int = 1, **more: Any) -> list[Screen]:
    return grading.next_screens(at(ws, person), "study", count, **more)


def made(tmp_path: Path, *, count: int = 4, **shares: Any) -> Workspace:
    """A routed project of Ash, Oak and Elm; nothing is drawn unless `shares` say so."""
    ws = small.workspace(tmp_path)
    files = small.folder(
        tmp_path,
        "study",
        questions=small.questions(count),
        answers=small.answers(count, ["Ash", "Oak", "Elm"]),
    )
    lead = at(ws, "lead")
    small.bring(lead, files)
    small.sample(ws, **{"calibration": 0.0, "audit": 0.0, "blind": 0.0, **shares})
    route.route(lead, "study")
    return ws


def say(ws: Workspace, kind: Any, author: str, criterion: str, value: Any, part: str = "") -> None:
    """A verdict by `author` on all answers, with a rationale and a quote that carry the marker."""
    project = projects.get_project(ws, "study")
    row = next(c for c in projects.criteria(ws, project) if c.key == criterion)
    mark = Mark(
        value=value,
        confidence=NUMBER,
        confidence_kind=f"{MARKER} stated",
        rationale=f"{MARKER} why",
        evidence=(Evidence(quote=f"{MARKER} says", found=True),),
    )
    with ws.write() as db:
        frame, rows = read_frame(ws, project, route=True), []
        for subject in content.subject_ids(db, project):
            cell = made_cells.add_cell(db, project, subject, row, part)
            question = cells.load_cells(db, [cell])[cell].question_id
            verdict = Verdict(
                subject=SubjectKey("", ""),
                criterion=row.key,
                part=part,
                author=author,
                author_kind=kind,
                mark=mark,
            )
            rows.append(CellVerdict(cell, row, question, verdict))
        refresh(db, frame, verdicts.append(db, project, rows, now=ws.now()), route=True)


def speak(ws: Workspace) -> None:
    """Judges, a rule, metrics, faults and a colleague have all said something unmistakable about
    every answer."""
    project = projects.get_project(ws, "study")
    say(ws, "judge", f"{MARKER}-north", "small/completeness", 5)
    say(ws, "judge", f"{MARKER}-south", "small/completeness", 1)
    say(ws, "judge", f"{MARKER}-north", "small/tone", "stiff")
    say(ws, "rule", f"{MARKER}-length", "small/brevity", "too long")
    say(ws, "rule", f"{MARKER}-count", "small/relevance", "irrelevant")
    say(ws, "judge", f"{MARKER}-north", "faults/fault", "present", part=f"{MARKER}_fault")
    say(ws, "person", f"{MARKER}-colleague", "small/relevance", "irrelevant")
    with ws.write() as db:
        value = MetricValue(metric=f"{MARKER}_f1", value=NUMBER, reference=0, version=MARKER)
        metric_values.put_metrics(
            db, project, [(subject, value, MARKER) for subject in content.subject_ids(db, project)]
        )
    for screen in take(ws, f"{MARKER}-colleague", 9):
        faults = [
            {
                "answer": screen.answers[0].id,
                "name": f"{MARKER}_added",
                "value": "present",
                "quote": f"{MARKER} quote",
            }
        ]
        small.save(
            at(ws, f"{MARKER}-colleague"),
            screen,
            f"{MARKER}-save-{screen.id}",
            comment=f"{MARKER} comment",
            flagged=True,
            faults=faults,
        )


def cells_of(screen: Screen) -> list[CellShown]:
    return [cell for answer in screen.answers for cell in answer.cells]


def stored(ws: Workspace, person: str) -> list[dict[str, Any]]:
    """A person's verdict rows in order, with their provenance."""
    sql = (
        "SELECT v.*, c.part, k.key FROM verdict v JOIN author a ON a.id = v.author_id AND a.name = ? JOIN cell c ON c.id = v.cell_id "
        "JOIN criterion k ON k.id = c.criterion_id ORDER BY v.id"
    )
    return [
        {**dict(row), "provenance": json.loads(row["provenance"] or "{}")}
        for row in ws.db.execute(sql, (person,))
    ]


# -- blindness


@pytest.mark.parametrize(
    "shares", [{"blind": 1.0}, {"calibration": 1.0}], ids=["blind arm", "calibration"]
)
def test_not_one_byte_of_a_blind_screen_comes_from_anybody_else(
    tmp_path: Path, shares: dict[str, float]
) -> None:
    ws = made(tmp_path, overlap=2, **shares)
    before = take(ws, "mira", 9)
    assert {screen.arm for screen in before} == {"blind"} and sum(
        len(s.answers) for s in before
    ) == 12
    speak(ws)
    after = [grading.one_screen(at(ws, "mira"), "study", screen.id) for screen in before]
    assert json.dumps(after, default=writable) == json.dumps(before, default=writable)
    for sign in (MARKER, str(NUMBER)[1:]):
        assert sign not in json.dumps(after, default=writable)


def test_the_same_marks_do_stand_on_an_assisted_screen(tmp_path: Path) -> None:
    ws = made(tmp_path, overlap=2)
    speak(ws)
    sent = json.dumps(take(ws, "mira", 9), default=writable)
    for sign in (
        f"{MARKER}-north",
        f"{MARKER}-south",
        f"{MARKER}-length",
        f"{MARKER}_fault",
        f"{MARKER}_added",
        f"{MARKER} why",
        str(NUMBER),
    ):
        assert sign in sent
    assert f"{MARKER} comment" not in sent and f"{MARKER}-colleague" not in sent, (
        "colleagues are never named, and their marks not shown"
    )


def test_a_blind_screen_shows_the_own_marks_again(tmp_path: Path) -> None:
    ws = made(tmp_path, blind=1.0)
    (screen,) = take(ws, "mira")
    small.save(at(ws, "mira"), screen, "save-one1", {"completeness": 4})
    again = grading.one_screen(at(ws, "mira"), "study", screen.id)
    assert [c.mine for c in cells_of(again) if c.criterion == "small/completeness"] == [
        GivenMark(4, "ok", "")
    ] * 3
    assert [c.mine for c in cells_of(again) if c.criterion == "small/tone"] == [None] * 3


def test_names_of_models_are_masked_unless_the_lead_shows_them(tmp_path: Path) -> None:
    ws = made(tmp_path)
    (screen,) = take(ws, "mira")
    assert {answer.model for answer in screen.answers} == {None}
    assert {answer.text for answer in screen.answers} == {"[model] says 1."}
    projects.set_settings(ws, projects.get_project(ws, "study"), {"show_models": True})
    shown = grading.one_screen(at(ws, "mira"), "study", screen.id)
    assert sorted((a.model, a.text) for a in shown.answers) == [
        ("Ash", "Ash says 1."),
        ("Elm", "Elm says 1."),
        ("Oak", "Oak says 1."),
    ]


# -- arms and draws


def test_arm_and_probability_are_stored_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = made(tmp_path, blind=0.5, count=12)

    def broken(*args: Any) -> Any:
        raise RuntimeError("nothing was sent")

    with monkeypatch.context() as patch:
        patch.setattr(grading.screens, "build", broken)
        with pytest.raises(RuntimeError):
            take(ws, "mira", 12)
    rows = ws.db.execute(
        "SELECT screen_id, arm, probability, order_seed FROM assignment ORDER BY screen_id"
    ).fetchall()
    assert len(rows) == 12 and {(row["arm"], row["probability"]) for row in rows} == {
        ("blind", 0.5),
        ("assisted", 0.5),
    }
    sent = {screen.id: screen.arm for screen in take(ws, "mira", 12)}
    assert sent == {row["screen_id"]: row["arm"] for row in rows}, (
        "what was drawn is what is sent, however often it is asked for"
    )


def test_a_persons_first_screens_are_drawn_ones_alone(tmp_path: Path) -> None:
    ws = made(tmp_path, count=80, calibration=0.5, blind=0.2)
    designs = [screen.design for screen in take(ws, "mira", 40)]
    assert designs[:30] == ["calibration"] * 30
    assert designs[30:] == ["calibration"] * 4 + ["ordinary"] + ["calibration"] * 4 + ["ordinary"]


def test_drawn_screens_come_first_and_every_fifth_is_an_ordinary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading, "DRAWN_FIRST", 0)
    ws = made(tmp_path, count=20, calibration=0.5, blind=0.2)  # 30 of 60 answers are drawn
    designs = [screen.design for screen in take(ws, "mira", 12)]
    assert designs == (["calibration"] * 4 + ["ordinary"]) * 2 + ["calibration"] * 2
    rows = ws.db.execute(
        "SELECT s.needed, q.priority, a.arm, a.probability, s.design FROM assignment a "
        "JOIN screen s ON s.id = a.screen_id JOIN queue q ON q.screen_id = s.id ORDER BY a.id"
    ).fetchall()
    assert {row["needed"] for row in rows if row["design"] == "calibration"} == {2}
    # while they are mixed, half of the ordinary ones are blind, and that chance is kept
    assert {row["probability"] for row in rows if row["design"] == "ordinary"} == {0.5}
    mine = {screen.id for screen in take(ws, "mira", 12) if screen.design == "calibration"}
    theirs = [screen for screen in take(ws, "jon", 12) if screen.design == "calibration"]
    assert mine == {screen.id for screen in theirs}, "two people get the same ones first"


def test_once_both_arms_have_enough_questions_drawn_screens_come_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graders.workflows.review._mixing.ARM_QUESTIONS", 1)
    monkeypatch.setattr(grading, "DRAWN_FIRST", 0)
    ws = made(tmp_path, count=30, calibration=0.5, blind=0.5)
    designs = []
    for number in range(24):
        (screen,) = take(ws, "mira", 1)
        designs.append(screen.design)
        small.save(at(ws, "mira"), screen, f"save-mix{number:02}")
    arms = [
        row[0]
        for row in ws.db.execute(
            "SELECT a.arm FROM assignment a JOIN screen s ON s.id = a.screen_id "
            "WHERE s.design = 'ordinary' ORDER BY a.id"
        )
    ]
    assert set(arms) == {"blind", "assisted"} and len(arms) < 24 // 5
    assert designs[-5:] == ["calibration"] * 5


def test_who_has_seen_marks_gets_no_drawn_screen(tmp_path: Path) -> None:
    ws = made(tmp_path, count=1, calibration=0.34, answers_per_screen=1)  # one of three answers
    drawn, subject = ws.db.execute(
        "SELECT s.id, x.subject_id FROM screen s JOIN screen_subject x ON x.screen_id = s.id WHERE s.design = 'calibration'"
    ).fetchone()
    at(ws, "jon")
    with ws.write() as db:  # as a page that shows marks remembers it
        queue.mark_seen(db, ws, "jon", [subject])
    assert drawn not in [screen.id for screen in take(ws, "jon", 9)]
    assert [screen.id for screen in take(ws, "mira", 9)] == [drawn]


def test_an_ordinary_screen_with_a_seen_answer_is_assisted(tmp_path: Path) -> None:
    ws = made(tmp_path, count=2, blind=1.0)
    say(ws, "judge", "north", "small/completeness", 4)
    results_answer.answer(at(ws, "jon"), "study", "q1", "Ash")
    found = {screen.question.id: screen.arm for screen in take(ws, "jon", 9)}
    assert found == {"q1": "assisted", "q2": "blind"}
    assert [row[0] for row in ws.db.execute("SELECT probability FROM assignment ORDER BY arm")] == [
        1.0,
        1.0,
    ]


def test_marks_seen_between_sending_and_saving_make_the_verdicts_assisted(tmp_path: Path) -> None:
    ws = made(tmp_path, count=1, blind=1.0)
    (screen,) = take(ws, "mira")
    say(ws, "judge", "north", "small/completeness", 4)
    results_answer.answer(at(ws, "mira"), "study", "q1", "Oak")
    small.save(at(ws, "mira"), screen, "save-one1")
    assert {
        (row["provenance"]["arm"], row["provenance"]["design"]) for row in stored(ws, "mira")
    } == {("assisted", "ordinary")}
    assert {
        row[0]
        for row in ws.db.execute(
            "SELECT blind FROM opinion o JOIN author a ON a.id = o.author_id AND a.kind = 'person'"
        )
    } == {0}


def test_a_drawn_answer_stands_on_no_ordinary_screen(tmp_path: Path) -> None:
    ws = made(tmp_path, count=10, calibration=0.3)
    stands = ws.db.execute(
        "SELECT s.design, x.subject_id FROM screen s JOIN screen_subject x ON x.screen_id = s.id"
    ).fetchall()
    drawn, ordinary = (
        {row["subject_id"] for row in stands if (row["design"] == "calibration") is which}
        for which in (True, False)
    )
    assert (len(drawn), len(ordinary), drawn & ordinary) == (9, 21, set())  # 30 % of 30 answers
    assert {
        row[0]
        for row in ws.db.execute("SELECT probability FROM screen WHERE design = 'calibration'")
    } == {0.3}


def needed(ws: Workspace) -> list[tuple[str, int, int]]:
    sql = "SELECT DISTINCT s.design, s.needed, q.free FROM screen s JOIN queue q ON q.screen_id = s.id ORDER BY s.design"
    return [tuple(row) for row in ws.db.execute(sql)]


@pytest.mark.parametrize(
    ("shares", "design", "arm", "people"),
    [
        ({}, "ordinary", "assisted", 2),
        ({"blind": 1.0}, "ordinary", "blind", 2),
        ({"calibration": 1.0}, "calibration", "blind", 2),
        ({"audit": 1.0}, "audit", "blind", 1),
    ],
)
def test_overlap_by_design(
    tmp_path: Path, shares: dict[str, float], design: str, arm: str, people: int
) -> None:
    ws = made(tmp_path, count=1)
    say(ws, "judge", "north", "small/completeness", 4)  # an automatic cell, which an audit needs
    ws.db.execute("DELETE FROM seen")
    small.sample(ws, overlap=2, **shares)
    route.route(at(ws, "lead"), "study")
    wanted = [row for row in needed(ws) if row[0] == design]
    assert wanted == [(design, people, people)]
    for person in ("mira", "jon", "ann"):
        given = [screen for screen in take(ws, person, 9) if screen.design == design]
        assert [screen.arm for screen in given] == (
            [arm] if person in ("mira", "jon")[:people] else []
        )


@pytest.mark.parametrize("calibration", [1.0, 0.0])
def test_a_screen_that_nobody_has_follows_the_overlap(tmp_path: Path, calibration: float) -> None:
    ws = made(tmp_path, count=4, calibration=calibration)
    held, saved, back = take(ws, "mira", 3)
    small.save(at(ws, "mira"), saved, "save-one1")
    grading.release(at(ws, "mira"), "study", [back.id])
    for overlap in (3, 2):
        small.sample(ws, overlap=overlap)
        route.route(at(ws, "lead"), "study")
        people = dict(ws.db.execute("SELECT id, needed FROM screen").fetchall())
        # of drawn answers the first screens are for two people whatever the overlap
        first = 2 if calibration else 1
        assert [people.pop(screen.id) for screen in (held, saved)] == [first, first], (
            "what somebody holds or saved stays as it was handed out"
        )
        assert back.id in people and {*people.values()} == {overlap}
        assert small.free(ws) == small.places(ws)


def test_a_begun_screen_that_has_nothing_more_to_ask_is_not_handed_out(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    lead = at(ws, "lead")
    rubric = "rubric: small\ncriteria: {completeness: {question: Is all there?, scale: {from: 1, to: 5}, graders: [judge]}}"
    small.bring(
        lead,
        small.folder(
            tmp_path,
            "study",
            questions=small.questions(1),
            answers=small.answers(1, ["Ash", "Oak"]),
        ),
        rubric=rubric,
    )
    small.sample(ws, calibration=0.0, audit=0.0, blind=0.0, overlap=2)
    route.route(lead, "study")
    (screen,) = take(ws, "mira")
    small.save(at(ws, "mira"), screen, "save-one1", {"completeness": 4})
    say(ws, "judge", "north", "small/completeness", 4)
    for sure, handed in ((0.6, 0), (1.0, 1)):
        projects.set_settings(
            ws, projects.get_project(ws, "study"), {"routes": {"low_confidence": sure}}
        )
        route.route(lead, "study")
        assert grading.counts(at(ws, "jon"), "study").waiting == handed
    assert [one.id for one in take(ws, "jon", 9)] == [screen.id]


# -- order, twins


def test_the_order_is_the_same_on_reload_and_another_for_others(tmp_path: Path) -> None:
    ws = made(tmp_path, count=12, overlap=2)
    orders = {}
    for person in ("mira", "jon"):
        orders[person] = {
            screen.id: [answer.id for answer in screen.answers] for screen in take(ws, person, 12)
        }
        again = {
            i: [a.id for a in grading.one_screen(at(ws, person), "study", i).answers]
            for i in orders[person]
        }
        assert again == orders[person]
    assert orders["mira"].keys() == orders["jon"].keys() and len(orders["mira"]) == 12
    assert orders["mira"] != orders["jon"]  # equal by chance: (1/6)^12
    # by chance: (1/6)^12
    assert any(sorted(order) != order for order in orders["mira"].values()), (
        "not the order of the rows"
    )


def test_equal_texts_are_read_once_and_keep_cells_of_their_own(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    answers = [
        {"question_id": "q1", "model": m, "text": t}
        for m, t in (("Ash", "The same."), ("Oak", "Another."), ("Elm", "The same."))
    ]
    small.bring(
        at(ws, "lead"), small.folder(tmp_path, "f", questions=small.questions(1), answers=answers)
    )
    small.sample(ws, calibration=0.0, audit=0.0, blind=0.0)
    route.route(at(ws, "lead"), "study")
    (screen,) = take(ws, "mira")
    assert sorted((a.text, len(a.twins)) for a in screen.answers) == [
        ("Another.", 0),
        ("The same.", 1),
    ]
    small.save(at(ws, "mira"), screen, "save-one1", {"completeness": 4})
    assert [row["value"] for row in stored(ws, "mira")] == ["4"] * 3


def test_the_queue_can_be_narrowed(tmp_path: Path) -> None:
    ws = made(tmp_path, count=6)
    kinds = {
        row["key"]: row["task_type"] for row in ws.db.execute("SELECT key, task_type FROM question")
    }
    assert len(set(kinds.values())) > 1
    wanted = next(iter(kinds.values()))
    given = take(ws, "ann", 50, narrow=f"task_type={wanted}")
    assert given and {screen.question.task_type for screen in given} == {wanted}
    others = take(ws, "ann", 50, have=[screen.id for screen in given])
    assert all(screen.question.task_type != wanted for screen in others)
    with pytest.raises(
        InputError,
        match=r"queue: found 'seed=1', expected one of task_type=\.\.\., category=\.\.\., language=\.\.\.",
    ):
        take(ws, "ann", 1, narrow="seed=1")
