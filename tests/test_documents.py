"""The documents: short where they must be, their links lead somewhere, their lists are the code's,
and each example is run by a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graders.core.discovery import FOLDERS
from graders.core.settings import Settings, read_settings
from tests.commands.test_help import commands
from tests.support.documents import (
    DOCUMENTS,
    NO_JUDGE,
    ON_APP,
    ROOT,
    anchors,
    blocks,
    judged,
    links,
    prose,
    text,
)


def test_the_readme_and_the_first_version_of_the_changelog_are_short() -> None:
    assert text("README.md").count("\n") <= 150
    first = re.split(r"^## ", text("CHANGELOG.md"), flags=re.M)[-1]
    assert first.startswith("0.1.0") and first.count("\n") <= 80


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    for path, anchor in links(name):
        target = (ROOT / name).parent / path if path else ROOT / name
        assert target.exists(), path
        if anchor:
            assert anchor in anchors(target.resolve().relative_to(ROOT).as_posix()), anchor


def test_the_readme_leads_to_every_document() -> None:
    assert {path for path, _ in links("README.md") if path.endswith(".md")} == set(DOCUMENTS) - {
        "README.md"
    }


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_example_is_run(name: str) -> None:
    """Python examples say above them what the judge replies, that there is none, or that an app
    runs: test_face.py, test_readme.py and web/test_calls.py run them. Commands are run by the test
    that reads their document."""
    marked = len(judged(name)) + sum(len(blocks(name, "python", m)) for m in (NO_JUDGE, ON_APP))
    assert marked == len(blocks(name, "python")), "an example with no line above it"
    if blocks(name, "console"):
        named = re.compile('[/" ]+'.join(map(re.escape, name.split("/"))) + '"')
        tests = (path.read_text("utf-8") for path in ROOT.glob("tests/**/test_*.py"))
        assert any(named.search(test) for test in tests), "no test reads its commands"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_files_that_are_named_exist(name: str) -> None:
    named = set(re.findall(r"`((?:graders|rubrics|tests|data|docs)/[\w./-]*)`", text(name)))
    assert len(named) > 15
    for path in named - {"graders/rules/polite.py"}:
        if "NAME" in path:
            path = path[: path.index("NAME")]
        assert (ROOT / path).exists(), path


def test_the_readme_s_map_has_every_folder() -> None:
    named = set(re.findall(r"`(?:graders/)?(\w+)/?`", text("README.md").split("## Where")[1]))
    folders = {door.parent.name for door in (ROOT / "graders").glob("*/__init__.py")}
    assert folders <= named and {"rubrics", "data", "docs", "tests"} <= named


def test_contributing_says_how_to_add_each_kind_of_part() -> None:
    copied = re.findall(
        r"^\| [^|]* \| `graders/([a-z/]+)/NAME\.py`", text("CONTRIBUTING.md"), flags=re.M
    )
    assert set(copied) == {*FOLDERS, "commands", "web/calls", "web/pages", "web/routes"}


def test_the_list_of_commands_is_the_code_s() -> None:
    rows = re.findall(r"^\| (`.+?`) \|", text("docs/commands.md"), flags=re.M)
    listed = [name for row in rows for name in re.findall(r"`([\w-]+)`", row)]
    assert sorted(listed) == sorted({name.split()[0] for name, _ in commands()})


def test_the_list_of_settings_is_the_code_s() -> None:
    rows = re.findall(r"^\| (`.+?`) \|", text("docs/install.md"), flags=re.M)
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(listed) == sorted(Settings.__dataclass_fields__)


def test_the_example_of_settings_is_read(tmp_path: Path) -> None:
    (example,) = blocks("docs/install.md", "toml")
    (tmp_path / "cograde.toml").write_text(example, "utf-8")
    found = read_settings({}, tmp_path)
    assert (found.workspace, found.port) == (Path("study.db"), 8000)
    assert found.hosts == ("grading.example.org",)


def test_the_list_of_rubrics_is_the_folder_s() -> None:
    part = text("docs/rubrics.md").split("## Rubrics that come")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.+?`) \|", part, flags=re.M)
    listed = [name for row in rows for name in re.findall(r"`([\w-]+)`", row)]
    assert sorted(listed) == sorted(path.stem for path in ROOT.glob("rubrics/*.yaml"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_options_that_are_named_exist(name: str) -> None:
    known = {
        option
        for _, command in commands()
        for parameter in command.params
        for option in parameter.opts + parameter.secondary_opts
    }
    spans = re.findall(r"`([^`\n]+)`", prose(name))
    named = {
        option
        for span in spans
        if not re.search(r"pip |pytest|python", span)
        for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", span)
    }
    assert named <= known | {"--help"}, named - known
