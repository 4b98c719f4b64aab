"""`cograde import`: bad rows as a file, and the name of a project that comes back."""

from __future__ import annotations

import csv
import errno
import io
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from rich.console import Console

from graders.commands import _progress
from graders.store.projects import add_project
from graders.store.transfer.imports import unfinished
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.scope.permissions import Scope
from tests.commands.runner import Line
from tests.store import small


def table(folder: Path, good: int, bad: int) -> Path:
    """Good rows, then rows without an answer's question."""
    path = folder / "rows.csv"
    rows = [f"q{i},What is {i}?,Ash,It is {i}." for i in range(good)] + [
        f"q{good + i},,Ash,=HYPERLINK({i})" for i in range(bad)
    ]
    path.write_text("id,question,model,answer\n" + "\n".join(rows) + "\n", "utf-8")
    return path


def test_bad_rows_are_counted_and_the_option_is_named(cograde: Line, tmp_path: Path) -> None:
    done = cograde("import", table(tmp_path, 30, 3), "--yes")
    assert done.code == 0, done.err
    assert "3 bad rows; --bad-rows FILE writes them to a CSV file." in done.err
    assert not list(tmp_path.glob("*bad*"))


def test_bad_rows_go_to_a_file_that_no_spreadsheet_runs(cograde: Line, tmp_path: Path) -> None:
    target = tmp_path / "mend.csv"
    done = cograde("import", table(tmp_path, 30, 25), "--yes", "--bad-rows", target)
    assert f"25 bad rows, 20 of them above; they are in {target}." in done.err
    rows = list(csv.DictReader(target.open(encoding="utf-8-sig", newline="")))
    # the header is row 1, good rows are 2 to 31
    assert [int(row["cograde_row"]) for row in rows] == list(range(32, 57))
    notes = ["file", "row", "column", "found", "expected", "remedy", "reads"]
    assert list(rows[0]) == [
        *(f"cograde_{name}" for name in notes),
        "id",
        "question",
        "model",
        "answer",
    ]
    assert not any(value.startswith("=") for row in rows for value in row.values())
    told = f"Correct them there, and once the rest is imported: cograde import {target} --project rows --workspace {cograde.workspace}"
    assert told in done.err
    target.write_text(target.read_text("utf-8-sig").replace(",q54,,", ",q54,What is 54?,"), "utf-8")
    again = cograde("import", target, "--yes")  # the file says of which project it is
    assert (
        "rows: 1 question, 1 answer (0 new versions), 0 verdicts; 0 records unchanged, 24 bad."
        in again.out
    ), again.err
    assert cograde("export", "--output", target.parent / "all.csv").code == 0
    assert "q54,What is 54?,,unknown,en,Ash,1,'=HYPERLINK(24)," in (
        target.parent / "all.csv"
    ).read_text("utf-8-sig")


def test_bad_rows_are_written_even_where_nothing_comes_in(cograde: Line, tmp_path: Path) -> None:
    target = tmp_path / "mend.csv"
    done = cograde("import", table(tmp_path, 0, 2), "--bad-rows", target)
    assert (done.code, "rubric" in done.err) == (1, False)
    assert len(list(csv.DictReader(target.open(encoding="utf-8-sig", newline="")))) == 2


def test_a_file_that_cannot_be_written_is_said_in_a_sentence(cograde: Line, tmp_path: Path) -> None:
    assert cograde("import", table(tmp_path, 1, 0), "--project", "other").code == 0
    done = cograde(
        "import", table(tmp_path, 3, 1), "--yes", "--bad-rows", tmp_path / "no" / "mend.csv"
    )
    assert done.code == 1
    assert "found No such file or directory, expected a file that can be written." in done.err
    with closing(sqlite3.connect(cograde.workspace)) as db:
        assert db.execute("SELECT name FROM project").fetchall() == [("other",)], (
            "nothing is left waiting"
        )


def test_a_refused_import_leaves_the_projects_rubric(cograde: Line, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "rubric: correctness\ncriteria:\n  correctness: {question: Is it right?, scale: {from: 1, to: 5}}\n",
        "utf-8",
    )
    assert (
        cograde(
            "import", table(tmp_path, 3, 0), "--project", "study", "--rubric", "correctness"
        ).code
        == 0
    )
    before = cograde(
        "export", "--project", "study", "--format", "jsonl", "--output", tmp_path / "before"
    )
    again = cograde("import", table(tmp_path, 4, 1), "--project", "study", "--rubric", own)
    assert (before.code, again.code) == (0, 1)
    assert "expected a yes to the rest" in again.err
    assert (
        "With a yes: The project's rubric correctness is replaced: the scale of correctness changes from one of No, Yes to a whole"
        in again.err
    )
    cograde("export", "--project", "study", "--format", "jsonl", "--output", tmp_path / "after")
    rubrics = [
        path.read_text("utf-8") for path in sorted(tmp_path.glob("*/rubrics/correctness.yaml"))
    ]
    assert len(rubrics) == 2 and rubrics[0] == rubrics[1]


def test_what_is_refused_leaves_no_workspace_behind(
    cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rubric = tmp_path / "own.yaml"
    rubric.write_text("rubric: own\ncriteria:\n  c: {graders: [lenght]}\n", "utf-8")
    refused = (
        ("import", table(tmp_path, 3, 0), "--rubric", rubric),  # a grader that nobody has
        ("import", table(tmp_path, 0, 3), "--yes"),  # no good row
        ("import", table(tmp_path, 3, 1)),  # nobody says yes
        ("collect", table(tmp_path, 3, 0), "--model", "ollama:m@http://127.0.0.1:9"),
    )
    before = set(tmp_path.iterdir()) | {table(tmp_path, 0, 0)}
    for words in refused:
        assert cograde(*words).code == 1
        assert set(tmp_path.iterdir()) == before
    assert (
        cograde(
            "collect", table(tmp_path, 3, 0), "--model", "ollama:m@http://127.0.0.1:9", "--plan"
        ).code
        == 0
    )
    assert set(tmp_path.iterdir()) == before
    monkeypatch.setattr(
        "os.link", Mock(side_effect=OSError(errno.ENOTSUP, "a file system without links"))
    )
    assert cograde("import", table(tmp_path, 3, 0)).code == 0
    assert cograde("import", table(tmp_path, 0, 3), "--project", "other", "--yes").code == 1
    assert cograde("status").code == 0, "a workspace that was there stays"


def test_whoever_interrupts_at_the_question_leaves_no_import_that_waits(
    cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cograde("import", table(tmp_path, 3, 0)).code == 0
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("typer.confirm", Mock(side_effect=[True, KeyboardInterrupt]))
    assert cograde("import", table(tmp_path, 4, 1), "--project", "other").code == 3
    assert unfinished(open_workspace(cograde.workspace)) == []


def test_on_a_terminal_the_guess_is_asked_about_before_anything_is_written(
    cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, confirm = table(tmp_path, 3, 0), Mock(side_effect=[False, True])
    monkeypatch.setattr("typer.confirm", confirm)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    no = cograde("import", path)
    assert no.code == 1 and "--column NAME=ROLE" in no.err
    assert not cograde.workspace.exists()
    assert cograde("import", path).code == 0
    assert [call.args for call in confirm.call_args_list] == [("Import the file like this?",)] * 2
    assert cograde("import", path, "--yes").code == 0
    assert confirm.call_count == 2


@pytest.mark.parametrize("good", [3, 0])
def test_a_workspace_that_was_made_meanwhile_is_left_to_whoever_made_it(
    good: int, cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others: list[Workspace] = []
    stage = importing_stage.stage

    def while_another_begins(scope: Scope, *words: Any, **options: Any) -> importing_stage.Report:
        report = stage(scope, *words, **options)
        if not others:
            others.append(open_workspace(cograde.workspace))
        return report

    monkeypatch.setattr(importing_stage, "stage", while_another_begins)
    assert cograde("import", table(tmp_path, good, 1), "--project", "mine", "--yes").code == (
        0 if good else 1
    )
    add_project(others[0], "kept")
    assert [row["project"] for row in cograde("status", "--json").json] == (
        ["mine", "kept"] if good else ["kept"]
    )
    assert {file.name.split(".")[0] for file in tmp_path.iterdir()} == {
        cograde.workspace.stem,
        "rows",
    }, "nothing lies about"


def exported(folder: Path, stem: str, **project: str) -> Path:
    made = small.folder(
        folder, stem, questions=small.questions(2), answers=small.answers(2, ["Ash"])
    )
    (made / "project.json").write_text(json.dumps(project), "utf-8")
    return made


def zipped(folder: Path) -> Path:
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, file.name)
    return path


@pytest.mark.parametrize("pack", [lambda folder: folder, zipped], ids=["folder", "zip"])
def test_an_export_keeps_its_name_and_title(cograde: Line, tmp_path: Path, pack: object) -> None:
    path = pack(exported(tmp_path, "download-3", name="autumn", title="Autumn study"))  # type: ignore[operator]
    assert cograde("import", path).code == 0
    (found,) = cograde("status", "--json").json
    assert (found["project"], found["title"]) == ("autumn", "Autumn study")


def test_a_name_that_was_given_counts_more(cograde: Line, tmp_path: Path) -> None:
    cograde(
        "import",
        exported(tmp_path, "download-3", name="autumn", title="Autumn study"),
        "--project",
        "spring",
    )
    (found,) = cograde("status", "--json").json
    assert (found["project"], found["title"]) == ("spring", "Autumn study")


@pytest.mark.parametrize("name", ["", " padded ", "x" * 121, "two\nlines"])
def test_a_name_that_does_not_fit_leaves_the_files_own(
    cograde: Line, tmp_path: Path, name: str
) -> None:
    cograde("import", exported(tmp_path, "download-3", name=name))
    (found,) = cograde("status", "--json").json
    assert found["project"] == "download-3"


def test_a_terminal_is_told_how_far_an_import_is(
    cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(
        _progress,
        "messages",
        Console(file=terminal, force_terminal=True, width=100, _environ={"TERM": "xterm"}),
    )
    assert cograde("import", table(tmp_path, 30, 0)).code == 0
    shown = terminal.getvalue()
    assert (
        shown.index("Reading the rows")
        < shown.index("Making the cells")
        < shown.index("Working out the cells")
    )
    assert "Reading" not in cograde("import", table(tmp_path, 31, 0), "--json").out
