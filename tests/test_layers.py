"""Imports point one way, in modules, in functions and under TYPE_CHECKING alike, and never in a
circle."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import SLOWEST

ROOT = Path(__file__).parents[1]
SIBLINGS = (
    "rules",
    "faults",
    "seeded",
    "metrics",
    "judges",
    "providers",
    "importers",
    "exporters",
    "columns",
    "statistics",
    "store",
)
#: Layer -> layers it may import.
MAY = {
    "core": {"core"},
    **{name: {"core", name} for name in SIBLINGS},
    "workflows": {"core", *SIBLINGS, "workflows"},
    "web": {"core", *SIBLINGS, "workflows", "web"},
    "commands": {"core", *SIBLINGS, "workflows", "commands"},
    "notebook": {"core", "store", "workflows", "notebook"},
    "__main__": {"core", "store", "workflows", "web", "commands"},
    "__init__": {"core", "workflows", "notebook"},
}
#: Rooms of a layer from the ground up: each stands only on those before it. What has no room stands
#: below all of them in the store, and above all of them elsewhere.
FLOORS = {
    "workflows": (
        "scope", "cells", "opinions", "learning", "promise", "measuring", "importing", "routing", "leaderboard", "calling",
        "results", "collecting", "runs", "agreement", "review", "evaluate", "workshop", "rubrics", "projects", "adjudication",
        "diagnostics", "benchmarks", "report", "sheet", "home",
    ),
    "store": ("answers", "desk", "opinions", "calls", "figures", "transfer"),
    "rules": ("writing", "numbers", "languages", "counts", "forms"),
    "judges": ("asking",),
    "providers": ("http",),
    "importers": ("tables",),
    "exporters": ("sheets",),
    "metrics": ("texts", "models"),
}  # fmt: skip
#: At most so many files stand in a room.
MOST_FILES = 20
#: At most so many parameters has a function; what belongs together is a record.
MOST_PARAMETERS = 8
#: Where a parameter is what a person may type or a page may send.
FREE = ("graders/commands/", "graders/web/routes/", "graders/web/calls/")
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


@cache
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
                (f"{node.module}.{alias.name}", node.lineno)
                for alias in node.names
                if (ROOT / f"{node.module}".replace(".", "/")).is_dir()
            ]
    return found


@cache
def modules() -> dict[str, Path]:
    """Module name -> file."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path
        for path in sorted((ROOT / "graders").rglob("*.py"))
    }


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
            assert layer in (ONLY[top], "__main__"), (
                f"{module}:{line}: only {ONLY[top]} may import {top}"
            )


def test_workflows_run_no_sql() -> None:
    """Use cases may pass a connection along, but no statement stands outside the store."""
    for module, path in modules().items():
        if layer_of(module) in ("store",):
            continue
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = node.value.split()
                assert not (
                    len(words) > 2 and words[0] in ("SELECT", "INSERT", "UPDATE", "DELETE")
                ), f"{module}:{node.lineno}: SQL outside the store"


def test_no_circles() -> None:
    known = modules()
    graph = {
        name: {found for found, _ in imports_of(path) if found in known and found != name}
        for name, path in known.items()
    }
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, "circle: " + " -> ".join((*trail[trail.index(name) :], name))
        if name not in done:
            for other in graph[name]:
                visit(other, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def room_of(module: str) -> str:
    """The room in which a module stands; "" for none."""
    parts = module.split(".")
    return (
        parts[2]
        if len(parts) > 2
        and (ROOT / "graders" / parts[1] / parts[2]).is_dir()
        and parts[1] in FLOORS
        else ""
    )


def between_rooms() -> list[tuple[str, int, str]]:
    """(module, line, imported module) of every import from one room of a layer into another."""
    return [
        (module, line, name)
        for module, path in modules().items()
        if layer_of(module) in FLOORS
        for name, line in imports_of(path)
        if layer_of(name) == layer_of(module)
        and name.startswith("graders.")
        and room_of(name) != room_of(module)
    ]


def wrong_arrows(arrows: list[tuple[str, int, str]]) -> list[str]:
    """Imports between rooms that point upward."""
    found = []
    for module, line, name in arrows:
        layer = layer_of(module)
        floors = ("", *FLOORS[layer]) if layer == "store" else (*FLOORS[layer], "")
        if room_of(name) and floors.index(room_of(name)) >= floors.index(room_of(module)):
            found.append(
                f"{module}:{line}: {room_of(module)} must not import {name}, which stands above it"
            )
    return found


def test_rooms_import_downward_only() -> None:
    assert wrong_arrows(between_rooms()) == []
    assert wrong_arrows([("graders.workflows.cells.state", 1, "graders.workflows.home.overview")])
    assert wrong_arrows([("graders.store.answers.content", 1, "graders.store.opinions.cells")])


def test_an_underscore_is_private_to_its_folder() -> None:
    past = [
        f"{module}:{line}: {name}"
        for module, path in modules().items()
        for name, line in imports_of(path)
        if name in modules()
        and name.rsplit(".", 1)[1].startswith("_")
        and name.rsplit(".", 1)[0] != module.removesuffix(".__init__").rsplit(".", 1)[0]
        and name.rsplit(".", 1)[0] != module.removesuffix(".__init__")
    ]
    assert past == []


@pytest.mark.parametrize("layer", FLOORS)
def test_each_room_has_a_door_that_tells_the_truth(layer: str) -> None:
    """A door says what the room is for, on which others it stands, and which of its modules others
    may use."""
    rooms = {
        path.name
        for path in (ROOT / "graders" / layer).iterdir()
        if (path / "__init__.py").is_file()
    }
    assert rooms == set(FLOORS[layer])
    stands_on: dict[str, set[str]] = {room: set() for room in rooms}
    for module, _, name in between_rooms():
        if layer_of(module) == layer and room_of(module) and room_of(name):
            stands_on[room_of(module)].add(room_of(name))
    for room in rooms:
        folder = ROOT / "graders" / layer / room
        files = sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")
        door = tree_of(folder / "__init__.py")
        (names,) = [node.value for node in door.body if isinstance(node, ast.Assign)]
        assert ast.literal_eval(names) == [name for name in files if not name.startswith("_")], room
        assert len(files) < MOST_FILES, room
        if layer in ("workflows", "store"):
            said = re.search(
                r"Stands on: (.*?)\.$", ast.get_docstring(door) or "", flags=re.M | re.S
            )
            assert (
                said
                and "Comes in:" in ast.get_docstring(door)
                and "Goes out:" in ast.get_docstring(door)
            ), room
            told = set(" ".join(said[1].split()).split(", ")) - {"no other room"}
            assert told == stands_on[room], room


def test_the_floor_plan_in_the_docs_is_the_one_that_holds() -> None:
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    _, workflows, store, shared = (
        re.findall(r"^\| ([\w/]+) \|", part, flags=re.M) for part in text.split("\n## ")[:4]
    )
    assert tuple(workflows[1:]) == FLOORS["workflows"] and tuple(store[1:]) == FLOORS["store"]
    assert shared[1:] == [
        f"{layer}/{room}"
        for layer in FLOORS
        if layer not in ("workflows", "store")
        for room in FLOORS[layer]
    ]


def test_use_cases_stand_in_rooms() -> None:
    assert [path.name for path in (ROOT / "graders/workflows").glob("*.py")] == ["__init__.py"]


def test_the_test_sees_a_wrong_arrow(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def f():\n    import gradio\n    from graders.web import page\n", "utf-8")
    assert ("gradio", 2) in imports_of(wrong)
    assert any(name == "graders.web" and line == 3 for name, line in imports_of(wrong))


def test_the_files_that_begin_first_are_there() -> None:
    assert [name for name in SLOWEST if not (ROOT / "tests" / name).is_file()] == []


def test_no_function_has_many_parameters() -> None:
    many = []
    for path in sorted((ROOT / "graders").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(FREE):
            continue
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                args = node.args
                names = [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
                if len([arg for arg in names if arg not in ("self", "cls")]) > MOST_PARAMETERS:
                    many.append(f"{name}:{node.lineno}: {node.name}")
    assert many == []
