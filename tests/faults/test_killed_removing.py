"""Killed while an import is taken back or a project deleted: all of it is there or nothing, and what
was left half done is ended at the next start."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from graders.store import projects
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.importing import take_back
from graders.workflows.importing.stage import sweep_interrupted
from graders.workflows.report.export import export
from graders.workflows.routing.route import route
from tests.faults.test_killed import act, closed, copied, ended, killed, sound
from tests.store import small


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A routed project with a second import, which changed answers of the first, and one beside."""
    place = tmp_path_factory.mktemp("study")
    ws = open_workspace(place / "work.db")
    scope = small.study(place, ws, count=10)
    said = small.human("q1", "Elm", "tone", "ann", "warm")
    more = small.folder(
        place,
        "more",
        questions=small.questions(12, reference=["So."]),
        answers=small.answers(12, ("Ash", "Yew"), text="{model} now says {i}."),
        human=[said],
    )
    small.bring(scope, more, rubric=None)
    small.bring(scope, place / "study", project="beside")
    route(scope, "study")
    return closed(ws)


def held(ws: Workspace, place: Path, name: str = "study") -> dict[str, bytes]:
    """What an export has of a project, but for screens, which are placed again by routing."""
    file = place / f"held-{len(list(place.glob('held-*')))}.zip"
    export(small.scope_of(ws), name, "jsonl", file)
    with zipfile.ZipFile(file) as archive:
        names = set(archive.namelist()) - {"screens.jsonl", "review_order.jsonl"}
        return {name: archive.read(name) for name in names}


BACK = [("adopted", 1), ("hidden", 1), ("put_back", 1), ("finished", 1), *[("rows", n) for n in range(1, 6)]]  # fmt: skip


@pytest.mark.parametrize(("point", "count"), BACK)
def test_taking_an_import_back_is_cut_off(
    study: Path, tmp_path: Path, point: str, count: int
) -> None:
    ws = copied(study, tmp_path)
    before = held(ws, tmp_path)
    assert killed(act("back", ws.path, 2, point, count)) == []
    scope = small.scope_of(ws)
    sound(ws)
    there = point in ("adopted", "hidden", "put_back")
    assert (take_back.one_import(scope, 2).state == "done") == there
    assert (held(ws, tmp_path)["answers.jsonl"] == before["answers.jsonl"]) == there
    sweep_interrupted(ws)
    sound(ws)
    if there:
        assert held(ws, tmp_path) == before
        assert ended(act("back", ws.path, 2)) == ["back"]
    for table in ("question", "answer", "subject", "cell", "verdict", "undo", "kept"):
        sql = f"SELECT count(*) FROM {table} WHERE import_id = 2"
        assert ws.db.execute(sql).fetchone()[0] == 0, table
    whole = held(ws, tmp_path)
    (tmp_path / "clean").mkdir()
    clean = copied(study, tmp_path / "clean")
    take_back.take_back(small.scope_of(clean), 2)
    assert held(clean, tmp_path) == whole, "as if nothing had been cut off"


DELETE = [("deleted", 1), ("sweep", 1), *[("swept", n) for n in range(1, 6)]]


@pytest.mark.parametrize(("point", "count"), DELETE)
def test_deleting_a_project_is_cut_off(study: Path, tmp_path: Path, point: str, count: int) -> None:
    ws = copied(study, tmp_path)
    before, beside = held(ws, tmp_path), held(ws, tmp_path, "beside")
    file = tmp_path / "study.zip"
    assert killed(act("delete", ws.path, file, point, count)) == []
    there = point == "deleted"
    names = [project.name for project in projects.begun_projects(ws)]
    assert names == (["study", "beside"] if there else ["beside"])
    with zipfile.ZipFile(file) as archive:
        assert archive.read("answers.jsonl") == before["answers.jsonl"], "the export is whole"
    sweep_interrupted(ws)
    if there:
        assert held(ws, tmp_path) == before
        file.unlink()
        assert ended(act("delete", ws.path, file)) == ["deleted"]
    sound(ws)
    for table in ("question", "answer", "subject", "criterion", "verdict", "import", "event"):
        sql = f"SELECT count(*) FROM {table} WHERE project_id = 1"
        assert ws.db.execute(sql).fetchone()[0] == 0, table
    assert held(ws, tmp_path, "beside") == beside
