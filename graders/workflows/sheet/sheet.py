"""The study as a sheet: written or brought up to date, and what people changed in it taken in as
their verdicts."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graders.core.errors import InputError
from graders.core.records import BadRow
from graders.core.words import error_parts, say
from graders.exporters.sheet import Book, memory_of, open_file, page_of, write_into
from graders.exporters.sheets.google import ADDRESS, API, open_google
from graders.exporters.sheets.places import find, letters
from graders.exporters.sheets.update import Remembered
from graders.store import projects
from graders.store.answers import content
from graders.store.desk import queue
from graders.store.opinions import stored_verdicts, verdicts
from graders.store.projects import CriterionRow, Person, Project
from graders.workflows.cells.state import read_frame, refresh_said
from graders.workflows.report.export import take_snapshot
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.typed_names import person_named
from graders.workflows.sheet._renamed import refuse_renamed
from graders.workflows.sheet._values import (
    Reading,
    cells_of,
    changed,
    notes,
    quoted,
    subjects,
    take,
)


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to a sheet. `kept`: changed values that were left alone because they have not
    come back yet."""

    name: str
    page: str
    cells: int
    rows_added: int
    columns_added: int
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Brought:
    """What came back: verdicts appended for a person (`new_person`: one of that name was not known
    before), and what could not be read."""

    name: str
    person: str
    new_person: bool
    verdicts: int
    unchanged: int
    bad_rows: tuple[BadRow, ...]
    notes: tuple[str, ...]


@needs("export")
def write(scope: Scope, project_name: str, book: Book) -> Written:
    """Bring a sheet up to date with a project; what people changed in it and has not come back
    stays."""
    page, made = write_into(book, take_snapshot(scope, project_name))
    kept = tuple(
        say(
            "sheet.kept",
            file=book.name,
            page=page,
            cell=f"{letters(k.column)}{k.row + 1}",
            model=k.model,
            value=quoted(k.found),
            known=quoted(k.known),
        )
        for k in made.kept
    )
    return Written(book.name, page, len(made.cells), made.rows_added, made.columns_added, kept)


@dataclass(frozen=True, slots=True)
class Change:
    """A value that would become a verdict: where it stands, what was written there, and what it
    says now (None: n/a)."""

    question_id: str
    question: str
    model: str
    criterion: str
    part: str
    before: Any
    value: Any


@needs("import")
def look(
    scope: Scope, project_name: str, book: Book, person_name: str, code: str = ""
) -> tuple[Brought, list[Change]]:
    """What `read` would take in, and the changes one by one; nothing is written, and a new person
    is not made."""
    project = scope.project(project_name)
    reading = _opened(scope, project, book)
    found = list(changed(reading))
    person, new = person_named(scope, person_name, make=False, code=code)
    by_key = {row.key: row for row in projects.criteria(scope.ws, project)}
    taken = _taken(scope.ws.db, project, reading, person, found, by_key)
    texts = {
        q.id: q.text
        for q in content.questions(
            scope.ws.db, project, list({old.place.question_id for old in taken})
        ).values()
    }
    changes = [
        Change(
            old.place.question_id,
            texts.get(old.place.question_id, "")[:160],
            old.model,
            by_key[old.place.criterion].criterion.title,
            old.place.part,
            old.value,
            row.verdict.mark.value,
        )
        for old, row in zip(taken, reading.rows, strict=True)
    ]
    return _brought(reading, person, new), changes


@needs("import")
def read(scope: Scope, project_name: str, book: Book, person_name: str, code: str = "") -> Brought:
    """Append the values that a person changed in a sheet as that person's verdicts; what was not
    changed is not read.

    Each is checked against its scale. Verdicts are assisted: whoever works in the sheet has seen
    what it shows. A person's own verdict that is newer than the sheet is not amended.
    """
    project = scope.project(project_name)
    reading = _opened(scope, project, book)
    found = list(changed(reading))
    person, new = person_named(scope, person_name, make=bool(found), code=code)
    frame = read_frame(scope.ws, project)
    by_key = {row.key: row for row in frame.criteria.values()}
    with scope.ws.write() as db:
        _taken(db, project, reading, person, found, by_key)
        verdicts.append(db, project, reading.rows, now=scope.ws.now())
        if person.id:
            queue.mark_seen(db, scope.ws, person.id, subjects(db, project, reading.memory))
        refresh_said(scope.ws, project, frame, [row.cell_id for row in reading.rows])
    made = _brought(reading, person, new)
    body = {"source": book.name, "verdicts": made.verdicts, "bad": len(made.bad_rows)}
    projects.log_event(scope.ws, project, person.id, "sheet", body)
    return made


def _taken(
    db: sqlite3.Connection,
    project: Project,
    reading: Reading,
    person: Person,
    found: list[tuple[Remembered, tuple[int, int]]],
    by_key: Mapping[str, CriterionRow],
) -> list[Remembered]:
    """Check the changed values, those that came back before apart; the places of those that are
    left, beside `reading.rows`."""
    homes = cells_of(db, project, found, by_key)
    places: list[Remembered] = []
    for old, at in found:
        count = len(reading.rows)
        take(db, project, reading, person, old, at, by_key.get(old.place.criterion), homes)
        places += [old] * (len(reading.rows) - count)
    known = stored_verdicts.known_uids(db, project, [row.verdict.id for row in reading.rows])
    reading.unchanged += len(known)
    kept = [
        (old, row)
        for old, row in zip(places, reading.rows, strict=True)
        if row.verdict.id not in known
    ]
    reading.rows = [row for _, row in kept]
    return [old for old, _ in kept]


def _brought(reading: Reading, person: Person, new: bool) -> Brought:
    models, places = refuse_renamed(reading)
    bad = tuple(sorted(reading.bad, key=lambda b: b.row))
    return Brought(
        reading.book.name,
        person.name,
        new,
        len(reading.rows),
        reading.unchanged,
        bad,
        notes(reading, models, places),
    )


def _opened(scope: Scope, project: Project, book: Book) -> Reading:
    """The sheet with its memory; InputError where it has none, or belongs to another project."""
    memory = memory_of(book)
    if memory is None and not book.pages():
        raise InputError(**error_parts("sheet.no_file", file=book.name))
    if memory is None:
        raise InputError(**error_parts("sheet.no_memory", file=book.name))
    if memory.project != project.name:
        raise InputError(
            **error_parts(
                "sheet.of_another",
                file=book.name,
                project=repr(memory.project),
                expected=repr(project.name),
            )
        )
    texts = {q.id: q.text for q in content.questions(scope.ws.db, project).values()}
    models = list(dict.fromkeys(model for _, model in memory.cells))
    page = page_of(book, texts, models)
    grid = book.grid(page)
    layout = find(grid, texts, models)
    if layout is None:
        raise InputError(**error_parts("sheet.no_headings", file=book.name))
    return Reading(book, page, layout, memory, grid)


def book_at(target: str, credentials: Path | None = None, api: str = API) -> Book:
    """The spreadsheet that `target` names: an .xlsx file, or an address at Google, opened with a
    service account's key file."""
    if target.startswith(("https://", "http://")):
        if not target.startswith(ADDRESS):
            raise InputError(**error_parts("sheet.no_address", address=target, known=ADDRESS))
        return open_google(target, credentials, api)
    return open_file(Path(target))


__all__ = ["API", "Brought", "Change", "Written", "book_at", "look", "read", "write"]
