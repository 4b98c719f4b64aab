"""`cograde preferences`: the how-to as it stands, and its exit code."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.commands.runner import Line
from tests.workflows.test_preferences import compared

TEXT = (Path(__file__).parents[2] / "docs" / "preferences.md").read_text("utf-8")
#: (line, what it prints)
STEPS = [
    (line, printed)
    for block in re.findall(r"```console\n(.*?)```", TEXT, flags=re.S)
    for line, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.M)
]


def test_the_how_to_and_the_exit_code(cograde: Line, tmp_path: Path) -> None:
    compared(tmp_path).ws.close()
    assert len(STEPS) == 2
    for line, expected in STEPS:
        done = cograde.bare(*shlex.split(line)[1:], "--workspace", tmp_path / "work.db")
        assert (done.code, done.out) == (0, expected), done.err
    silent = Line(tmp_path / "work.db", cograde.capture)("preferences", "--by", "south", "--json")
    assert (silent.code, {row["figure"]["status"] for row in silent.json["models"]}) == (5, {"UNDEFINED"})
