"""The README's commands run as they stand, and so do the documents' Python examples that need no
judge; tests/test_face.py runs the others, tests/commands/test_readme_lines.py the commands in
sentences."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import forked
from tests.support.documents import DOCUMENTS, NO_JUDGE, ROOT, blocks, text

README = text("README.md")
PLAIN = [
    pytest.param(code, id=f"{name}-{n}")
    for name in DOCUMENTS
    for n, code in enumerate(blocks(name, "python", NO_JUDGE), 1)
]


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
        for block in blocks("README.md", "console")
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
    assert (room / "report.html").stat().st_size > 10_000
    assert "6 questions, 18 answers of 3 models" in printed["status"]
    assert all(printed.values()), "each says something"


@pytest.mark.parametrize("code", PLAIN)
def test_python(room: Path, code: str) -> None:
    run = fresh(["-c", code], room, {**os.environ, "PYTHONPATH": str(ROOT)})
    assert run.returncode == 0, run.stderr


def test_make_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.findall(r"(?:^|`)make (\w+)", README + text("CONTRIBUTING.md"), flags=re.M)
    assert {"run", "test"} <= set(targets)
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
