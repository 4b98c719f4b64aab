"""How easily one sees through the house: counts of files, imports, shapes and lines, and how many
of our files five journeys enter.

Counts are read from the source; journeys are walked on a small study, and every file of ours in
which a function ran counts. All bars are upper limits.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from graders.store import projects
from graders.store.workspace import open_workspace
from graders.workflows.agreement import agree
from graders.workflows.importing import stage
from graders.workflows.review import grading
from graders.workflows.routing import page, terms
from tests.store import small

ROOT = Path(__file__).parents[2]
GRADERS = ROOT / "graders"
#: What a journey may enter, and what it entered before the rooms.
JOURNEYS = {
    "import a CSV": 25,
    "next screens": 15,
    "agreement page": 18,
    "routing page": 22,
    "draw three more": 25,
}


def sources() -> dict[Path, ast.Module]:
    """The syntax trees of all files of the product."""
    return {path: ast.parse(path.read_text("utf-8")) for path in GRADERS.rglob("*.py")}


def imported(tree: ast.Module) -> Iterator[str]:
    """The full names that a module imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def counts() -> dict[str, tuple[int, int]]:
    """Name -> (figure, bar) of what is read from the source."""
    trees = sources()
    folders = Counter(
        path.parent for path in trees if "workflows" in path.parts and path.stem != "__init__"
    )
    strangers = computing = shapeless = longest = 0
    for path, tree in trees.items():
        place = ".".join(path.relative_to(ROOT).parent.parts)
        names = set(imported(tree))
        strangers += sum(
            "._" in name and name.startswith("graders.") and name.split("._")[0] != place
            for name in names
        )
        floor = path.relative_to(GRADERS).parts[0]
        computing += floor == "workflows" and any(
            name.split(".")[0] in ("numpy", "scipy") for name in names
        )
        if floor in ("workflows", "store"):
            shapeless += sum(
                isinstance(node, ast.FunctionDef)
                and node.returns is not None
                and "dict[str, Any]" in ast.unparse(node.returns)
                for node in ast.walk(tree)
            )
        if path.name not in ("migrations.py", "match_scales.py"):
            longest = max(longest, *map(len, path.read_text("utf-8").split("\n")))
    return {
        "files in the largest room of workflows": (max(folders.values()), 20),
        "private modules imported by another folder": (strangers, 0),
        "functions of workflows and store that return dict[str, Any]": (shapeless, 0),
        "files of workflows that import numpy or scipy": (computing, 5),
        "characters in the longest line": (longest, 100),
        "our modules loaded by the review desk's use cases": (loaded(), 70),
    }


def loaded() -> int:
    """How many of our modules stand in memory once those of the review desk do."""
    code = (
        "import sys, graders.workflows.review.grading, graders.workflows.review.desk; "
        "print(sum(name.startswith('graders.') for name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return int(done.stdout)


@contextmanager
def entered() -> Iterator[set[str]]:
    """Inside, the files of ours in which a function runs, in any thread, are gathered."""
    files: set[str] = set()
    home = f"{GRADERS}/"

    def look(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(home):
            files.add(frame.f_code.co_filename)

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def journeys(place: Path) -> dict[str, int]:
    """How many of our files each journey enters, walked the first time in a small study."""
    ws = open_workspace(place / "journeys.db")
    scope = small.scope_of(ws, "ann")
    judged = [
        small.judge(f"q{i}", model, "small/relevance", "judge:north", small.VALUES["relevance"])
        for i in range(1, 25)
        for model in ("Ash", "Oak")
    ]
    small.study(place, ws, 24, ("Ash", "Oak"), judge=judged)
    project = projects.get_project(ws, "study")
    projects.set_settings(
        ws, project, {"sampling": {**project.settings["sampling"], "calibration": 0.2}}
    )
    table = place / "answers.csv"
    table.write_text("question,answer,model\nWhy?,Because.,Ash\nHow?,So.,Ash\n", "utf-8")

    def bring() -> None:
        stage.finish(scope, stage.stage(scope, "brought", table).import_id)

    walks: dict[str, Callable[[], Any]] = {
        "import a CSV": bring,
        "next screens": lambda: grading.next_screens(scope, "study", 3),
        "agreement page": lambda: agree.agreement(scope, "study"),
        "routing page": lambda: page.routing(scope, "study"),
        "draw three more": lambda: terms.draw_more(scope, "study", 3),
    }
    found = {}
    for name, walk in walks.items():
        with entered() as files:
            walk()
        found[name] = len(files)
    ws.close()
    return found


def main() -> list[dict[str, Any]]:
    """Count; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    figures = counts()
    with tempfile.TemporaryDirectory() as name:
        for journey, files in journeys(Path(name)).items():
            figures[f"files entered: {journey}"] = (files, JOURNEYS[journey])
    return [
        {
            "name": f"structure: {name}",
            "figure": figure,
            "bar": bar,
            "ratio": round(figure / bar, 2) if bar else None,
            "met": figure <= bar,
        }
        for name, (figure, bar) in figures.items()
    ]


if __name__ == "__main__":
    for row in main():
        print(
            f"{'MET   ' if row['met'] else 'MISSED'} {row['name']}: {row['figure']} (bar {row['bar']})"
        )
