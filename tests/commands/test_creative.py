"""The how-to of creative work: its file is written and its commands run as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.commands.runner import Line

ROOT = Path(__file__).parents[2]
FOUND = "".join(
    re.findall(
        r"^```console\n(.*?)^```", (ROOT / "docs/creative.md").read_text("utf-8"), flags=re.M | re.S
    )
)
#: (command, what it prints where the how-to shows it)
STEPS = [
    (step.split("\n", 1)[0], step.split("\n", 1)[1])
    for step in re.split(r"^\$ ", FOUND, flags=re.M)[1:]
]


def test_the_how_to(cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    printed = {}
    for line, said in STEPS:
        words = shlex.split(line)
        if words[0] == "cat":
            (tmp_path / words[1]).write_text(said, "utf-8")
            continue
        printed[line] = done = cograde(*words[1:])
        assert done.code == 0, f"{line}\n{done.err}"
        assert said in ("", done.out), f"{line}\n{done.out}"
    assert (
        "on the author's own text: people 4.7, judge-north 3.0"
        in printed["cograde agree --project verse"].out
    )
    sheet = cograde("export", "--project", "poems", "--format", "sheet", "--output", "poems.xlsx")
    assert sheet.code == 0, sheet.err
    assert "author: Emily Dickinson" not in cograde("status", "--json").out
