"""Imports point one way, in modules, in functions and under TYPE_CHECKING alike, and never in a circle."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import SLOWEST

ROOT = Path(__file__).parents[1]
SIBLINGS = ("rules", "faults", "seeded", "metrics", "judges", "providers", "importers", "exporters", "statistics", "store")
#: Layer -> layers it may import.
MAY = {
    "core": {"core"},
    **{name: {"core", name} for name in SIBLINGS},
    "workflows": {"core", *SIBLINGS, "workflows"},
    "web": {"core", *SIBLINGS, "workflows", "web"},
    "commands": {"core", *SIBLINGS, "workflows", "commands"},
    "__main__": {"core", "store", "workflows", "web", "commands"},
    "__init__": {"core", "store", "workflows"},
}
#: Packages that only one layer may know.
ONLY = {
    "gradio": "web",
    "fastapi": "web",
    "starlette": "web",
    "uvicorn": "web",
    "typer": "commands",
    "rich": "commands",
    "sqlite3": "store",
    "sqlite_utils": "store",
    "openai": "providers",
    "anthropic": "providers",
    "torch": "metrics",
    "ruamel": "core",
    "gspread": "exporters",
}


@cache
def tree_of(path: Path) -> ast.Module:
    """A file's syntax tree, read once for all tests."""
    return ast.parse(path.read_text("utf-8"))


def imports_of(path: Path) -> list[tuple[str, int]]:
    """All modules that a file imports anywhere, with the line."""
    found = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            found += [(node.module or "", node.lineno)]
            found += [
                (f"{node.module}.{alias.name}", node.lineno) for alias in node.names if (ROOT / f"{node.module}".replace(".", "/")).is_dir()
            ]
    return found


@cache
def modules() -> dict[str, Path]:
    """Module name -> file."""
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in sorted((ROOT / "graders").rglob("*.py"))}


def layer_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


@pytest.mark.parametrize("module", modules())
def test_imports_point_one_way(module: str) -> None:
    layer = layer_of(module)
    for name, line in imports_of(modules()[module]):
        top = name.split(".")[0]
        if top == "graders" and name != "graders":
            assert layer_of(name) in MAY[layer], f"{module}:{line}: {layer} must not import {name}"
        elif top in ONLY and not (top == "sqlite3" and layer == "workflows"):
            assert layer in (ONLY[top], "__main__"), f"{module}:{line}: only {ONLY[top]} may import {top}"


def test_workflows_run_no_sql() -> None:
    """Use cases may pass a connection along, but no statement stands outside the store."""
    for module, path in modules().items():
        if layer_of(module) in ("store",):
            continue
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = node.value.split()
                assert not (len(words) > 2 and words[0] in ("SELECT", "INSERT", "UPDATE", "DELETE")), (
                    f"{module}:{node.lineno}: SQL outside the store"
                )


def test_no_circles() -> None:
    known = modules()
    graph = {name: {found for found, _ in imports_of(path) if found in known and found != name} for name, path in known.items()}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, "circle: " + " -> ".join((*trail[trail.index(name) :], name))
        if name not in done:
            for other in graph[name]:
                visit(other, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def test_the_test_sees_a_wrong_arrow(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def f():\n    import gradio\n    from graders.web import page\n", "utf-8")
    assert ("gradio", 2) in imports_of(wrong)
    assert any(name == "graders.web" and line == 3 for name, line in imports_of(wrong))


def test_the_files_that_begin_first_are_there() -> None:
    assert [name for name in SLOWEST if not (ROOT / "tests" / name).is_file()] == []
