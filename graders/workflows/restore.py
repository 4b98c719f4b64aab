"""The other tables of the exchange format on their way back in, so that every figure returns."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graders.core.contracts import ImportedRow
from graders.core.errors import CogradeError
from graders.core.rubric import Rubric, rubric_hash
from graders.store import projects, transfer, verdicts
from graders.store.projects import Project
from graders.store.verdicts import CellVerdict
from graders.store.workspace import Workspace
from graders.workflows.cells import refresh_all


def before_verdicts(ws: Workspace, project: Project, row: ImportedRow, *, fresh: bool) -> None:
    """Take in what verdicts rest on: people, and project settings into a `fresh` project."""
    fields = row.fields
    if row.table == "project" and fresh:
        current = projects.get_project(ws, project.name)
        projects.set_title(ws, project, str(fields.get("title") or current.title), str(fields.get("notice") or current.notice))
        settings = fields.get("settings")
        if isinstance(settings, Mapping):
            projects.set_settings(ws, project, {**settings, **current.settings})
        if isinstance(fields.get("seed"), int):
            transfer.set_seed(ws, project, int(fields["seed"]))
    elif row.table == "people" and fields.get("id"):
        projects.add_person(ws, str(fields.get("name") or fields["id"]), person_id=str(fields["id"]), group=str(fields.get("group") or ""))


def add_rubric(ws: Workspace, project: Project, rubric: Rubric) -> str:
    """Give a project a file's rubric; returns a note or ''.

    One that the project has already stays as it is: an import that is not finished must change nothing.
    """
    own = next((r for r in projects.rubrics(ws, project) if r.name == rubric.name), None)
    if own is None:
        projects.save_rubric(ws, project, rubric)
    elif rubric_hash(own) != rubric_hash(rubric):
        return f"The file's rubric {rubric.name} differs from the project's, which is kept."
    return ""


def after_verdicts(ws: Workspace, project: Project, import_id: int, rows: Iterable[ImportedRow]) -> None:
    """Keep metrics, routes, screens, assignments and calls with the import; they count when it is done."""
    batch: list[tuple[str, Mapping[str, Any]]] = []
    for row in rows:
        if row.table in transfer.TABLES:
            batch.append((row.table, row.fields))
            if len(batch) >= 500:
                transfer.keep(ws, import_id, batch)
                batch = []
    transfer.keep(ws, import_id, batch)


def after_finish(ws: Workspace, project: Project, import_id: int) -> None:
    """Put the kept rows into their tables and bring the cells they touch up to date. May be done again after an interruption."""
    try:
        routed = transfer.unpack(ws, project, import_id)
    except (KeyError, TypeError, ValueError, json.JSONDecodeError) as error:
        raise CogradeError(
            "exchange files", found=f"a row that cannot be read ({error})", expected="the fields of the exchange format"
        ) from error
    project = projects.get_project(ws, project.name)
    refresh_all(ws, project, sorted({*routed, *transfer.kept_cells(ws.db, import_id, "late")}))
    refresh_all(ws, project, transfer.kept_cells(ws.db, import_id, "moved"), route=bool(project.settings.get("routed")))
    transfer.unpacked(ws, import_id)


def late_opinions(ws: Workspace, project: Project, import_id: int) -> list[tuple[int, CellVerdict, int]]:
    """Verdicts of an import on cells that were visible before it: their opinions take effect when it is done."""
    criteria = {c.id: c for c in projects.criteria(ws, project)}
    return [
        (row, CellVerdict(cell, criteria[criterion], question, verdict), author)
        for row, cell, criterion, question, verdict, author in transfer.unapplied(ws.db, import_id)
        if criterion in criteria
    ]


def apply_opinions(db: sqlite3.Connection, rows: Sequence[tuple[int, CellVerdict, int]]) -> None:
    """Make late verdicts their authors' present opinions."""
    verdicts.set_opinions(db, rows, 0)


__all__ = ["after_finish", "after_verdicts", "apply_opinions", "before_verdicts", "late_opinions"]
