"""Unit tests of the browser's scripts without a browser, and what holds for all scripts."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.scripts import tools

HERE = Path(__file__).parent
UNITS = sorted(HERE.rglob("*.test.js"))
SCRIPTS = sorted(tools.ASSETS.rglob("*.js"))
#: Scripts lie in folders without a package.json, which Node would remark on.
QUIET = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
LONGEST = 110


@pytest.mark.parametrize("file", UNITS, ids=lambda file: str(file.relative_to(HERE)))
def test_unit(file: Path) -> None:
    node = tools.node()
    if not node:
        pytest.skip("Node is not installed: pip install -r requirements-dev.txt")
    done = subprocess.run([node, QUIET, "--test", file], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\S+ pass [1-9]", done.stdout, re.M), done.stdout


def test_a_unit_test_lies_where_its_script_lies() -> None:
    assert len(UNITS) >= 5
    scripts = {str(file.relative_to(tools.ASSETS)) for file in SCRIPTS}
    own = {str(file.relative_to(HERE)).replace(".test.js", ".js") for file in UNITS}
    assert own - scripts == set()


def test_no_line_is_too_long() -> None:
    long = [
        f"{file.relative_to(tools.ASSETS)}:{number}"
        for file in SCRIPTS
        for number, line in enumerate(file.read_text("utf-8").split("\n"), 1)
        if len(line) > LONGEST
    ]
    assert long == []


def test_no_script_looks_past_the_checker() -> None:
    strict = [
        file for file in SCRIPTS if not any(file.is_relative_to(one) for one in tools.loose())
    ]
    past = re.compile(r"@ts-(?:nocheck|ignore|expect-error)|biome-ignore")
    anything = re.compile(r"@(?:type|param|returns|property|typedef|template)\b.*\bany\b")
    assert [file.name for file in SCRIPTS if past.search(file.read_text("utf-8"))] == []
    assert [file.name for file in strict if anything.search(file.read_text("utf-8"))] == []
    assert tools.ASSETS / "desk" / "desk.js" in strict


def test_the_pages_that_wait_to_be_rebuilt_are_listed_once_and_are_there() -> None:
    assert [one for one in tools.loose() if not one.exists()] == []
    assert len(set(tools.loose())) == len(tools.loose())
