"""The folder is the registry, the file name is the name.

Every module of ``graders/rules`` defines one Rule, every module of ``graders/importers`` one
Importer, and so on; outside packages add theirs through entry points (``cograde.rules``, ...). One
part that cannot be loaded is reported and does not take the others down. Pages, routes and commands
are modules: `load_modules` finds them.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

from graders.core.contracts import (
    AnyJudge,
    Exporter,
    Importer,
    Metric,
    Provider,
    ResultColumn,
    Rule,
)
from graders.core.errors import CogradeError, ContractError, PluginError
from graders.core.faults import Fault
from graders.core.part import Part
from graders.core.seeded import SeededFault
from graders.core.words import error_parts

FOLDERS: dict[str, type[Part]] = {
    "rules": Rule,
    "metrics": Metric,
    "judges": AnyJudge,
    "providers": Provider,
    "importers": Importer,
    "exporters": Exporter,
    "columns": ResultColumn,
    "faults": Fault,
    "seeded": SeededFault,
}

P = TypeVar("P", bound=Part)

#: Folder -> what of its modules could not be loaded in this process.
_noted: dict[str, list[Failure]] = {}


@dataclass(frozen=True, slots=True)
class Failure:
    """A part that could not be loaded, and why, in one sentence."""

    kind: str
    name: str
    reason: str


def module_names(folder: str) -> list[str]:
    """Names of the modules of a folder that may define a part: those that start with no
    underscore."""
    package = importlib.import_module(f"graders.{folder}")
    return sorted(
        info.name
        for info in pkgutil.iter_modules(package.__path__)
        if not info.name.startswith("_") and not info.ispkg
    )


def names(folder: str) -> list[str]:
    """All names that `find` knows in a folder, without loading them."""
    return sorted({*module_names(folder), *(point.name for point in _points(folder))})


@cache
def find(folder: str, name: str) -> type[Any]:
    """The class that `name` means in `folder`. PluginError with one sentence if it cannot be
    loaded."""
    base = FOLDERS[folder]
    outside = next((point for point in _points(folder) if point.name == name), None)
    try:
        if outside is not None:
            found = outside.load()
            found = found if inspect.isclass(found) else _only_class(found, base)
        elif name in module_names(folder):
            found = _only_class(importlib.import_module(f"graders.{folder}.{name}"), base)
        else:
            raise PluginError(
                **error_parts(
                    "core.discovery.unknown",
                    kind=base.kind,
                    name=name,
                    names=", ".join(names(folder)),
                )
            )
        if not (inspect.isclass(found) and issubclass(found, base)):
            raise ContractError(
                **error_parts(
                    "core.discovery.no_part",
                    kind=base.kind,
                    name=name,
                    part=repr(found),
                    base=base.__name__,
                )
            )
    except CogradeError:
        raise
    except Exception as error:  # a plug-in may fail in any way; the others must still load
        raise _unloadable(f"{base.kind} {name}", error) from error
    if "name" not in vars(found):  # one that is inherited is another part's
        found.name = name
    found.folder = folder
    return found


def load_all(folder: str) -> tuple[dict[str, type[Any]], list[Failure]]:
    """All parts of a folder that load, and a Failure for each that does not."""
    return _load(folder, names(folder))


def _load(folder: str, wanted: Sequence[str]) -> tuple[dict[str, type[Any]], list[Failure]]:
    parts: dict[str, type[Any]] = {}
    failures: list[Failure] = []
    for name in wanted:
        try:
            parts[name] = find(folder, name)
        except CogradeError as error:
            failures.append(Failure(FOLDERS[folder].kind, name, str(error)))
    return parts, failures


def module_files(package: str) -> dict[str, Path]:
    """Name -> file of the modules of a package that `load_modules` would load; loads none."""
    (folder,) = importlib.import_module(package).__path__
    return {path.stem: path for path in sorted(Path(folder).glob("[!_]*.py"))}


def outside_names(folder: str) -> list[str]:
    """The names that outside packages add for `folder`."""
    return [point.name for point in _points(folder)]


def load_modules(
    folder: str, package: str, wanted: Sequence[str], only: Sequence[str] = ()
) -> tuple[dict[str, Any], list[Failure]]:
    """Modules of a package by name, with those that outside packages add for `folder` (pages,
    routes, commands).

    Each defines one of `wanted`; an entry point may also name that object itself
    (``pack.module:page``). Those that do not load are Failures, remembered for `broken`. Where
    there are modules of the names `only`, the others are left alone and nothing is remembered.
    """
    kind = folder.removesuffix("s")
    inside = importlib.import_module(package)
    found: dict[str, Any] = {}
    failures: list[Failure] = []
    sources: dict[str, Callable[[], Any]] = {
        info.name: partial(importlib.import_module, f"{package}.{info.name}")
        for info in pkgutil.iter_modules(inside.__path__)
        if not info.name.startswith("_")
    }
    sources |= {point.name: point.load for point in _points(folder)}
    chosen = {name: sources[name] for name in only if name in sources}
    for name, load in (chosen or sources).items():
        try:
            module = load()
            if not inspect.ismodule(module):
                module = SimpleNamespace(**{wanted[0]: module})
            if not any(hasattr(module, one) for one in wanted):
                raise ContractError(
                    **error_parts(
                        "core.discovery.no_module", kind=kind, name=name, wanted=" or ".join(wanted)
                    )
                )
            found[name] = module
        except CogradeError as error:
            failures.append(Failure(kind, name, str(error)))
        except Exception as error:  # a plug-in may fail in any way; the others must still load
            failures.append(Failure(kind, name, str(_unloadable(f"{kind} {name}", error))))
    if not chosen:
        note(folder, failures)
    return found, failures


def note(folder: str, failures: Sequence[Failure]) -> None:
    """Remember what of a folder could not be loaded, in place of what was remembered of it."""
    _noted[folder] = list(failures)


def broken(outside: bool = False) -> list[Failure]:
    """All parts that cannot be loaded, and the pages, routes and commands that this process could
    not load. With `outside` only those that outside packages bring: loading all built-in parts
    takes a second."""
    names_of = outside_names if outside else names
    parts = [failure for folder in FOLDERS for failure in _load(folder, names_of(folder))[1]]
    return [*parts, *(failure for noted in _noted.values() for failure in noted)]


def _unloadable(where: str, error: Exception) -> PluginError:
    return PluginError(
        **error_parts(
            "core.discovery.does_not_load",
            where=where,
            error_type=type(error).__name__,
            error=error,
        )
    )


def make(folder: str, name: str, options: Any = None) -> Any:
    """An instance of a part with `options` for its fields; ContractError names an option that it
    does not have."""
    found = find(folder, name)
    try:
        return found(**dict(options or {}))
    except TypeError as error:
        fields = list(inspect.signature(found).parameters)
        raise ContractError(
            **error_parts(
                "core.discovery.options",
                kind=FOLDERS[folder].kind,
                name=name,
                options=dict(options or {}),
                error=error,
                fields=", ".join(fields) or "none",
            )
        ) from error


def outside_files(folder: str) -> dict[str, Path]:
    """Files that outside packages add (rubrics): an entry point names a module; its folder's YAML
    file of that name counts.

    What names no such file is remembered for `broken`.
    """
    found: dict[str, Path] = {}
    failures: list[Failure] = []
    for point in _points(folder):
        module, _, _ = point.value.partition(":")
        try:
            spec = importlib.util.find_spec(module)
        except Exception:  # a package around the module may be gone, or fail in any way
            spec = None
        for place in (spec.submodule_search_locations or []) if spec else []:
            path = Path(place) / f"{point.name}.yaml"
            if path.is_file():
                found[point.name] = path
        if point.name not in found:
            kind = folder.removesuffix("s")
            lost = PluginError(
                **error_parts("core.discovery.no_file", kind=kind, name=point.name, module=module)
            )
            failures.append(Failure(kind, point.name, str(lost)))
    note(folder, failures)
    return found


def _points(folder: str) -> list[Any]:
    return list(_all_points(tuple(sys.path)).select(group=f"cograde.{folder}"))


@cache
def _all_points(path: tuple[str, ...]) -> Any:
    """All entry points on `path`: reading them opens a file of every installed package."""
    return entry_points()


def _only_class(module: Any, base: type[Part]) -> type[Any]:
    here = [
        c
        for _, c in inspect.getmembers(module, inspect.isclass)
        if issubclass(c, base)
        and c is not base
        and c.__module__ == module.__name__
        and not c.__name__.startswith("_")
    ]
    if len(here) != 1:
        raise ContractError(
            **error_parts(
                "core.discovery.classes",
                name=module.__name__,
                classes=len(here),
                base=base.__name__,
            )
        )
    return here[0]
