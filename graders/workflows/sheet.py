"""The study as a sheet: written or brought up to date, and what people changed in it taken in as their verdicts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from graders.core.errors import InputError, ScaleError
from graders.core.hashing import digest
from graders.core.records import BadRow, Mark, Provenance, SubjectKey, Verdict
from graders.exporters._google import ADDRESS, API, open_google
from graders.exporters._places import Cell, Layout, find, fold, letters, same
from graders.exporters._study import COMPUTED, VERDICT
from graders.exporters._update import Memory, Remembered
from graders.exporters.sheet import Book, memory_of, open_file, page_of, write_into
from graders.store import annotators, cells, content, projects, queue, verdicts
from graders.store.projects import CriterionRow, Person, Project
from graders.store.verdicts import CellVerdict
from graders.workflows.cells import read_frame, refresh
from graders.workflows.export import take_snapshot
from graders.workflows.permissions import Scope, needs

#: What people write where a criterion does not apply.
NOT_APPLICABLE = ("n/a", "na", "not applicable", "not_applicable", "н/д", "неприменимо", "不适用", "該当なし")


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to a sheet. `kept`: changed values that were left alone because they have not come back yet."""

    name: str
    page: str
    cells: int
    rows_added: int
    columns_added: int
    kept: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Brought:
    """What came back: verdicts appended for a person (`new_person`: nobody of that name was known), and what could not be read."""

    name: str
    person: str
    new_person: bool
    verdicts: int
    unchanged: int
    bad_rows: tuple[BadRow, ...]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@dataclass(slots=True)
class _Reading:
    """One pass over a sheet that came back."""

    book: Book
    page: str
    layout: Layout
    memory: Memory
    grid: Mapping[tuple[int, int], Cell]
    bad: list[BadRow] = field(default_factory=list)
    rows: list[CellVerdict] = field(default_factory=list)
    unchanged: int = 0

    def refuse(self, row: int, column: int, model: str, found: str, expected: str, remedy: str = "") -> None:
        """Note a value that cannot be taken in, with its place as spreadsheets name it."""
        place = f"{letters(column)} ({model})" if model else letters(column)
        file = f"{self.book.name}, sheet {self.page}"
        self.bad.append(BadRow(file=file, row=row + 1, column=place, found=found[:160], expected=expected, remedy=remedy))


@needs("export")
def write(scope: Scope, project_name: str, book: Book) -> Written:
    """Bring a sheet up to date with a project; what people changed in it and has not come back stays."""
    page, made = write_into(book, take_snapshot(scope, project_name))
    place = f"{book.name}, sheet {page}"
    kept = tuple(
        f"{place}, {letters(k.column)}{k.row + 1} ({k.model}): {_quoted(k.found)} was kept; Cograde has {_quoted(k.known)}."
        for k in made.kept
    )
    return Written(book.name, page, len(made.cells), made.rows_added, made.columns_added, kept)


@needs("import")
def read(scope: Scope, project_name: str, book: Book, person_name: str) -> Brought:
    """Append the values that somebody changed in a sheet as that person's verdicts; what was not changed is not read.

    Each is checked against its scale. Verdicts are assisted: whoever works in the sheet has seen what it shows. A person's
    own verdict that is newer than the sheet is not amended.
    """
    project = scope.project(project_name)
    reading = _opened(scope, project, book)
    changed = list(_changed(reading))
    person, new = _person(scope, person_name, make=bool(changed))
    frame = read_frame(scope.ws, project)
    by_key = {row.key: row for row in frame.criteria.values()}
    with scope.ws.write() as db:
        found = _cells(db, project, changed, by_key)
        for old, at in changed:
            _take(db, project, reading, person, old, at, by_key.get(old.place.criterion), found)
        verdicts.append(db, project, reading.rows, now=scope.ws.now())
        if person.id:
            queue.mark_seen(db, scope.ws, person.id, _subjects(db, project, reading.memory))
        refresh(db, frame, [row.cell_id for row in reading.rows])
    made = Brought(
        book.name, person.name, new, len(reading.rows), reading.unchanged, tuple(sorted(reading.bad, key=lambda b: b.row)), _notes(reading)
    )
    body = {"source": book.name, "verdicts": made.verdicts, "bad": len(made.bad_rows)}
    projects.log_event(scope.ws, project, person.id, "sheet", body)
    return made


def _opened(scope: Scope, project: Project, book: Book) -> _Reading:
    """The sheet with its memory; InputError where it has none, or belongs to another project."""
    memory = memory_of(book)
    if memory is None and not book.pages():
        raise InputError(
            book.name, found="no such file", expected="a sheet that Cograde has written", remedy="Write it first: cograde sheet write."
        )
    if memory is None:
        raise InputError(
            book.name,
            found="a sheet that Cograde has not written",
            expected="one that remembers what was written",
            remedy="Write it first: cograde sheet write; from then on changes come back.",
        )
    if memory.project != project.name:
        raise InputError(book.name, found=f"a sheet of the project {memory.project!r}", expected=f"one of {project.name!r}")
    texts = {q.id: q.text for q in content.questions(scope.ws.db, project).values()}
    models = list(dict.fromkeys(model for _, model in memory.cells))
    page = page_of(book, texts, models)
    grid = book.grid(page)
    layout = find(grid, texts, models)
    if layout is None:
        raise InputError(
            book.name, found="no sheet with the headings Question id and Criterion", expected="both in one row", remedy="Put them back."
        )
    return _Reading(book, page, layout, memory, grid)


def _person(scope: Scope, name: str, *, make: bool) -> tuple[Person, bool]:
    """The person of that id or name, and whether he or she is new; without `make` a new one has no id."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= 80:
        raise InputError("option --person", found=f"{len(name)} characters", expected="a name of 1 to 80 characters")
    known = projects.people(scope.ws)
    if name in known:
        return known[name], False
    named = [person for person in known.values() if person.name.casefold() == name.casefold()]
    if len(named) > 1:
        raise InputError(
            f"person {name!r}", found=f"{len(named)} people of that name", expected="one of the ids " + ", ".join(p.id for p in named)
        )
    if named:
        return named[0], False
    return projects.add_person(scope.ws, name) if make else Person("", name), True


def _changed(reading: _Reading) -> Iterator[tuple[Remembered, tuple[int, int]]]:
    """What is no longer as it was written, with its place; values where nothing was written are refused."""
    layout, seen = reading.layout, set[tuple[int, int]]()
    for old in reading.memory.cells.values():
        found, column = layout.row_of(old.place.question_id, [old.name]), layout.columns.get(old.model)
        if found is None or column is None:
            continue
        at = (found[0], column)
        seen.add(at)
        if not same(reading.grid.get(at, ""), old.value):
            yield old, at
    models = {column: model for model, column in layout.columns.items()}
    known = {found[0] for old in reading.memory.cells.values() if (found := layout.row_of(old.place.question_id, [old.name]))}
    for (row, column), value in sorted(reading.grid.items()):
        if row in known and column in models and (row, column) not in seen and fold(value):
            expected = "an empty cell: when the sheet was written, this model had no answer here"
            reading.refuse(row, column, models[column], _quoted(value), expected, "Write the sheet again, then change the value.")
    for row, second, name in layout.twice:
        found_text, expected = f"a second {'row' if second is None else 'column'} for {name[:80]!r}", "one, the first of which counts"
        reading.refuse(row, second if second is not None else layout.keys[2] or 0, "", found_text, expected, "Remove or rename it.")


def _cells(
    db: sqlite3.Connection, project: Project, changed: list[tuple[Remembered, tuple[int, int]]], criteria: Mapping[str, CriterionRow]
) -> dict[tuple[str, str, int, str, str], tuple[int, int]]:
    """(question, model, version, criterion, part) -> (cell row, question row) of what was changed."""
    rows = content.question_ids(db, project, list({old.place.question_id for old, _ in changed}))
    subjects = content.subject_rows(db, project, rows.values())
    names: dict[tuple[int, int, str], tuple[str, str, int, str, str]] = {}
    for old, _ in changed:
        subject = subjects.get((rows.get(old.place.question_id, 0), old.model, old.version, ""))
        criterion = criteria.get(old.place.criterion)
        if subject is not None and criterion is not None:
            names[subject, criterion.id, old.place.part] = _name(old)
    return {names[key]: (cell, rows[names[key][0]]) for key, cell in cells.find(db, list(names)).items()}


def _name(old: Remembered) -> tuple[str, str, int, str, str]:
    return (old.place.question_id, old.model, old.version, old.place.criterion, old.place.part)


def _take(
    db: sqlite3.Connection,
    project: Project,
    reading: _Reading,
    person: Person,
    old: Remembered,
    at: tuple[int, int],
    criterion: CriterionRow | None,
    found: Mapping[tuple[str, str, int, str, str], tuple[int, int]],
) -> None:
    """One changed value: a verdict, nothing new, or a bad row."""
    value = reading.grid.get(at, "")
    home = found.get(_name(old))
    if old.place.kind != VERDICT or criterion is None or home is None or criterion.hash != old.criterion_hash:
        reading.refuse(*at, old.model, _quoted(value), *_unfit(old, criterion, home))
        return
    try:
        mark = _mark(value, criterion)
    except ScaleError as error:
        remedy = f"Write n/a where the criterion does not apply, or put back what was there: {old.value}."
        reading.refuse(*at, old.model, _quoted(value), error.expected, remedy)
        return
    if _as_written(old.value, criterion, mark):
        return
    own = annotators.my_opinion(db, project, person.id, home[0])
    if own is not None and (own["value"], own["status"]) == (mark.value, mark.status):
        reading.unchanged += 1
        return
    if own is not None and own["created_at"] > old.until and own["metadata"].get("sheet") != reading.memory.id:
        said = "n/a" if own["value"] is None else str(own["value"])
        remedy = "Change the verdict at the desk, or write the sheet again and then change the value."
        reading.refuse(*at, old.model, _quoted(value), f"{said!r}, which {person.name} said after the sheet was written", remedy)
        return
    amends = own["uid"] if own is not None else ""
    reading.rows.append(CellVerdict(home[0], criterion, home[1], _verdict(reading, person, old, mark, value, amends)))


def _unfit(old: Remembered, criterion: CriterionRow | None, home: tuple[int, int] | None) -> tuple[str, str]:
    """Why a place takes no verdict: (expected, remedy)."""
    written = f"{_quoted(old.value)}, as it was written"
    if old.place.kind == COMPUTED:
        return f"{written}: it follows from the rows of its parts", "Put it back and change the parts."
    if old.place.kind != VERDICT:
        return f"{written}: the reference is elected by the values", "Put it back."
    if criterion is None or criterion.hash != old.criterion_hash:
        what = "is no longer in the project" if criterion is None else "has another question, guide or scale now"
        return f"a criterion as it was when the sheet was written; it {what}", "Write the sheet again, then look at the value anew."
    return "an answer that is in the project", "Write the sheet again." if home is None else ""


def _mark(value: Cell, criterion: CriterionRow) -> Mark:
    """What a cell says: a value of the scale, or that the criterion does not apply."""
    try:
        return Mark(value=criterion.scale.parse(value))
    except ScaleError:
        if fold(value) in NOT_APPLICABLE:
            return Mark.unscored("not_applicable")
        raise


def _as_written(written: Cell, criterion: CriterionRow, mark: Mark) -> bool:
    """Whether a cell still means what was written: ``yes`` for Yes, ``n/a`` for not applicable."""
    try:
        return _mark(written, criterion) == mark
    except ScaleError:
        return False


def _quoted(value: Cell) -> str:
    return "an empty cell" if value == "" else repr(value) if not isinstance(value, str) else repr(value[:80])


def _verdict(reading: _Reading, person: Person, old: Remembered, mark: Mark, value: Cell, amends: str) -> Verdict:
    sheet = reading.memory.id
    return Verdict(
        subject=SubjectKey(old.place.question_id, old.model, old.version),
        criterion=old.place.criterion,
        part=old.place.part,
        author=person.id,
        author_kind="person",
        mark=mark,
        kind="amends" if amends else "given",
        amends=amends,
        criterion_hash=old.criterion_hash,
        provenance=Provenance(arm="assisted", design="imported", action="edited" if old.value != "pending" else "typed"),
        id="s-" + digest(sheet, person.id, *_name(old), mark.value, mark.status, amends, length=20),
        metadata={"sheet": sheet, "sheet_value": value},
    )


def _subjects(db: sqlite3.Connection, project: Project, memory: Memory) -> list[int]:
    """All answers of which the sheet shows something."""
    rows = content.question_ids(db, project, list({place.question_id for place, _ in memory.cells}))
    known = content.subject_rows(db, project, rows.values())
    wanted = {(rows.get(old.place.question_id, 0), old.model, old.version, "") for old in memory.cells.values()}
    return sorted(known[key] for key in wanted if key in known)


def _notes(reading: _Reading) -> tuple[str, ...]:
    """What was written and is gone: whole rows and columns; they change nothing."""
    layout = reading.layout
    gone = {old.place for old in reading.memory.cells.values() if layout.row_of(old.place.question_id, [old.name]) is None}
    columns = sorted({model for _, model in reading.memory.cells if model not in layout.columns})
    notes = [f"{len(gone)} rows that were written are no longer there; their verdicts stay as they are."] if gone else []
    return (*notes, *(f"The column of {model} is no longer there; its verdicts stay as they are." for model in columns))


def book_at(target: str, credentials: Path | None = None, api: str = API) -> Book:
    """The spreadsheet that `target` names: an .xlsx file, or an address at Google, opened with a service account's key file."""
    if target.startswith(("https://", "http://")):
        if not target.startswith(ADDRESS):
            raise InputError(
                target, found="an address that is no Google sheet", expected=f"{ADDRESS}d/...", remedy="Copy it from the browser."
            )
        return open_google(target, credentials, api)
    return open_file(Path(target))


__all__ = ["API", "Brought", "Written", "book_at", "read", "write"]
