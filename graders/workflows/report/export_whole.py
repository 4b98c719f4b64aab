"""The export of all of a project that stands before its deletion: written, read again, and held
against what the workspace has."""

from __future__ import annotations

import json
import os
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.store.transfer.project_removal import Content
from graders.workflows.importing.seeded_copies import TABLE
from graders.workflows.projects import delete
from graders.workflows.report.export import EXCHANGE, ZIP, export
from graders.workflows.scope.permissions import Scope, needs


@dataclass(frozen=True, slots=True)
class Exported:
    """The file with all of a project, how much of each kind it holds, and the `state` of the
    project that it holds, which `delete` asks for."""

    output: Path
    content: Content
    state: str


@needs("export")
def export_whole(scope: Scope, project_name: str, target: Path) -> Exported:
    """Write all of a project into a new zip that `cograde import` brings back.

    InputError where the file is no .zip, is there already or cannot be written, and where it does
    not hold every row that the workspace has.
    """
    if target.suffix.lower() != ZIP:
        raise InputError(**error_parts("report.whole.suffix", target=target))
    state = delete.state_of(scope, project_name)
    wanted = delete.content_of(scope, project_name)
    export(scope, project_name, EXCHANGE, target)
    found = _held(target)
    if found != wanted:
        counts = (asdict(one) for one in (found, wanted))
        here, there = (", ".join(f"{n} {name}" for name, n in one.items()) for one in counts)
        raise InputError(
            **error_parts("report.whole.lacks", target=target, found=here, wanted=there)
        )
    return Exported(target, found, state)


def _held(target: Path) -> Content:
    """How many rows each table of an export has, read from the disk."""
    try:
        with target.open("rb") as file:
            os.fsync(file.fileno())
        with zipfile.ZipFile(target) as archive:
            counts = Counter({name: _lines(archive, f"{name}.jsonl") for name in _TABLES})
            counts.update(_of_copies(archive))
            return Content(**{name: counts[name] for name in _TABLES})
    except (OSError, zipfile.BadZipFile) as error:
        parts = error_parts("report.export.no_write", target=target, why=error)
        raise InputError(**parts) from error


_TABLES = ("questions", "answers", "human", "judge", "calls")


def _of_copies(archive: zipfile.ZipFile) -> Iterator[str]:
    """The table of each row of the copies with seeded faults, which have one member together."""
    if f"{TABLE}.jsonl" in archive.namelist():
        with archive.open(f"{TABLE}.jsonl") as member:
            yield from (str(json.loads(line)["table"]) for line in member)


def _lines(archive: zipfile.ZipFile, name: str) -> int:
    """The lines of a member; reading to its end also holds it against its checksum."""
    if name not in archive.namelist():
        return 0
    with archive.open(name) as member:
        return sum(1 for _ in member)
