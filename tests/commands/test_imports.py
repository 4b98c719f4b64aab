"""``cograde imports`` and ``cograde project``: taken back, renamed, deleted, brought back."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.review import grading
from tests.commands.runner import Line
from tests.store import small


class Terminal(io.StringIO):
    """A standard input at which somebody sits."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def ws(cograde: Line, tmp_path: Path) -> Workspace:
    """A project with two imports."""
    made = open_workspace(cograde.workspace)
    scope = small.study(tmp_path, made)
    texts = small.answers(5, ("Ash",), text="{model} now says {i}.")
    more = small.folder(tmp_path, "more", questions=small.questions(5), answers=texts)
    small.bring(scope, more, rubric=None)
    return made


def test_an_import_is_taken_back(
    cograde: Line, ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = cograde("imports", "list")
    brought = "1 question and 5 answers, 4 of the answers in a new version"
    assert (
        f"     2  20{listed.out[10:24]}  more  by the terminal: {brought}. Take back: "
        in listed.out
    )
    assert "cograde imports take-back 2 --workspace" in listed.out
    named = cograde("imports", "list", "--project", "study").out
    assert "cograde imports take-back 2 --workspace" in named, "it takes no project"
    assert "Not any more: import 2 (more), which changed" in listed.out
    found = {one["id"]: one for one in cograde("imports", "list", "--json").json}
    assert found[2]["can_take_back"] and not found[1]["can_take_back"]
    refused = cograde("imports", "take-back", 1, "--yes")
    assert refused.code == 1 and "Take import 2 back first." in refused.err
    monkeypatch.setattr("sys.stdin", io.StringIO())
    refused = cograde("imports", "take-back", 2)
    assert refused.code == 2 and "Give --yes" in refused.err
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    kept = cograde("imports", "take-back", 2)
    assert kept.code == 0 and f"Take back import 2, more: {brought}?" in kept.err
    assert "Nothing was changed." in kept.err
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    done = cograde("imports", "take-back", 2)
    assert done.out.lstrip() == (
        f"Taken back from study: more ({brought}). 4 answers have their earlier texts again.\n"
    )
    free = [row[0] for row in ws.db.execute("SELECT count(*) FROM screen_subject")]
    assert free == [12], "what is shown again is in the queue again"
    assert "It was taken back." in cograde("imports", "list").out
    again = cograde("imports", "take-back", 2, "--yes", "--json")
    assert again.code == 1 and again.json["error"]["found"] == "an import that was taken back"
    assert cograde("check").code == 0


def test_a_project_is_renamed(cograde: Line, ws: Workspace) -> None:
    done = cograde("project", "rename", "study", "--title", "Support bot", "--name", "support")
    assert done.out == "study is now support, titled Support bot.\n"
    assert cograde("project", "list").out == "support  Support bot\n"
    assert cograde("status", "--project", "study").out.startswith("support: 5 questions")
    assert cograde("project", "rename", "none", "--title", "x").code == 1


def test_a_project_is_deleted_and_comes_back(
    cograde: Line, ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mira = small.scope_of(ws, "mira")
    (screen,) = grading.next_screens(mira, "study", 1)
    file = tmp_path / "study.zip"
    command = ("project", "delete", "study", "--export", file)
    held = cograde(*command, "--yes")
    assert held.code == 1 and "open at Mira" in held.err and not file.exists()
    small.save(mira, screen, "save-mira")
    project = projects.get_project(ws, "study")
    run = run_store.add_run(ws, project, {}, {}, "")
    assert "Stop or resume that one." in cograde(*command, "--yes").err and not file.exists()
    run_store.end(ws, run, "done", "", {})
    nowhere = cograde("project", "delete", "study", "--export", tmp_path / "no" / "x.zip", "--yes")
    assert nowhere.code == 1 and cograde("project", "list").out == "study  study\n"
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert cograde(*command).code == 2 and not file.exists()
    monkeypatch.setattr("sys.stdin", Terminal("studio\n"))
    wrong = cograde(*command)
    assert wrong.code == 1 and "Nothing was deleted. Type the name" in wrong.err
    taken = cograde(*command, "--yes")
    assert taken.code == 1 and "found a file of that name" in taken.err
    file.unlink()
    monkeypatch.setattr("sys.stdin", Terminal("study\n"))
    done = cograde(*command)
    assert "Type “study” to delete it" in done.err and "12 ratings by people" in done.err
    assert f"cograde import {file} --project study" in done.out and "MB in it are free" in done.out
    with zipfile.ZipFile(file) as archive:
        assert len(archive.read("human.jsonl").splitlines()) == 12
    assert cograde("project", "list").out == "No project yet.\n"
    assert cograde("check").code == 0
    assert cograde("import", file, "--project", "study", "--yes").code == 0
    (brought,) = cograde("project", "list", "--json").json
    assert brought == {"name": "study", "title": "study"}
    document = cograde(
        "project", "delete", "study", "--export", tmp_path / "b.zip", "--yes", "--json"
    ).json
    assert document["deleted"]["content"]["human"] == 12
