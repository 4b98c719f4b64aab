"""Taking an import back: all of it goes, what it replaced is back, and nobody's work is touched."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import CogradeError, Conflict, InputError, NotAllowed
from graders.core.rubric import read_rubric
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.transfer import taking_back
from graders.store.workspace import Workspace
from graders.workflows.importing import take_back
from graders.workflows.importing.take_back import TAKEN_BACK
from graders.workflows.report.export import export
from graders.workflows.review import grading
from graders.workflows.routing import route
from graders.workflows.runs import runs
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.support.stub import provider_stub

#: What the second import changes of the first: texts, a reference, seconds, a rubric; and adds.
CHANGED = small.RUBRIC.replace("Is all there?", "Is all that was asked for there?")


def whole(scope: Scope, place: Path) -> dict[str, bytes]:
    """All that an export has of the project, but for the times at which screens were placed."""
    file = place / f"{len(list(place.glob('*.zip')))}.zip"
    export(scope, "study", "jsonl", file)
    with zipfile.ZipFile(file) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    for name in ("screens.jsonl", "review_order.jsonl"):
        held[name] = re.sub(rb'"(created_)?at": "[^"]*"', b"", held[name])
    return held


def sound(ws: Workspace) -> None:
    """The file is whole, and what is kept beside the verdicts equals a fresh count."""
    assert ws.check() == []
    assert small.tallied(ws) == small.recount(ws)
    assert small.opinions(ws) == small.standing(ws)
    assert small.free(ws) == small.places(ws)


def second(place: Path, scope: Scope, **tables: Any) -> int:
    """An import that changes answers, a question and the rubric, and adds a question."""
    questions = small.questions(5)
    questions[0] = {**questions[0], "reference": ["One."], "category": "other things"}
    answers = small.answers(5, ("Ash", "Yew"), text="{model} now says {i}.")
    answers.append(
        {"question_id": "q2", "model": "Oak", "text": "Oak says 2.", "total_seconds": 3.5}
    )
    people = [
        small.human("q3", "Elm", "tone", "ann", "warm"),
        small.human("q5", "Ash", "tone", "bob", "dry"),
    ]
    given = {"questions": questions, "answers": answers, "human": people, **tables}
    return small.bring(scope, small.folder(place, "more", **given), rubric=CHANGED).import_id


def test_all_is_as_it_was_before_the_import(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    first = [small.human("q3", "Elm", "tone", "ann", "stiff")]
    scope = small.study(tmp_path, ws, human=first)
    before = whole(scope, tmp_path)
    number = second(tmp_path, scope)
    route.route(scope, "study")
    during = whole(scope, tmp_path)
    changed = {name for name in before if before[name] != during[name]}
    assert {"questions.jsonl", "answers.jsonl", "human.jsonl", "rubrics/small.yaml"} <= changed
    (line, _) = take_back.listed_imports(scope, "study")
    assert (line.id, line.can_take_back, line.source) == (number, True, "more")
    assert (line.changed_questions, line.new_versions, line.verdicts) == (1, 4, 2)
    done = take_back.take_back(scope, number)
    assert (done.answers, done.questions, done.unplaced, done.stay) == (4, 1, True, [])
    route.route(scope, "study")
    after = whole(scope, tmp_path)
    assert {name for name in before if before[name] != after[name]} == set()
    sound(ws)
    assert "bob" not in projects.people(ws) and "ann" in projects.people(ws)
    held = [
        table
        for table in ("question", "answer", "subject", "cell", "verdict", "kept", "undo", "bad_row")
        if ws.db.execute(f"SELECT 1 FROM {table} WHERE import_id = ?", (number,)).fetchone()
    ]
    assert held == []
    said = {one.kind: one.body for one in projects.events(ws, projects.get_project(ws, "study"))}
    assert said[TAKEN_BACK]["import"] == number
    (line, first_line) = take_back.listed_imports(scope, "study")
    assert line.state == "taken_back" and line.taken_back and not line.can_take_back
    assert first_line.can_take_back


def test_the_only_import_leaves_an_empty_project_that_takes_a_file_again(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    before = whole(scope, tmp_path)
    take_back.take_back(scope, 1)
    sound(ws)
    assert projects.begun_projects(ws)[0].name == "study"
    assert projects.rubrics(ws, projects.get_project(ws, "study")) == []
    for table in ("question", "answer", "subject", "cell", "verdict", "opinion", "screen", "queue"):
        assert ws.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0, table
    small.bring(scope, tmp_path / "study")
    route.route(scope, "study")
    after = whole(scope, tmp_path)
    assert {name for name in before if before[name] != after[name]} == set()


def test_later_answers_get_no_number_that_a_draw_has_counted(tmp_path: Path) -> None:
    """What is imported after a draw is not in it, though rows before it were removed."""
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws, count=6)
    small.sample(ws, calibration=0.5)
    more = small.folder(
        tmp_path,
        "more",
        questions=[{**q, "id": "n" + q["id"]} for q in small.questions(6)],
        answers=[{**a, "question_id": "n" + a["question_id"]} for a in small.answers(6, ("Ash",))],
    )
    number = small.bring(scope, more, rubric=None).import_id
    route.route(scope, "study")
    project = projects.get_project(ws, "study")
    (draw,) = [e for e in projects.events(ws, project, "draw") if e.body["design"] == "calibration"]
    take_back.take_back(scope, number)
    sound(ws)
    left = ws.db.execute("SELECT text, model FROM answer WHERE import_id = ?", (number,)).fetchall()
    assert [row[0] for row in left] == [""], "an empty row keeps the number"
    assert b"nq1" not in b"".join(whole(scope, tmp_path).values())
    small.bring(scope, more, rubric=None)
    sql = "SELECT min(s.id) FROM subject s JOIN question q ON q.id = s.question_id WHERE q.key LIKE 'nq%'"
    assert ws.db.execute(sql).fetchone()[0] > draw.body["upto"]
    sound(ws)


def refused(scope: Scope, number: int) -> str:
    """The sentence with which taking back is refused; nothing has changed."""
    ws = scope.ws
    before = [dump for dump in ws.db.iterdump() if "opinion" in dump or "verdict" in dump]
    with pytest.raises((Conflict, InputError)) as raised:
        take_back.take_back(scope, number)
    assert before == [dump for dump in ws.db.iterdump() if "opinion" in dump or "verdict" in dump]
    line = take_back.one_import(scope, number)
    assert not line.can_take_back and line.why_not
    return str(raised.value)


def test_a_persons_rating_and_an_open_screen_refuse(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path, clock=(clock := small.Clock()))
    scope = small.study(tmp_path, ws)
    mira = small.scope_of(ws, "mira")
    (screen,) = grading.next_screens(mira, "study", 1)
    said = refused(scope, 1)
    assert "screen open at Mira" in said and "close the review desk" in said
    small.save(mira, screen, "save-one")
    clock.now += 3600
    said = refused(scope, 1)
    assert "12 ratings by Mira" in said and "never removed" in said


def test_an_open_screen_that_nobody_came_back_to_does_not_refuse(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path, clock=(clock := small.Clock()))
    scope = small.study(tmp_path, ws)
    grading.next_screens(small.scope_of(ws, "mira"), "study", 1)
    clock.now += 3600
    take_back.take_back(scope, 1)
    sound(ws)


def test_a_rating_that_comes_meanwhile_refuses_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person comes back to a screen after the first look at who worked on it."""
    ws = small.workspace(tmp_path, clock=(clock := small.Clock()))
    scope = small.study(tmp_path, ws)
    mira = small.scope_of(ws, "mira")
    (screen,) = grading.next_screens(mira, "study", 1)
    clock.now += 3600
    adopt = taking_back.adopt

    def late(ws: Workspace, import_id: int) -> None:
        small.save(mira, screen, "save-mira")
        adopt(ws, import_id)

    monkeypatch.setattr(taking_back, "adopt", late)
    with pytest.raises(Conflict, match="12 ratings by Mira"):
        take_back.take_back(scope, 1)
    sound(ws)
    kept = "SELECT count(*) FROM verdict v JOIN author a ON a.id = v.author_id WHERE a.kind = 'person' AND v.import_id = 0"
    assert ws.db.execute(kept).fetchone()[0] == 12
    assert len(whole(scope, tmp_path)["human.jsonl"].splitlines()) == 12


def test_a_rating_of_an_answer_whose_question_it_changed_refuses(tmp_path: Path) -> None:
    """On answers of another import, given after it; one given before it does not."""
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    mira = small.scope_of(ws, "mira")
    (screen,) = grading.next_screens(mira, "study", 1)
    small.save(mira, screen, "save-one")
    questions = [{**q, "reference": ["So."]} for q in small.questions(4)]
    more = small.folder(tmp_path, "more", questions=questions)
    number = small.bring(scope, more, rubric=None).import_id
    assert take_back.one_import(scope, number).can_take_back
    (screen,) = [s for s in grading.next_screens(mira, "study", 2) if s.id != screen.id][:1]
    small.save(mira, screen, "save-two")
    assert "12 ratings by Mira" in refused(scope, number)


def test_a_judge_a_later_import_a_choice_and_a_run_refuse(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    number = second(tmp_path, scope)
    said = refused(scope, 1)
    assert f"import {number} (more)" in said and f"Take import {number} back first." in said
    project = projects.get_project(ws, "study")
    run = run_store.add_run(ws, project, {}, {}, "")
    assert f"run {run}" in refused(scope, number)
    run_store.end(ws, run, "done", "", {})
    judged = small.folder(
        tmp_path,
        "judged",
        questions=[],
        judge=[small.judge("q5", "Yew", "tone", "openai:stub", "dry")],
    )
    third = small.bring(scope, judged, rubric=None).import_id
    assert f"import {third} (judged)" in refused(scope, number), (
        "what a file says goes with the file"
    )
    take_back.take_back(scope, third)
    assert take_back.one_import(scope, number).can_take_back
    sound(ws)


@pytest.mark.usefixtures("key")
def test_a_judge_that_ran_refuses(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    said = [small.judge("q1", "Ash", "tone", "openai:other", "dry")]
    scope = small.study(tmp_path, ws, count=1, judge=said)
    assert take_back.one_import(scope, 1).can_take_back, "the file's own"
    with provider_stub() as stub:
        options = {"judges": ["openai:stub"], "base_url": stub.base_url, "models": {}}
        runs.execute(ws, runs.start(scope, "study", options).run)
    said_now = refused(scope, 1)
    assert "9 ratings by the judge openai:stub" in said_now and "other" not in said_now


def test_a_chosen_reference_refuses(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    ws.db.execute(
        "INSERT INTO election (project_id, question_id, subject_id, by, at) VALUES (1, 1, 1, 'lead', ?)",
        (ws.now(),),
    )
    assert "1 choice by lead" in refused(scope, 1)


def test_what_somebody_changed_since_stays(tmp_path: Path) -> None:
    """A rubric that was edited after the import, and by which others graded, is nobody's to undo."""
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    number = second(tmp_path, scope)
    project = projects.get_project(ws, "study")
    mine = read_rubric(CHANGED.replace("Which tone?", "Which of the tones?"))
    projects.save_rubric(ws, project, mine)
    done = take_back.take_back(scope, number)
    assert done.stay == ["small"]
    assert [r.source for r in projects.rubrics(ws, project) if r.name == "small"] == [mine.source]
    assert ws.check() == []


def test_answers_of_an_active_sample_refuse(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    ws.db.execute("UPDATE screen SET design = 'placed' WHERE id = 1")
    assert "3 answers in a running active sample" in refused(scope, 1)


def test_an_import_of_an_earlier_version_that_changed_something_refuses(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    number = second(tmp_path, scope)
    ws.db.execute("DELETE FROM undo")
    assert "earlier version of Cograde" in refused(scope, number)
    ws2 = small.workspace(tmp_path, "other")
    other = small.study(tmp_path, ws2)
    ws2.db.execute("DELETE FROM undo")
    take_back.take_back(other, 1)
    sound(ws2)


def test_only_a_lead_and_only_once(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    with pytest.raises(NotAllowed):
        take_back.take_back(Scope(Actor("mira", "annotator"), ws), 1)
    take_back.take_back(scope, 1)
    with pytest.raises(InputError, match="an import that was taken back"):
        take_back.take_back(scope, 1)
    with pytest.raises(CogradeError, match="no such import"):
        take_back.one_import(scope, 7)


def test_paid_replies_stay(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    calls = [
        {"key": "k1", "provider": "openai", "model": "stub", "state": "stored", "payload": {"a": 1},
         "reply": "{}", "sends": 1, "at": "2026-01-01T00:00:00.000Z", "money": 0.5}
    ]  # fmt: skip
    scope = small.study(tmp_path, ws, calls=calls)
    rows = [tuple(row) for row in ws.db.execute("SELECT * FROM call")]
    assert len(rows) == 1
    take_back.take_back(scope, 1)
    assert [tuple(row) for row in ws.db.execute("SELECT * FROM call")] == rows
    assert ws.db.execute("SELECT count(*) FROM request").fetchone()[0] == 1


def test_copies_that_came_along_go_with_their_file(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    seeded = {"fault": "tail_cut", "model": "Ash", "where": "end"}
    copy = {
        "question_id": "q1",
        "model": "Ash · tail_cut",
        "text": "Ash",
        "metadata": {"seeded": seeded},
    }
    rows = [("project", {"settings": {}}), ("questions", small.questions(1)[0]), ("answers", copy)]
    scope = small.study(
        tmp_path, ws, count=1, copies=[{"table": table, "row": row} for table, row in rows]
    )
    assert [p.name for p in projects.list_projects(ws)] == ["study", "study-seeded"]
    take_back.take_back(scope, 1)
    assert [p.name for p in projects.list_projects(ws)] == ["study"]
    assert ws.db.execute("SELECT count(*) FROM answer").fetchone()[0] == 0
    sound(ws)
