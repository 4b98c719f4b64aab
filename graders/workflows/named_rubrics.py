"""Rubrics that come with Cograde and from plug-ins, by name, or from a file."""

from __future__ import annotations

from pathlib import Path

from graders.core import discovery
from graders.core.errors import InputError
from graders.core.rubric import Rubric, load_rubric


def bundled_rubrics() -> dict[str, Path]:
    """The rubric files that come with Cograde and from plug-ins, by name."""
    folder = Path(__file__).resolve().parents[2] / "rubrics"
    found = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    return {**found, **discovery.outside_files("rubrics")}


def read_named_rubric(name: str) -> Rubric:
    """A bundled rubric by name, or a rubric file by path."""
    known = bundled_rubrics()
    path = known.get(name) or Path(name)
    if not path.is_file():
        raise InputError(
            f"rubric {name!r}",
            found="no such rubric or file",
            expected="one of " + ", ".join(known) + ", or a YAML file",
            remedy="Correct the name or the path.",
        )
    return load_rubric(path)
