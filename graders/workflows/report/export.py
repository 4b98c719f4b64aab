"""Taking a project away: as a table, a workbook, or the exchange format that brings back every
figure."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graders.core import discovery
from graders.core.contracts import Snapshot
from graders.core.errors import InputError, PluginError, UsageError
from graders.core.rubric import Criterion
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.exporters.sheets.scores import SECONDS
from graders.store import projects
from graders.store.answers import content, elections
from graders.store.projects import Project
from graders.store.transfer import snapshot
from graders.store.workspace import Workspace
from graders.workflows.cells.outputs import best_outputs
from graders.workflows.importing import seeded_copies
from graders.workflows.opinions import author_ceilings
from graders.workflows.scope.missing_reasons import cut_words
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs

#: The format that brings a project back.
EXCHANGE = "jsonl"
#: The ending of what may be a folder too.
ZIP = ".zip"
#: What commands call the standard output.
STDOUT = Path("-")


@needs("export")
def export(
    scope: Scope, project_name: str, format: str, target: Path, *, force: bool = False
) -> Path:
    """Write a project to `target`; UsageError names the formats.

    InputError where the file's ending is another format's, where a file is there already, unless
    `force` says to write over it, or where there is no folder to write into.
    """
    exporter = discovery.make("exporters", _known(format))
    fits(target, endings()[format], folder=exporter.suffix == ZIP)
    found = take_snapshot(scope, project_name)
    free(target, force)
    # other formats hold results
    if format == EXCHANGE and (
        rows := seeded_copies.rows_of(scope.ws, scope.project(project_name))
    ):
        found = replace(found, tables={**found.tables, seeded_copies.TABLE: rows})
    try:
        exporter.write(found, target)
    except OSError as error:
        raise InputError(
            **error_parts("report.export.no_write", target=target, why=error.strerror or str(error))
        ) from error
    return target


def endings() -> dict[str, tuple[str, ...]]:
    """Format -> the endings that its files may have; without formats that cannot be loaded."""
    found, _ = discovery.load_all("exporters")
    return {name: (exporter.suffix, *exporter.more_suffixes) for name, exporter in found.items()}


@dataclass(frozen=True, slots=True)
class Format:
    """A format that is offered for download: its name, what pages call it, the endings of its
    files."""

    format: str
    title: str
    suffixes: Sequence[str]


def formats() -> list[Format]:
    """Formats that are offered for download, in the order of their titles."""
    exporters, _ = discovery.load_all("exporters")
    offered = [
        Format(
            name,
            exporter.said("title") or exporter.said("about"),
            (exporter.suffix, *exporter.more_suffixes),
        )
        for name, exporter in exporters.items()
    ]
    return sorted(offered, key=lambda one: one.title)


def format_of(target: Path, known: Mapping[str, Sequence[str]], otherwise: str) -> str:
    """Of the formats with the endings that are `known` the one that a file's ending names: before
    others the one that is called like it; `otherwise` where none has it."""
    ending = target.suffix.lower()
    fitting = [name for name in known if ending in known[name]]
    return next(
        (name for name in fitting if f".{name}" == ending), fitting[0] if fitting else otherwise
    )


def fits(target: Path, known: Sequence[str], *, folder: bool = False) -> None:
    """Raise where a file's name ends as one of another format does. A `folder` may have any ending
    that no kind of file has."""
    ending = target.suffix.lower()
    if ending in ("", *known) or target.is_dir() or (folder and ending not in _file_endings()):
        return
    expected = say("report.export.or").join(known)
    if folder:
        expected = say("report.export.endings_or_folder", endings=expected)
    raise InputError(
        **error_parts("report.export.ending", target=target, ending=ending, expected=expected)
    )


#: Endings of files that not every Python knows.
_TEXTS = {".md", ".yaml", ".yml", ".toml", ".db", ".log"}


def _file_endings() -> set[str]:
    """Endings by which a name is taken for a file's: those of our formats, texts that people name
    so, and those that Python knows (not the machine's own list)."""
    ours = {ending for known in endings().values() for ending in known}
    read = {
        ending
        for name in discovery.names("importers")
        for ending in discovery.find("importers", name).suffixes
    }
    return ours | read | _TEXTS | set(mimetypes.MimeTypes().types_map[True])


def free(target: Path, force: bool) -> None:
    """Raise where writing to `target` would overwrite something or make folders that nobody asked
    for."""
    if target == STDOUT:
        raise InputError(**error_parts("report.export.stdout"))
    if not target.absolute().parent.is_dir():
        raise InputError(
            **error_parts("report.export.no_folder", target=target, folder=target.parent)
        )
    # a folder with files in it no exporter takes, forced or not
    if target.exists() and not target.is_dir() and not force:
        raise InputError(**error_parts("report.export.taken", target=target))


@needs("export")
def take_snapshot(scope: Scope, project_name: str) -> Snapshot:
    """All of a project as plain rows, in stable order."""
    project = scope.project(project_name)
    criteria = {c.key: c.criterion for c in projects.criteria(scope.ws, project)}
    cells = snapshot.cells(scope.ws, project)
    tables = snapshot.tables(scope.ws, project)
    measured = {row["metric"] for row in tables["metrics"]}
    _add_columns(cells, criteria, measured | SECONDS.keys())
    cut = _cut(tables["judge"])
    for row in cells:
        if notes := cut.get(_place(row)):
            row["reference_cut"] = "; ".join(
                f"{judge}: {words}" for judge, words in sorted(notes.items())
            )
    more = {
        "cells": cells,
        "elected": _elected(scope.ws, project),
        "ceilings": _ceilings(scope.ws, project),
    }
    more["measured"] = _measured(scope.ws, project, tables["metrics"])
    return Snapshot(
        project=snapshot.project_row(scope.ws, project),
        rubrics=snapshot.rubric_sources(scope.ws, project),
        tables={**tables, **more},
    )


def _add_columns(
    cells: Sequence[JSON], criteria: Mapping[str, Criterion | None], taken: Collection[str]
) -> None:
    """Give the rows what installed columns have for them. PluginError names one that fails, or that
    would stand in the place of another, or of those that are `taken`."""
    columns, _ = discovery.load_all("columns")
    for name, part in columns.items():
        if name in taken or (cells and name in cells[0]):
            raise PluginError(**error_parts("report.export.column_taken", name=name))
        column = part()
        try:
            for row in cells:
                row[name] = column.value(row, criteria.get(row["criterion"]))
        except Exception as error:  # a plug-in may fail in any way; the file then says which
            raise PluginError(
                **error_parts(
                    "report.export.column_failed", name=name, error=error, type=type(error).__name__
                )
            ) from error


def _cut(said: Sequence[Mapping[str, Any]]) -> dict[tuple[Any, ...], dict[str, str]]:
    """Cell -> judge -> how much it saw of references that were cut to its model's window, where its
    present verdict rests on such."""
    found: dict[tuple[Any, ...], dict[str, str]] = {}
    for row in said:  # in the order in which they were given
        if words := cut_words(row, short=True):
            found.setdefault(_place(row), {})[row["judge"]] = words
        else:
            found.get(_place(row), {}).pop(row["judge"], None)
    return found


def _place(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """What names the cell of an exported row."""
    return tuple(
        row.get(name) or ""
        for name in ("question_id", "model", "answer_version", "criterion", "part")
    )


def _measured(ws: Workspace, project: Project, metrics: Sequence[Mapping[str, Any]]) -> list[JSON]:
    """The values by which answers are held against the best ones, each with the criterion that it
    belongs to."""
    owners = {
        name: c.key for c in projects.criteria(ws, project) for name in best_outputs(c.criterion)
    }
    kept = ("question_id", "model", "answer_version", "metric", "value")
    return [
        {**{name: row.get(name) for name in kept}, "criterion": owners[row["metric"]]}
        for row in metrics
        if row["metric"] in owners and row.get("value") is not None
    ]


def _elected(ws: Workspace, project: Project) -> list[JSON]:
    """The present reference of each question that has one among its answers."""
    names = names_of(ws)
    asked = content.questions(ws.db, project)
    return [
        {
            "question_id": asked[row].id,
            "model": found.model,
            "by": called(names, found.by),
            "numbers": dict(found.numbers),
        }
        for row, found in sorted(elections.elections(ws.db, project).items())
        if found.model and row in asked
    ]


def _ceilings(ws: Workspace, project: Project) -> list[JSON]:
    """What authors' own texts reach under a criterion, and models on the same questions."""
    found = author_ceilings.ceilings(ws, project, projects.criteria(ws, project), {})
    return [
        {
            "criterion": key,
            "author": one.author.value,
            "models": one.models.value,
            "questions": one.questions,
            "names": one.names,
        }
        for key, one in found.items()
    ]


def suffix_of(format: str) -> str:
    """The file ending of a format that is downloaded as one file."""
    suffix: str = discovery.find("exporters", _known(format)).suffix
    return suffix


def file_stem(name: str) -> str:
    """A project's name as a harmless file name."""
    return re.sub(r"[^\w-]+", "-", name).strip("-")[:80] or "project"


def _known(format: str) -> str:
    if format not in discovery.names("exporters"):
        raise UsageError(
            **error_parts(
                "report.export.no_format",
                format=format,
                formats=", ".join(discovery.names("exporters")),
            )
        )
    return format
