"""Rubrics that come with Cograde and from plug-ins, by name, or from a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from graders.core import discovery
from graders.core.errors import CogradeError, InputError
from graders.core.rubric import Rubric, load_rubric
from graders.core.words import error_parts


def bundled_rubrics() -> dict[str, Path]:
    """The rubric files that come with Cograde and from plug-ins, by name."""
    folder = Path(__file__).resolve().parents[3] / "rubrics"
    found = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    return {**found, **discovery.outside_files("rubrics")}


def readable_rubrics(paths: Iterable[Path], names: Iterable[str]) -> list[Rubric]:
    """The rubrics in those files that hold one of `names` at all (reading YAML takes long); one
    that cannot be read is left out."""
    wanted = tuple(names)
    found = []
    for path in paths:
        try:
            if any(name in path.read_text("utf-8") for name in wanted):
                found.append(load_rubric(path))
        except (CogradeError, OSError, UnicodeDecodeError):
            continue  # an outside package's: `broken_rubrics` says so
    return found


def broken_rubrics() -> list[discovery.Failure]:
    """Rubrics of outside packages that cannot be read, and why."""
    failures = []
    for name, path in discovery.outside_files("rubrics").items():
        try:
            load_rubric(path)
        except (CogradeError, OSError) as error:
            failures.append(discovery.Failure("rubric", name, str(error)))
    return failures


def read_named_rubric(name: str) -> Rubric:
    """A bundled rubric by name, or a rubric file by path."""
    known = bundled_rubrics()
    path = known.get(name) or Path(name)
    if not path.is_file():
        raise InputError(**error_parts("scope.no_rubric", name=name, names=", ".join(known)))
    return load_rubric(path)
