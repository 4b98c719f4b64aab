"""Changed values of a sheet that came back, checked one by one: a verdict, nothing new, or a bad
row with its place."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from graders.core.errors import ScaleError
from graders.core.hashing import digest
from graders.core.records import BadRow, Mark, Provenance, SubjectKey, Verdict
from graders.core.words import row_parts, say
from graders.exporters.sheet import Book
from graders.exporters.sheets.places import Cell, Layout, fold, letters, same
from graders.exporters.sheets.study import COMPUTED, MEASURED, VERDICT, Place
from graders.exporters.sheets.update import Memory, Remembered
from graders.store.answers import content
from graders.store.desk import annotators
from graders.store.opinions import made_cells
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import CriterionRow, Person, Project

#: What people write where a criterion does not apply.
NOT_APPLICABLE = (
    "n/a",
    "na",
    "not applicable",
    "not_applicable",
    "н/д",
    "неприменимо",
    "不适用",
    "該当なし",
)


@dataclass(slots=True)
class Reading:
    """One pass over a sheet that came back."""

    book: Book
    page: str
    layout: Layout
    memory: Memory
    grid: Mapping[tuple[int, int], Cell]
    bad: list[BadRow] = field(default_factory=list)
    rows: list[CellVerdict] = field(default_factory=list)
    unchanged: int = 0

    def refuse(self, at: tuple[int, int], model: str, parts: Mapping[str, str]) -> None:
        """Note a value at (row, column) that cannot be taken in, with its place as spreadsheets
        name it."""
        row, column = at
        self.bad.append(
            BadRow(
                file=say("sheet.place", file=self.book.name, page=self.page),
                row=row + 1,
                column=f"{letters(column)} ({model})" if model else letters(column),
                found=parts["found"][:160],
                expected=parts["expected"],
                remedy=parts.get("remedy", ""),
            )
        )


def changed(reading: Reading) -> Iterator[tuple[Remembered, tuple[int, int]]]:
    """What is no longer as it was written, with its place; values where nothing was written are
    refused."""
    layout, seen = reading.layout, set[tuple[int, int]]()
    for old in reading.memory.cells.values():
        found, column = (
            layout.row_of(old.place.question_id, [old.name]),
            layout.columns.get(old.model),
        )
        if found is None or column is None:
            continue
        at = (found[0], column)
        seen.add(at)
        if not same(reading.grid.get(at, ""), old.value):
            yield old, at
    models = {column: model for model, column in layout.columns.items()}
    known = {
        found[0]
        for old in reading.memory.cells.values()
        if (found := layout.row_of(old.place.question_id, [old.name]))
    }
    for (row, column), value in sorted(reading.grid.items()):
        if row in known and column in models and (row, column) not in seen and fold(value):
            parts = row_parts("sheet.no_answer", value=quoted(value))
            reading.refuse((row, column), models[column], parts)
    for row, second, name in layout.twice:
        parts = (
            row_parts("sheet.second_row", name=repr(name[:80]))
            if second is None
            else row_parts("sheet.second_column", name=repr(name[:80]))
        )
        reading.refuse((row, second if second is not None else layout.keys[2] or 0), "", parts)


def cells_of(
    db: sqlite3.Connection,
    project: Project,
    changed: list[tuple[Remembered, tuple[int, int]]],
    criteria: Mapping[str, CriterionRow],
) -> dict[tuple[str, str, int, str, str], tuple[int, int]]:
    """(question, model, version, criterion, part) -> (cell row, question row) of what was
    changed."""
    rows = content.question_ids(db, project, list({old.place.question_id for old, _ in changed}))
    subjects = content.subject_rows(db, project, rows.values())
    names: dict[tuple[int, int, str], tuple[str, str, int, str, str]] = {}
    for old, _ in changed:
        subject = subjects.get((rows.get(old.place.question_id, 0), old.model, old.version, ""))
        criterion = criteria.get(old.place.criterion)
        if subject is not None and criterion is not None:
            names[subject, criterion.id, old.place.part] = _name(old)
    return {
        names[key]: (cell, rows[names[key][0]])
        for key, cell in made_cells.find(db, list(names)).items()
    }


def _name(old: Remembered) -> tuple[str, str, int, str, str]:
    return (old.place.question_id, old.model, old.version, old.place.criterion, old.place.part)


def take(
    db: sqlite3.Connection,
    project: Project,
    reading: Reading,
    person: Person,
    old: Remembered,
    at: tuple[int, int],
    criterion: CriterionRow | None,
    found: Mapping[tuple[str, str, int, str, str], tuple[int, int]],
) -> None:
    """One changed value: a verdict, nothing new, or a bad row."""
    value = reading.grid.get(at, "")
    home = found.get(_name(old))
    if (
        old.place.kind != VERDICT
        or criterion is None
        or home is None
        or criterion.hash != old.criterion_hash
    ):
        reading.refuse(at, old.model, _unfit(old, criterion, quoted(value)))
        return
    try:
        mark = _mark(value, criterion)
    except ScaleError as error:
        parts = row_parts(
            "sheet.off_scale", value=quoted(value), expected=error.expected, written=old.value
        )
        reading.refuse(at, old.model, parts)
        return
    if _as_written(old.value, criterion, mark):
        return
    own = annotators.my_opinion(db, project, person.id, home[0])
    if own is not None and (own.value, own.status) == (mark.value, mark.status):
        reading.unchanged += 1
        return
    if (
        own is not None
        and own.created_at > old.until
        and own.metadata.get("sheet") != reading.memory.id
    ):
        said = "n/a" if own.value is None else str(own.value)
        parts = row_parts("sheet.newer", value=quoted(value), own=repr(said), person=person.name)
        reading.refuse(at, old.model, parts)
        return
    amends = own.uid if own is not None else ""
    reading.rows.append(
        CellVerdict(
            home[0], criterion, home[1], _verdict(reading, person, old, mark, value, amends)
        )
    )


def _unfit(old: Remembered, criterion: CriterionRow | None, value: str) -> Mapping[str, str]:
    """Why a place takes no verdict, as the parts of a bad row."""
    written = quoted(old.value)
    if old.place.kind == COMPUTED:
        return row_parts("sheet.computed", value=value, written=written)
    if old.place.kind == MEASURED:
        return row_parts("sheet.measured", value=value, written=written)
    if old.place.kind != VERDICT:
        return row_parts("sheet.elected", value=value, written=written)
    if criterion is None:
        return row_parts("sheet.criterion_gone", value=value)
    if criterion.hash != old.criterion_hash:
        return row_parts("sheet.criterion_changed", value=value)
    return row_parts("sheet.answer_gone", value=value)


def _mark(value: Cell, criterion: CriterionRow) -> Mark:
    """What a cell says: a value of the scale, or that the criterion does not apply."""
    try:
        return Mark(value=criterion.rubric.value_of(criterion.criterion, value))
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


def quoted(value: Cell) -> str:
    """A cell as messages show it."""
    if value == "":
        return say("sheet.empty")
    return repr(value[:80] if isinstance(value, str) else value)


def _verdict(
    reading: Reading, person: Person, old: Remembered, mark: Mark, value: Cell, amends: str
) -> Verdict:
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
        provenance=Provenance(
            arm="assisted",
            design="imported",
            action="edited" if old.value != "pending" else "typed",
        ),
        id="s-" + digest(sheet, person.id, *_name(old), mark.value, mark.status, amends, length=20),
        metadata={"sheet": sheet, "sheet_value": value},
    )


def subjects(db: sqlite3.Connection, project: Project, memory: Memory) -> list[int]:
    """All answers of which the sheet shows something."""
    rows = content.question_ids(db, project, list({place.question_id for place, _ in memory.cells}))
    known = content.subject_rows(db, project, rows.values())
    wanted = {
        (rows.get(old.place.question_id, 0), old.model, old.version, "")
        for old in memory.cells.values()
    }
    return sorted(known[key] for key in wanted if key in known)


def notes(
    reading: Reading, models: Collection[str] = (), places: Collection[Place] = ()
) -> tuple[str, ...]:
    """What was written and is gone: whole rows and columns, but for `models` and `places`; they
    change nothing."""
    layout = reading.layout
    gone = {
        old.place
        for old in reading.memory.cells.values()
        if layout.row_of(old.place.question_id, [old.name]) is None
    } - {*places}
    columns = sorted(
        {model for _, model in reading.memory.cells if model not in layout.columns} - {*models}
    )
    notes = [say("sheet.note.rows", n=len(gone))] if gone else []
    return (*notes, *(say("sheet.note.column", model=model) for model in columns))
