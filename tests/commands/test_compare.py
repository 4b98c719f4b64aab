"""`cograde compare`: the how-to as it stands, the gate's exit codes, the document, and what is
refused."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.commands.runner import Line
from tests.workflows.leaderboard.test_compare import versions

TEXT = (Path(__file__).parents[2] / "docs" / "compare.md").read_text("utf-8")
#: (line, what it prints)
STEPS = [
    (line, printed)
    for block in re.findall(r"```console\n(.*?)```", TEXT, flags=re.S)
    for line, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.M)
]
#: (line, its exit code)
GATES = re.findall(r"^\| `(cograde compare [^`]+)` \| (\d)", TEXT, flags=re.M)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("compared")
    versions(place).ws.close()
    return place


def test_the_how_to_and_its_gates(cograde: Line, folder: Path) -> None:
    at = ("--workspace", folder / "work.db")
    assert len(STEPS) == 2
    for line, expected in STEPS:
        done = cograde.bare(*shlex.split(line)[1:], *at)
        assert (done.code, done.out) == (0, expected), done.err
    gates = {line: cograde.bare(*shlex.split(line)[1:], *at).code for line, _ in GATES}
    assert gates == {line: int(code) for line, code in GATES}
    assert sorted(gates.values()) == [0, 4, 5]


def test_the_document_and_what_is_refused(cograde: Line, folder: Path) -> None:
    line = Line(folder / "work.db", cograde.capture)
    found = line("compare", "new", "new@1", "--show", "judge", "--gate", "not worse by 5", "--json")
    assert (found.code, found.json["gate"]["code"], found.json["rows"][0]["verdict"]) == (
        4,
        4,
        "worse",
    )
    assert found.json["cases"]["rows"][0]["b"]["version"] == 1
    unknown = line("compare", "new", "oak")
    assert (
        unknown.code,
        "found no such model or version, expected one of new, old" in unknown.err,
    ) == (1, True)
    wrong = {
        ("--judge", "nobody"): "judge 'nobody': found no such judge",
        ("--weight", "nope=3"): "weight of nope: found no such criterion",
    }
    for words, said in {
        **wrong,
        ("--category", "nope"): "category 'nope': found no answer with it, expected one of ",
    }.items():
        refused = line("compare", "new", "old", *words)
        assert (refused.code, said in refused.err) == (1, True), refused.err
    rule = line("compare", "new", "old", "--gate", "as good")
    assert (rule.code, 'expected "not worse by X" or "better by X"' in rule.err) == (2, True)
