"""What an import brings beside questions, answers and verdicts: rubrics, people, settings, and the
other tables of the exchange format, so that every figure returns."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.contracts import ImportedRow
from graders.core.errors import CogradeError
from graders.core.rubric import Criterion, Rubric, rubric_hash
from graders.core.times import before
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content
from graders.store.opinions import cells, made_cells, verdicts
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import Project
from graders.store.transfer import exchange, imports, staged
from graders.store.workspace import Workspace
from graders.workflows.cells.state import FAULTS, Frame, read_frame, refresh_all

#: Fields of the kept tables that hold times.
_TIMES = ("at", "created_at", "saved_at", "opened_at")


def before_verdicts(
    ws: Workspace, project: Project, import_id: int, row: ImportedRow, *, fresh: bool
) -> None:
    """Take in what verdicts rest on: people, with the import; project settings into a `fresh`
    project, which goes if that is dropped."""
    fields = row.fields
    if row.table == "project" and fresh:
        current = projects.get_project(ws, project.name)
        projects.set_title(
            ws,
            project,
            str(fields.get("title") or current.title),
            str(fields.get("notice") or current.notice),
        )
        settings = fields.get("settings")
        if isinstance(settings, Mapping):
            projects.set_settings(ws, project, {**settings, **current.settings})
        if isinstance(fields.get("seed"), int):
            exchange.set_seed(ws, project, int(fields["seed"]))
    elif row.table == "people" and fields.get("id"):
        person = (
            str(fields["id"]),
            str(fields.get("name") or fields["id"]),
            str(fields.get("group") or ""),
        )
        staged.stage_people(ws, import_id, [person])


@dataclass(frozen=True, slots=True)
class RubricChange:
    """What an import does to a rubric: `replaces` says that one of its name is in the project now;
    `text` is a sentence for people to read before the import is done."""

    name: str
    replaces: bool
    criteria: Sequence[str]
    text: str


def rubric_changes(
    present: Sequence[Rubric], planned: Sequence[Rubric]
) -> tuple[RubricChange, ...]:
    """What becomes of each rubric of `planned`."""
    here = {rubric.name: rubric for rubric in present}
    return tuple(
        RubricChange(
            rubric.name,
            rubric.name in here,
            [criterion.name for criterion in rubric.criteria],
            _replaced(here[rubric.name], rubric) if rubric.name in here else _added(rubric),
        )
        for rubric in planned
    )


def _added(rubric: Rubric) -> str:
    criteria = "; ".join(f"{c.name} ({c.scale.describe()})" for c in rubric.criteria)
    return say("importing.rubric.added", rubric=rubric.name, criteria=criteria)


def _replaced(old: Rubric, new: Rubric) -> str:
    earlier, after = ({c.name: c for c in rubric.criteria} for rubric in (old, new))
    changes = [words for name in after if (words := _changed(earlier.get(name), after[name]))]
    changes += [
        say("importing.rubric.criterion_gone", criterion=name)
        for name in earlier
        if name not in after
    ]
    text = say(
        "importing.rubric.replaced",
        rubric=new.name,
        changes="; ".join(changes) or say("importing.rubric.criteria_stay"),
    )
    stale = [
        name
        for name in after
        if name in earlier and earlier[name].criterion_hash != after[name].criterion_hash
    ]
    if not stale:
        return text
    return f"{text} {say('importing.rubric.stale', criteria=', '.join(stale))}"


def _changed(old: Criterion | None, new: Criterion) -> str:
    scale = new.scale.describe()
    if old is None:
        return say("importing.rubric.criterion_new", criterion=new.name, scale=scale)
    if old.scale != new.scale:
        was = old.scale.describe()
        return say("importing.rubric.scale", criterion=new.name, before=was, after=scale)
    if old.criterion_hash != new.criterion_hash:
        return say("importing.rubric.wording", criterion=new.name)
    return ""


def add_rubric(ws: Workspace, project: Project, import_id: int, rubric: Rubric) -> str:
    """Keep a file's rubric with its import; returns a note or ''. One that the project has already
    stays as it is."""
    own = next(
        (r for r in staged.planned_rubrics(ws, project, import_id) if r.name == rubric.name), None
    )
    if own is None:
        staged.stage_rubric(ws, project, import_id, rubric)
    elif rubric_hash(own) != rubric_hash(rubric):
        return say("importing.note.rubric_kept", rubric=rubric.name)
    return ""


def planned_frame(ws: Workspace, project: Project, import_id: int) -> Frame:
    """The frame in which the cells of an import are worked out: the project as it will be when the
    import is done."""
    frame = read_frame(ws, project)
    return replace(
        frame,
        project=replace(
            project, settings={**project.settings, **staged.planned_settings(ws.db, import_id)}
        ),
        criteria={c.id: c for c in staged.planned_criteria(ws, project, import_id)},
        groups={**staged.planned_groups(ws.db, import_id), **frame.groups},
    )


def after_verdicts(
    ws: Workspace, project: Project, import_id: int, rows: Iterable[ImportedRow]
) -> None:
    """Keep metrics, routes, screens, assignments and calls with the import; they count when it is
    done."""
    came, batch = "", list[tuple[str, Mapping[str, Any]]]()
    for row in rows:
        came = came or imports.get_import(ws, import_id).started_at
        if row.table in exchange.TABLES:
            batch.append((row.table, _in_time(row.fields, came)))
            if len(batch) >= 500:
                exchange.keep(ws, import_id, batch)
                batch = []
    if batch:
        exchange.keep(ws, import_id, batch)


def _in_time(fields: Mapping[str, Any], came: str) -> Mapping[str, Any]:
    """A row with times that lie before its file came in, as those of the verdicts do, which they
    are held against."""
    late = {
        name: before(time, came)
        for name in _TIMES
        if isinstance(time := fields.get(name), str) and time > came
    }
    return {**fields, **late} if late else fields


def after_finish(ws: Workspace, project: Project, import_id: int) -> None:
    """Put the kept rows into their tables and bring the cells they touch up to date. May be done
    again after an interruption."""
    try:
        kept = exchange.kept_rows(ws, import_id)
        routed = exchange.unpack(ws, project, import_id, kept) if kept else []
    except (KeyError, TypeError, ValueError, json.JSONDecodeError) as error:
        raise CogradeError(**error_parts("importing.exchange_row", error=error)) from error
    project = projects.get_project(ws, project.name)
    refresh_all(ws, project, sorted({*routed, *exchange.kept_cells(ws.db, import_id, "late")}))
    refresh_all(
        ws,
        project,
        exchange.kept_cells(ws.db, import_id, "moved"),
        route=bool(project.settings.get("routed")),
    )
    _renew(ws, project, import_id)
    exchange.unpacked(ws, import_id)


def _renew(ws: Workspace, project: Project, import_id: int) -> None:
    """Answers that were there before an import get their cells under the rubrics that it brought,
    and their states by them."""
    keys = exchange.kept_keys(ws.db, import_id)
    if not keys:
        return
    _ensure_cells(ws, project)
    old = cells.cells_under(ws.db, project, keys, besides=import_id)
    refresh_all(ws, project, old, route=bool(project.settings.get("routed")))


def _ensure_cells(ws: Workspace, project: Project) -> None:
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    made_cells.ensure_cells(ws, project, criteria, content.subject_ids(ws.db, project))


def late_opinions(
    ws: Workspace, project: Project, import_id: int
) -> list[tuple[int, CellVerdict, int]]:
    """(verdict row, verdict, author row) of an import's verdicts on cells that were visible before
    it: their opinions take effect when it is done."""
    late = exchange.unapplied(ws.db, import_id)
    if not late:
        return []
    criteria = {c.id: c for c in staged.planned_criteria(ws, project, import_id)}
    return [
        (
            found.row,
            CellVerdict(found.cell, criteria[found.criterion], found.question, found.verdict),
            found.author,
        )
        for found in late
        if found.criterion in criteria
    ]


def apply_opinions(
    db: sqlite3.Connection, rows: Sequence[tuple[int, CellVerdict, int]], import_id: int
) -> None:
    """Make late verdicts their authors' present opinions. People's keep the import that brought
    them, which says how their answers were chosen."""
    by_people = [row[1].verdict.author_kind == "person" for row in rows]
    for people in (True, False):
        some = [row for row, person in zip(rows, by_people, strict=True) if person == people]
        if some:
            verdicts.set_opinions(db, some, import_id if people else 0)
