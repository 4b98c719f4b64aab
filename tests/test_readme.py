"""The README's commands and Python examples run as they stand; tests/commands/test_readme_lines.py
runs those in its sentences."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import forked

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language, without those that need a judge: tests/test_face.py runs
    these."""
    return re.findall(rf"(?<!-->\n)^```{language}\n(.*?)^```", README, flags=re.M | re.S)


def fresh(words: list[str], cwd: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """A Python that is started anew."""
    return subprocess.run(
        [sys.executable, *words], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "data").symlink_to(ROOT / "data")
    return tmp_path


def test_commands(room: Path) -> None:
    lines = [
        line[2:]
        for block in blocks("console")
        for line in block.splitlines()
        if line.startswith("$ ")
    ]
    assert len(lines) >= 6
    printed = {}
    for number, line in enumerate(lines):
        words = shlex.split(line)
        assert words[0] == "cograde"
        # one of them proves that a start brings all that is needed
        start = forked.run if number else fresh
        run = start(
            ["-m", "graders", *words[1:]], cwd=room, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        assert run.returncode == 0, f"{line}\n{run.stderr}"
        printed[words[1]] = run.stdout
    assert (room / "results.xlsx").stat().st_size > 2_000
    assert (room / "study.zip").stat().st_size > 2_000
    assert "6 questions, 18 answers of 3 models" in printed["status"]
    assert json.loads(printed["agree"])


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_python(room: Path, number: int) -> None:
    run = fresh(["-c", blocks("python")[number]], room, {**os.environ, "PYTHONPATH": str(ROOT)})
    assert run.returncode == 0, run.stderr


def test_make_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.findall(r"(?:^|`)make (\w+)", README, flags=re.M)
    assert {"run", "test", "bench"} <= set(targets)
    for target in set(targets):
        assert re.search(rf"^{target}:", makefile, flags=re.M), target


def test_front_matter_matches_the_requirements() -> None:
    version = re.search(r"^sdk_version: (.*)$", README, flags=re.M)
    assert version and f"gradio=={version.group(1)}\n" in (ROOT / "requirements.txt").read_text(
        "utf-8"
    )
    assert (
        README.startswith("---\n") and "app_file: app.py" in README and (ROOT / "app.py").is_file()
    )


def test_pictures_and_links_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
