"""An import is unseen until it is done and then visible at once; dropped, failed or interrupted it
leaves nothing."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import Conflict, NotFound
from graders.store import projects
from graders.store.answers import content
from graders.store.transfer import imports as import_store
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.results import grid as results_grid
from graders.workflows.review import grading
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.imported import TABLE, csv, everything


def seen(path: Path) -> tuple[int, ...]:
    """What a reader of the pages sees: questions, answers, cells, opinions, tallied cells."""
    done = "import_id IN (SELECT id FROM import WHERE state = 'done')"
    sql = ", ".join(
        f"(SELECT count(*) FROM {table} WHERE {done})"
        for table in ("question", "answer", "cell", "opinion")
    )
    with sqlite3.connect(path, isolation_level=None) as db:
        return tuple(
            db.execute(f"SELECT {sql}, (SELECT coalesce(sum(cells), 0) FROM tally)").fetchone()
        )


def listened(*told: Any) -> importing_stage.Staging:
    return importing_stage.Staging(listener=importing_stage.Listener(*told))


def test_nothing_is_seen_before_the_end_and_then_all_at_once(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    small.study(tmp_path, ws, count=2, models=["Ash"])
    before = seen(ws.path)
    count, models = 40, ["Ash", "Oak"]
    given = [
        small.human(f"q{i}", m, "completeness", "mira", 4)
        for i in range(1, count + 1)
        for m in models
    ]
    path = small.folder(
        tmp_path,
        "more",
        questions=small.questions(count),
        answers=small.answers(count, models),
        human=given,
    )
    looks: list[tuple[int, ...]] = []
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            looks.append(seen(ws.path))

    watcher = threading.Thread(target=watch)
    watcher.start()
    grid = results_grid.grid(scope, "study")
    report = importing_stage.stage(scope, "study", path)
    assert (report.questions, report.answers, report.verdicts) == (38, 78, 80)
    assert (seen(ws.path), results_grid.grid(scope, "study")) == (before, grid)
    assert grading.next_screens(small.scope_of(ws, "mira"), "study", 9)[-1].question.id in (
        "q1",
        "q2",
    )
    importing_stage.finish(scope, report.import_id)
    over.set()
    watcher.join()
    after = seen(ws.path)
    # 40 questions; 40 x 2 answers; cells and tallied cells: four criteria each; 80 verdicts
    assert after == (40, 80, 320, 80, 320)
    assert set(looks) <= {before, after}, "no look saw a part of it"


def test_a_dropped_import_leaves_nothing(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    small.study(tmp_path, ws, count=2)
    before = everything(scope)
    report = importing_stage.stage(
        scope,
        "study",
        small.folder(
            tmp_path,
            "x",
            questions=small.questions(9),
            answers=small.answers(9, ["New"], "Changed."),
        ),
    )
    importing_stage.drop(scope, report.import_id)
    assert everything(scope) == before
    assert ws.db.execute("SELECT count(*) FROM answer").fetchone()[0] == 6
    assert ws.check() == []
    with pytest.raises(NotFound, match="found state swept, expected a staged import"):
        importing_stage.finish(scope, report.import_id)


def test_rows_are_counted_once_and_what_comes_after_is_told(tmp_path: Path, scope: Scope) -> None:
    rows = [
        f"q{i},What is {i} of all?,{model},{model} says {i},{i % 5 + 1}"
        for i in range(300)
        for model in ("Ash", "Oak", "Elm", "Yew")
    ]
    path = csv(tmp_path, "id,question,model,answer,human_score\n" + "\n".join(rows) + "\n")
    read: list[int] = []
    told: dict[str, tuple[int, int]] = {}
    report = importing_stage.stage(
        scope,
        "study",
        path,
        staging=listened(read.append, lambda what, done, total: told.update({what: (done, total)})),
    )
    assert (report.questions, report.answers) == (300, 1200)
    assert read[-1] == 1200 and read == sorted(read), "rows of the file, not questions and answers"
    assert set(told) >= {"Making the cells", "Working out the cells", "Counting"}
    assert all(done == total for done, total in told.values())


def test_bad_rows_stand_in_the_order_of_the_file(tmp_path: Path, scope: Scope) -> None:
    good = small.answers(6, ["Ash"])
    answers = [
        good[0],
        {**good[1], "question_id": "nowhere"},
        good[2],
        {**good[3], "text": 4},
        {**good[4], "question_id": "gone"},
    ]
    path = small.folder(
        tmp_path, "x", answers=answers, questions=[*small.questions(6), {"id": "q9"}]
    )
    bad = importing_stage.stage(scope, "study", path).bad_rows
    assert len(bad) >= 3
    assert [(row.file, row.row) for row in bad] == sorted((row.file, row.row) for row in bad)


def test_an_import_that_fails_on_its_way_is_swept(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    path = small.folder(
        tmp_path, "x", questions=small.questions(700), answers=small.answers(700, ["Ash"])
    )

    def breaks(rows: int) -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        importing_stage.stage(scope, "study", path, staging=listened(breaks))
    assert (
        ws.db.execute(
            "SELECT (SELECT count(*) FROM question) + (SELECT count(*) FROM answer)"
        ).fetchone()[0]
        == 0
    )
    assert small.bring(scope, path).answers == 700


def test_an_interrupted_import_is_swept_when_its_writer_is_silent(tmp_path: Path) -> None:
    clock = small.Clock()
    ws = small.workspace(tmp_path, clock=clock)
    scope = small.scope_of(ws)
    project = projects.add_project(ws, "study")
    import_id = import_store.begin_import(ws, project, "cut.csv", "")
    with ws.write() as db:
        content.insert_questions(db, project, import_id, [])
    path = small.folder(
        tmp_path, "x", questions=small.questions(2), answers=small.answers(2, ["Ash"])
    )
    with pytest.raises(Conflict, match="another import being written"):
        importing_stage.stage(scope, "study", path)
    clock.now += import_store.STALE_SECONDS + 1
    assert small.bring(scope, path).answers == 2
    assert import_store.get_import(ws, import_id).state == "swept"


def test_a_long_step_is_no_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_store, "STALE_SECONDS", 2.0)
    ws = open_workspace(tmp_path / "work.db")

    def slow(rows: int) -> None:
        time.sleep(2.5)
        assert importing_stage.sweep_interrupted(ws) == 0, (
            "the writer says that it lives while it computes"
        )

    path = small.folder(
        tmp_path, "x", questions=small.questions(2), answers=small.answers(2, ["Ash"])
    )
    scope = small.scope_of(ws)
    importing_stage.finish(
        scope, importing_stage.stage(scope, "study", path, staging=listened(slow)).import_id
    )
    assert ws.db.execute("SELECT count(*) FROM answer").fetchone()[0] == 2


def test_a_finish_twice_is_a_finish_once(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    report = importing_stage.stage(scope, "study", csv(tmp_path, TABLE))
    assert importing_stage.finish(scope, report.import_id) == importing_stage.finish(
        scope, report.import_id
    )
    assert small.tallied(ws) == small.recount(ws)


def test_a_dropped_first_import_leaves_no_empty_project(scope: Scope, tmp_path: Path) -> None:
    kept = importing_stage.stage(scope, "study", csv(tmp_path, TABLE))
    importing_stage.finish(scope, kept.import_id)
    first = importing_stage.stage(scope, "new", csv(tmp_path, TABLE))
    second = importing_stage.stage(scope, "study", csv(tmp_path, TABLE.replace("Paris.", "Paris!")))
    importing_stage.drop(scope, first.import_id)
    importing_stage.drop(scope, second.import_id)
    assert [p.name for p in projects.list_projects(scope.ws)] == ["study"]
    assert scope.ws.check() == []
