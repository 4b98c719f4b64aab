"""The how-to of the sheet: its commands run as they stand there, and print what it says."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from graders.commands._shell import run
from graders.core.settings import Settings
from graders.store.workspace import open_workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.sheets import typed

ROOT = Path(__file__).parents[2]
FOUND = re.findall(
    r"^```console\n(.*?)^```", (ROOT / "docs/sheet.md").read_text("utf-8"), flags=re.M | re.S
)
#: (command, what it prints)
STEPS = [
    (step.split("\n", 1)[0], step.split("\n", 1)[1])
    for block in FOUND
    for step in re.split(r"^\$ ", block, flags=re.M)[1:]
]


def printed(line: str, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """What a command line of the how-to prints, results before messages."""
    words = shlex.split(line)
    assert words[0] == "cograde"
    capsys.readouterr()
    assert (
        run([*words[1:], *more], Settings(encoder="", multilingual=""), lambda settings: None) == 0
    )
    shown = capsys.readouterr()
    return shown.out + shown.err


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the demo. The command that imports it is run by the README's test: it looks
    for slipped rows, which takes long."""
    assert STEPS[0][0] == "cograde import data/demo"
    path = tmp_path_factory.mktemp("demo") / "cograde.db"
    scope = Scope(Actor(), open_workspace(path))
    importing_stage.finish(
        scope, importing_stage.stage(scope, "autumn-study", ROOT / "data/demo").import_id
    )
    scope.ws.close()
    return path


@pytest.fixture
def room(tmp_path: Path, imported: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(imported, tmp_path / "cograde.db")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_how_to_with_a_workbook(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (write, wrote), (read, came), (again, kept) = STEPS[1:4]
    assert printed(write, capsys) == wrote
    typed(
        room / "study.xlsx",
        ("q01", "speed", "Cedar", "fast"),
        ("q02", "completeness", "Elm", "4,0"),
        ("q02", "completeness", "Cedar", 9),
    )
    assert printed(read, capsys) == came
    assert printed(again, capsys) == kept
    printed("cograde export --format sheet --output other.xlsx", capsys)
    assert (room / "other.xlsx").stat().st_size > 10_000


def test_the_how_to_at_google(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("gspread", reason="the extra google is not installed")
    from tests.support.sheets_api import google, key_file

    with google() as server:
        key_file(room / "key.json", server)
        for line, said in STEPS[4:]:
            # in the how-to she is known from the workbook
            expected = said.replace("Ann.", "Ann (new).")
            assert printed(line, capsys, "--sheets-url", server.url) == expected


def test_an_address_that_is_no_google_sheet(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sheet", "write", "https://example.com/x"], Settings(), lambda settings: None) == 1
    assert capsys.readouterr().err == (
        "https://example.com/x: found an address that is no Google sheet, expected https://docs.google.com/spreadsheets/d/.... "
        "Copy it from the browser.\n"
    )


def test_a_sheet_with_bad_values_only(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed(STEPS[1][0], capsys)
    typed(room / "study.xlsx", ("q02", "completeness", "Cedar", 9))
    assert (
        run(["sheet", "read", "study.xlsx", "--person", "Ann"], Settings(), lambda settings: None)
        == 1
    )
    assert capsys.readouterr().err.endswith(
        "study.xlsx: found bad values only (1), expected a good value. Correct the values listed above.\n"
    )
