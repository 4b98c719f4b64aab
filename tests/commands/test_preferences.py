"""`cograde preferences`: the how-to as it stands, and its exit code."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.commands.runner import Line
from tests.workflows.test_preferences import compared, drawn

TEXT = (Path(__file__).parents[2] / "docs" / "preferences.md").read_text("utf-8")
#: (line, what it prints)
STEPS = [
    (line, printed)
    for block in re.findall(r"```console\n(.*?)```", TEXT, flags=re.S)
    for line, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.M)
]


def test_pairs_are_drawn_and_sent_to_the_desk(cograde: Line, tmp_path: Path) -> None:
    drawn(tmp_path).ws.close()
    draw, send = (line for line, printed in STEPS if not printed)
    at = ("--workspace", tmp_path / "work.db")
    found = cograde.bare(*shlex.split(draw)[1:], *at)
    assert (found.code, found.out.startswith("12 pairs drawn, 0 were there. Send them to the desk: cograde route")) == (0, True)
    assert "screens wait for people" in cograde.bare(*shlex.split(send)[1:], *at).out
    again = cograde.bare(*shlex.split(draw)[1:], *at, "--json")
    assert (again.json["pairs"], again.json["there"]) == (0, 12)
    assert "expected one of Ash, Beech" in cograde.bare("pairs", "--design", "baseline", *at).err


def test_the_how_to_and_the_exit_code(cograde: Line, tmp_path: Path) -> None:
    compared(tmp_path).ws.close()
    shown = [(line, printed) for line, printed in STEPS if printed]
    assert len(shown) == 2
    for line, expected in shown:
        done = cograde.bare(*shlex.split(line)[1:], "--workspace", tmp_path / "work.db")
        assert (done.code, done.out) == (0, expected), done.err
    silent = Line(tmp_path / "work.db", cograde.capture)("preferences", "--by", "south", "--json")
    assert (silent.code, {row["figure"]["status"] for row in silent.json["models"]}) == (5, {"UNDEFINED"})
