"""An outside package adds a page, its route and a command; two more of it are broken and take
nothing else down."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from graders.store import projects
from graders.store.workspace import open_workspace
from tests.support.opened import texts_in
from tests.support.server import free_port

ROOT = Path(__file__).parents[2]
FILES = {
    "__init__": "",
    "hello": """
from fastapi import APIRouter
from graders.web.page import Page

page = Page(path="/hello", title="Hello", nav="Hello", order=99, module="/api/hello.js")
router = APIRouter()


@router.get("/api/hello.js")
def script() -> str:
    return "hello"
""",
    "greet": 'def command(name: str) -> None:\n    """Greet somebody."""\n    print(f\'Hello {name}.\')\n',
    "twin": "from graders.web.page import Page\npage = Page(path='/run', title='T', nav='T', order=1, module='t.js')\n",
    "bad": "import no_such_module\n",
}
POINTS = """
[cograde.pages]
hello = greetings.hello:page
twin = greetings.twin
[cograde.routes]
hello = greetings.hello
[cograde.commands]
greet = greetings.greet
bad = greetings.bad
[cograde.rules]
bad_rule = greetings.bad
"""
NOT_LOADED = "found ModuleNotFoundError: No module named 'no_such_module', expected a module that loads. Repair or uninstall the package that brings it."


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which the package is installed."""
    site = tmp_path_factory.mktemp("site")
    info = site / "greetings-1.0.dist-info"
    (site / "greetings").mkdir()
    info.mkdir()
    for name, text in FILES.items():
        (site / "greetings" / f"{name}.py").write_text(text, "utf-8")
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: greetings\nVersion: 1.0\n", "utf-8"
    )
    (info / "entry_points.txt").write_text(POINTS, "utf-8")
    return {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}


def cograde(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "graders", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_commands_and_what_status_says_of_broken_parts(
    environment: dict[str, str], tmp_path: Path
) -> None:
    assert cograde(environment, "greet", "Ann").stdout == "Hello Ann.\n"
    bad = cograde(environment, "bad", "--json", "anything")
    assert (bad.returncode, bad.stderr.strip()) == (1, f"command bad: {NOT_LOADED}")
    assert json.loads(bad.stdout)["error"]["where"].startswith("command bad")
    ws = open_workspace(tmp_path / "w.db")
    projects.add_project(ws, "one", "One")
    ws.close()
    status = cograde(environment, "status", "--workspace", str(tmp_path / "w.db"), "--json")
    assert status.stderr.splitlines() == [
        f"rule bad_rule: {NOT_LOADED}",
        f"command bad: {NOT_LOADED}",
    ]
    assert [part["name"] for part in json.loads(status.stdout)[0]["broken_parts"]] == [
        "bad_rule",
        "bad",
    ]


def test_a_page_with_its_route_and_serving_for_programs(
    environment: dict[str, str], tmp_path: Path
) -> None:
    ws = open_workspace(tmp_path / "w.db")
    for name in ("one", "two"):
        projects.add_project(ws, name, name.title())
    ws.close()
    port = free_port()
    words = (
        "serve",
        "--workspace",
        str(tmp_path / "w.db"),
        "--project",
        "two",
        "--port",
        str(port),
        "--json",
    )
    server = subprocess.Popen(
        [sys.executable, "-m", "graders", *words],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        lines = [server.stdout.readline()]
        # the document comes once the pages answer: no waiting, no second try
        while not lines[-1].startswith("}"):
            lines.append(server.stdout.readline())
            assert lines[-1], "the server ended"
        address = f"http://127.0.0.1:{port}/"
        assert json.loads("".join(lines)) == {
            "address": f"{address}?project=two",
            "workspace": str(tmp_path / "w.db"),
            "project": "two",
        }
        frame = get(f"{address}api/frame")
        assert frame["project"] == "two"
        assert {"path": "/hello", "nav": "Hello"} in frame["pages"]
        assert sum(page["path"] == "/run" for page in frame["pages"]) == 1
        with urllib.request.urlopen(f"{address}hello") as page:
            assert "Hello · Cograde" in page.read().decode()
        assert get(f"{address}api/hello.js") == "hello"
        with urllib.request.urlopen(f"{address}run?project=two") as page:
            told = "\n".join(texts_in(page.read().decode()))
        assert f"rule bad_rule: {NOT_LOADED}" in told
        assert (
            "page twin: found the address /run of another page, expected a Page with an address of its own."
            in told
        )
    finally:
        server.terminate()
        server.wait(20)


def get(url: str) -> Any:
    with urllib.request.urlopen(url) as reply:
        return json.load(reply)
