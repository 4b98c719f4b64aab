"""One new file is one new part: dropped into a copy of the house it is there, and no other file is
edited."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

RULE = '''
from dataclasses import dataclass
from graders.core.contracts import Rule
from graders.core.records import Mark
from graders.core.scale import YES_NO

@dataclass(frozen=True)
class Added(Rule):
    """Says Yes."""
    version = "1"
    about = "Says Yes."
    default_scale = YES_NO

    def grade(self, subject, criterion):
        return Mark(value="Yes")
'''
IMPORTER = '''
from dataclasses import dataclass
from graders.core.contracts import Importer, Look, Placed
from graders.core.records import Answer, Question

@dataclass(frozen=True)
class Added(Importer):
    """Lines of question|answer."""
    version = "1"
    about = "One line, one answer."
    suffixes = (".added",)

    def fits(self, path):
        return 10 * (path.suffix == ".added")

    def look(self, path, choices=None):
        return Look(layout="long")

    def read(self, path, look):
        for row, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            question, answer = line.split("|")
            yield Placed(record=Question(id=f"q{row}", text=question), file=path.name, row=row)
            yield Placed(record=Answer(question_id=f"q{row}", model="m", text=answer), file=path.name, row=row)
'''
EXPORTER = '''
from dataclasses import dataclass
from graders.core.contracts import Exporter

@dataclass(frozen=True)
class Added(Exporter):
    """The number of answers."""
    version = "1"
    about = "The number of answers."
    suffix = ".added"

    def write(self, snapshot, target):
        target.write_text(f"{len(snapshot.tables['answers'])} answers of {snapshot.project['name']}", "utf-8")
'''
RUBRIC = """
rubric: added
criteria:
  always: {question: Is it there?, scale: [No, Yes], graders: [added], review: automatic}
"""
PAGE = '''
"""Added."""
from graders.web.page import Page

page = Page(path="/added", title="Added", nav="Added", order=99, module="added.js")
'''
ROUTE = '''
"""Added."""
from fastapi import APIRouter

router = APIRouter()


@router.get("/api/added")
def added() -> dict[str, str]:
    return {"said": "here"}
'''
CALL = '''
"""Added."""
from graders.web.caller import Caller


def call(caller: Caller, times: int = 2) -> list[str]:
    """Say that it is there.

    Args:
        times: how many times
    """
    return ["here"] * times
'''
COMMAND = '''
"""Added."""


def command() -> None:
    """Say that it is there."""
    print("here")
'''
ASK = """
from pathlib import Path
from fastapi.testclient import TestClient
from graders.core.settings import Settings
from graders.store.workspace import open_workspace
from graders.web.app import make_app
from graders.web.serve import resolver_of
settings = Settings(workspace=Path("w.db"))
client = TestClient(make_app(resolver_of(open_workspace(settings.workspace), settings), settings), base_url="http://localhost")
assert client.get("/api/added").json() == {"said": "here"}
assert {"path": "/added", "nav": "Added"} in client.get("/api/frame").json()["pages"]
called = client.post("/call/gradio_api/run/added", json={"data": [3]})
assert called.json()["data"] == [["here"] * 3], called.text
info = client.get("/call/gradio_api/info").json()["named_endpoints"]["/added"]
assert info["parameters"][0]["type"]["description"] == "how many times", info
page = client.get("/added/")
assert page.status_code == 200 and "Added · Cograde" in page.text, page.text[:300]
print("asked")
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the house with one file more in each folder."""
    place = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "graders", place / "graders")  # with its bytecode
    shutil.copytree(ROOT / "rubrics", place / "rubrics")
    files = {
        "rules": RULE,
        "importers": IMPORTER,
        "exporters": EXPORTER,
        "commands": COMMAND,
        "web/calls": CALL,
        "web/pages": PAGE,
        "web/routes": ROUTE,
    }
    for folder, text in files.items():
        (place / "graders" / folder / "added.py").write_text(text, "utf-8")
    (place / "rubrics/added.yaml").write_text(RUBRIC, "utf-8")
    return place


def python(house: Path, *words: str) -> str:
    """What Python prints in the copy; the place of the checkout is not on its path."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {
        "PYTHONPATH": str(house)
    }
    done = subprocess.run(
        [sys.executable, *words],
        cwd=house,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_a_rule_a_rubric_an_importer_and_an_exporter(house: Path) -> None:
    # their loading would be most of the time
    (house / "cograde.toml").write_text('encoder = ""\nmultilingual = ""\n', "utf-8")
    (house / "talk.added").write_text("Why?|Because.\nHow?|So.\n", "utf-8")
    python(
        house,
        "-m",
        "graders",
        "import",
        "talk.added",
        "--rubric",
        "added",
        "--workspace",
        "parts.db",
    )
    python(house, "-m", "graders", "grade", "--yes", "--workspace", "parts.db")
    assert (
        "cells: 0 by people, 0 automatic, 0 closed (not applicable or not measured), 2 pending"
        in python(house, "-m", "graders", "status", "--workspace", "parts.db")
    )
    python(
        house,
        "-m",
        "graders",
        "export",
        "--format",
        "added",
        "--output",
        "out.added",
        "--workspace",
        "parts.db",
    )
    assert (house / "out.added").read_text("utf-8") == "2 answers of talk"


def test_a_command(house: Path) -> None:
    assert python(house, "-m", "graders", "added") == "here\n"
    assert "Say that it is there." in python(house, "-m", "graders", "--help")


def test_a_page_its_routes_and_a_function_for_programs(house: Path) -> None:
    assert python(house, "-c", ASK).splitlines()[-1] == "asked"
