"""What a fresh machine needs to hold: pins, the Makefile's installs, the browser's finder, the
strictness of the linters."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support import chromium

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def requirements() -> list[str]:
    return [
        line.split("#")[0].strip()
        for line in (ROOT / "requirements.txt").read_text().splitlines()
        if line.split("#")[0].strip()
    ]


def test_every_requirement_is_pinned_and_torch_to_the_build_that_the_makefile_installs_first() -> (
    None
):
    assert [line for line in requirements() if "==" not in line] == []
    assert "torch==2.13.0" in requirements()
    assert "TORCH  := torch==2.13.0" in (ROOT / "Makefile").read_text()


def test_the_top_level_holds_what_it_is_said_to_hold() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip(
            f"not a checkout, so what belongs to the project is not known: {listed.stderr.strip()}"
        )
    house = {
        "app.py",
        "graders",
        "rubrics",
        "data",
        "docs",
        "tests",
        "requirements.txt",
        "README.md",
    }
    tools = {
        "pyproject.toml",
        "requirements-dev.txt",
        "Makefile",
        "LICENSE",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        ".ci",
        ".gitignore",
    }
    assert {line.split("/")[0] for line in listed.stdout.split("\0") if line} == house | tools


def test_the_strict_settings_stay_on() -> None:
    tools = PYPROJECT["tool"]
    assert tools["mypy"]["strict"] is True and tools["mypy"]["files"] == ["graders"]
    assert tools["ruff"]["lint"]["flake8-tidy-imports"] == {"ban-relative-imports": "all"}
    loosened = {key for override in tools["mypy"]["overrides"] for key in override} - {
        "module",
        "ignore_missing_imports",
        "follow_imports",
    }
    assert loosened == set()
    assert [
        module
        for override in tools["mypy"]["overrides"]
        for module in override["module"]
        if module.startswith("graders")
    ] == []


def test_relative_imports_are_refused(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text('"""One."""\n\nfrom . import two\n')
    ruff = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--config",
        ROOT / "pyproject.toml",
        "--output-format",
        "concise",
        tmp_path / "one.py",
    ]
    done = subprocess.run(ruff, capture_output=True, text=True)
    assert done.returncode == 1 and "TID252" in done.stdout


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder with the Makefile, the requirements, and an interpreter that notes what it is
    asked."""
    for name in ("Makefile", "requirements.txt", "requirements-dev.txt", "pyproject.toml"):
        (tmp_path / name).write_text((ROOT / name).read_text())
        os.utime(tmp_path / name, (10**9, 10**9))
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$@" >> calls\n')
    python.chmod(0o755)
    return tmp_path


def make(house: Path, target: str) -> list[str]:
    """What the interpreter was asked by one `make`."""
    (house / "calls").write_text("")
    outer = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("MAKE") and name != "MFLAGS"
    }
    subprocess.run(["make", "-s", target], cwd=house, env=outer, check=True, capture_output=True)
    return (house / "calls").read_text().splitlines()


def change(file: Path) -> None:
    """Written a minute after everything else here."""
    for other in (*file.parent.glob("*.t*"), *(file.parent / ".venv").glob(".*")):
        os.utime(other, (other.stat().st_mtime - 60,) * 2)
    file.touch()


def test_make_run_installs_only_when_the_requirements_changed(house: Path) -> None:
    pip = "-m pip install --quiet --disable-pip-version-check"
    first = [
        f"{pip} torch==2.13.0",
        f"{pip} -r requirements.txt",
        f"{pip} --no-deps --editable .",
        "app.py",
    ]
    assert make(house, "run") == first
    assert make(house, "run") == ["app.py"]
    change(house / "requirements.txt")
    assert make(house, "run") == first
    second = [f"{pip} -r requirements-dev.txt"]
    assert make(house, ".venv/.dev") == second
    assert make(house, ".venv/.dev") == []
    change(house / "requirements-dev.txt")
    assert make(house, ".venv/.dev") == second


def program(folder: Path, name: str, body: str = "") -> str:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return str(file)


def finder(path: Path, *options: str, named: str = "") -> tuple[str, str]:
    """What the finder prints and what it says, with only this folder to look in."""
    command = [sys.executable, chromium.__file__, *options]
    done = subprocess.run(
        command,
        env={"PATH": str(path), "CHROMIUM": named},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip(), done.stderr


def test_chromium_is_the_named_one_before_the_first_on_the_path(tmp_path: Path) -> None:
    path = tmp_path / "bin"
    path.mkdir()
    assert finder(path) == ("", "")
    chrome = program(path, "google-chrome")
    assert finder(path) == (chrome, "")
    plain = program(path, "chromium")
    assert finder(path) == (plain, "")
    named = program(tmp_path, "mine")
    assert finder(path, named=named) == (named, "")
    assert finder(path, named=str(tmp_path / "gone")) == (plain, "")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root installs with apt")
def test_chromium_is_installed_by_apt_only_where_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "bin"
    path.mkdir()
    program(
        path,
        "apt-get",
        f'echo "$@" >> {tmp_path}/asked\ncase "$1" in install) echo "#!/bin/sh" > {path}/chromium; /bin/chmod 755 {path}/chromium;; esac',
    )
    assert finder(path, "--install") == ("", "")
    assert [line.split()[0] for line in (tmp_path / "asked").read_text().splitlines()] == [
        "update",
        "install",
    ]
    assert "chromium" in (tmp_path / "asked").read_text()
    assert finder(path, "--install") == ("", "")
    assert len((tmp_path / "asked").read_text().splitlines()) == 2


def test_without_chromium_one_is_told_how_to_get_it(tmp_path: Path) -> None:
    said = finder(tmp_path, "--install")[1]
    assert "apt-get install chromium" in said and "CHROMIUM" in said
