"""Copies with seeded faults that come along with the answers they are of: an import beside the
import, with it and gone with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import Conflict, NotFound
from graders.store import projects
from graders.store.desk import seeded as copies_store
from graders.store.transfer import imports as import_store
from graders.store.workspace import Workspace
from graders.workflows.diagnostics import seeded_faults
from graders.workflows.home import overview
from graders.workflows.importing import stage as importing_stage
from graders.workflows.scope.permissions import Scope
from tests.store import small

ANSWER = "Ash knows that a whale breathes air and has 206 bones. A whale is not a fish, and it feeds its calves with milk for months."
QUESTIONS = [
    {"id": f"q{i}", "text": f"Is a whale {i}?", "language": "en", "task_type": "factual"}
    for i in range(2)
]
ANSWERS = [{"question_id": q["id"], "model": "Ash", "text": ANSWER} for q in QUESTIONS]


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A file of two answers and a copy of each, as exports write it."""
    copies = [
        {
            **a,
            "model": "Ash · tail_cut",
            "text": a["text"][:40],
            "metadata": {"seeded": {"fault": "tail_cut", "model": "Ash", "where": "end"}},
        }
        for a in ANSWERS
    ]
    rows = [
        ("project", {"settings": {}}),
        *(("questions", q) for q in QUESTIONS),
        *(("answers", copy) for copy in copies),
    ]
    return small.folder(
        tmp_path,
        "whole",
        questions=QUESTIONS,
        answers=ANSWERS,
        copies=[{"table": table, "row": row} for table, row in rows],
    )


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Another file for a project."""
    return small.folder(
        tmp_path, "other", questions=small.questions(1), answers=small.answers(1, ["Oak"])
    )


def state(ws: Workspace) -> dict[str, int]:
    """The projects with the number of their answers, in sight or not."""
    counted = "SELECT count(*) FROM answer WHERE project_id = ?"
    return {
        p.name: ws.db.execute(counted, (p.id,)).fetchone()[0] for p in projects.list_projects(ws)
    }


def test_somebodys_project_of_that_name_gets_no_copies(
    whole: Path, other: Path, ws: Workspace, scope: Scope
) -> None:
    small.bring(scope, other, "study-seeded")
    for bring in (
        lambda: importing_stage.stage(scope, "study", whole),
        lambda: seeded_faults.seed(scope, "study", 1.0),
    ):
        with pytest.raises(
            Conflict,
            match="project 'study-seeded': found a project of that name, expected a free name for the copies",
        ):
            bring()
        assert (
            state(ws)["study-seeded"] == 1
            and seeded_faults.project_of_copies(scope, scope.project("study-seeded")) is None
        )
        if "study" not in state(ws):
            small.bring(
                scope, small.folder(other.parent, "plain", questions=QUESTIONS, answers=ANSWERS)
            )


@pytest.mark.parametrize("seeds", [True, False])
def test_an_empty_project_of_that_name_is_free_to_take(
    whole: Path, ws: Workspace, scope: Scope, seeds: bool
) -> None:
    # as a kill between making it and beginning its import left it
    projects.add_project(ws, "study-seeded")
    if seeds:
        small.bring(
            scope, small.folder(whole.parent, "plain", questions=QUESTIONS, answers=ANSWERS)
        )
        assert seeded_faults.seed(scope, "study", 1.0).made == state(ws)["study-seeded"] > 0
    else:
        small.bring(scope, whole)
        assert state(ws) == {"study": 2, "study-seeded": 2}
    assert seeded_faults.project_of_copies(scope, scope.project("study")) is not None


def test_an_import_that_cannot_begin_makes_no_project(
    whole: Path, ws: Workspace, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*told: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_store, "begin_import", killed)
    with pytest.raises(KeyboardInterrupt):
        importing_stage.stage(scope, "study", whole)
    assert state(ws) == {}


def test_bad_rows_of_copies_are_in_the_report(whole: Path, ws: Workspace, scope: Scope) -> None:
    file = whole / "copies.jsonl"
    lines = file.read_text("utf-8").splitlines()
    spoiled = json.loads(lines[-1])
    del spoiled["row"]["model"]
    file.write_text(
        "\n".join([*lines[:-1], json.dumps(spoiled), '{"table": "answers", "row": 3}']) + "\n",
        "utf-8",
    )
    report = importing_stage.stage(scope, "study", whole)
    assert [(row.file, row.row, row.column) for row in report.bad_rows] == [
        ("copies.jsonl", 5, "model"),
        ("copies.jsonl", 6, "table"),
    ]
    assert (
        report.bad == 2
        and "Of the copies with seeded faults that came along 2 rows are bad." in report.notes
    )
    importing_stage.finish(scope, report.import_id)
    assert state(ws) == {"study": 2, "study-seeded": 1}, "good rows beside them came in"


def states(ws: Workspace) -> list[str]:
    return [row[0] for row in ws.db.execute("SELECT state FROM import WHERE id > 0 ORDER BY id")]


def test_copies_that_wait_go_with_the_file_that_they_came_in(
    whole: Path, other: Path, ws: Workspace, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    # another file takes the place of one that nobody said yes to
    importing_stage.stage(scope, "study", whole)
    assert states(ws) == ["staged", "staged"] and state(ws) == {"study": 2, "study-seeded": 2}
    report = importing_stage.stage(scope, "study", other)
    assert states(ws) == ["swept", "swept", "staged"] and state(ws) == {"study": 1}
    importing_stage.drop(scope, report.import_id)
    # somebody interrupts when the copies are there already
    slipped = importing_stage._slipped

    def interrupt(*given: Any) -> Any:
        if states(ws)[3:] == ["staging", "staged"]:
            raise KeyboardInterrupt
        return slipped(*given)

    with monkeypatch.context() as patch:
        patch.setattr(importing_stage, "_slipped", interrupt)
        with pytest.raises(KeyboardInterrupt):
            importing_stage.stage(scope, "study", whole)
    assert states(ws)[3:] == ["swept", "swept"] and state(ws) == {}
    # its writer is killed there: whoever starts next sweeps both
    first = importing_stage.stage(scope, "study", whole)
    ws.db.execute(
        "UPDATE import SET state = 'staging', heartbeat = 0 WHERE id = ?", (first.import_id,)
    )
    ws.db.commit()
    assert (
        importing_stage.sweep_interrupted(ws) == 1
        and state(ws) == {}
        and set(states(ws)) == {"swept"}
    )


def test_copies_keep_to_their_answers_when_another_project_takes_the_name(
    whole: Path, other: Path, ws: Workspace, scope: Scope
) -> None:
    waits = importing_stage.stage(scope, "study", whole)
    importing_stage.finish(
        scope, importing_stage.stage(scope, overview.free_name(scope, "Study"), other).import_id
    )
    assert importing_stage.finish(scope, waits.import_id).project == "study-2"
    assert state(ws) == {"study": 1, "study-2": 2, "study-2-seeded": 2}
    project = copies_store.project_of_copies(ws.db, scope.project("study-2"))
    assert (
        project is not None
        and copies_store.project_of_copies(ws.db, scope.project("study")) is None
    )


def test_copies_that_come_again_wait_no_longer_than_their_file(
    whole: Path, ws: Workspace, scope: Scope
) -> None:
    importing_stage.finish(scope, importing_stage.stage(scope, "study", whole).import_id)
    again = importing_stage.stage(scope, "study", whole)
    # as seeding does
    small.bring(
        scope,
        small.folder(whole.parent, "more", questions=QUESTIONS, answers=ANSWERS[:1]),
        "study-seeded",
    )
    assert states(ws) == ["done", "done", "swept", "swept", "done"] and not import_store.unfinished(
        ws
    ), "neither is offered"
    with pytest.raises(NotFound, match="found state swept"):
        importing_stage.finish(scope, again.import_id)
    assert state(ws) == {"study": 2, "study-seeded": 3}
