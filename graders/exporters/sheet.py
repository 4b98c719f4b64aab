"""The study as a sheet that people work in: a block of rows per question, a row per criterion, a
column per model."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

from graders.core.contracts import Exporter, Snapshot
from graders.core.errors import InputError
from graders.core.scale import Value
from graders.core.words import carried, error_parts
from graders.exporters.sheets.book import Workbook
from graders.exporters.sheets.book_new import NewWorkbook
from graders.exporters.sheets.costs import cost_cells, costs, table_cells
from graders.exporters.sheets.places import Cell, Grid, find, same
from graders.exporters.sheets.study import Study, study_of
from graders.exporters.sheets.update import (
    MEMORY,
    Memory,
    Plan,
    Remembered,
    memory_rows,
    plan,
    read_memory,
)

say = carried(
    "sheet",
    {
        "ending.where": "{path}",
        "ending.found": "the ending {ending}",
        "ending.expected": ".xlsx",
        "ending.remedy": "Name a workbook.",
        "no_ending": "(none)",
        "other_project.where": "{book}",
        "other_project.found": "a sheet of the project {found!r}",
        "other_project.expected": "one of {project!r}",
        "other_project.remedy": "Name another file, or the other project.",
    },
)

#: The sheets that are written where none fits.
STUDY, COSTS, CEILINGS = "Study", "Costs", "Ceilings"
CEILING_COLUMNS = (
    "Criterion",
    "Whose own texts",
    "Their mean",
    "Models' mean on the same questions",
    "Questions",
)


class Book(Protocol):
    """A spreadsheet with named sheets: a file, or one at Google. Rows and columns count from 0."""

    name: str

    def pages(self) -> list[str]: ...
    def grid(self, page: str) -> Mapping[tuple[int, int], Cell]: ...
    def formulas(self, page: str) -> set[tuple[int, int]]: ...
    def put(self, page: str, cells: Mapping[tuple[int, int], Value]) -> None: ...
    def hide(self, page: str, rows: Sequence[Sequence[Value]]) -> None: ...
    def save(self) -> None: ...


@dataclass(frozen=True)
class Sheet(Exporter):
    """A workbook with the sheets Study and Costs, Ceilings where there are authors' own texts, and
    a hidden one that remembers what was written.

    An existing workbook is brought up to date: rows and columns are found by name, what people
    changed or added stays.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Study sheet: a block per question, a row per criterion, a column per model; "
        "changed values can come back"
    )
    title: ClassVar[str] = "Sheet to grade in (XLSX)"
    suffix: ClassVar[str] = ".xlsx"
    more_suffixes: ClassVar[tuple[str, ...]] = (".xlsm",)

    def write(self, snapshot: Snapshot, target: Path) -> None:
        write_into(open_file(target), snapshot)


def open_file(path: Path) -> Book:
    """The workbook at `path`, or a new one where there is none."""
    if path.suffix.lower() not in (".xlsx", ".xlsm"):
        ending = path.suffix or say("no_ending")
        raise InputError(**error_parts("sheet.ending", path=path, ending=ending))
    return Workbook(path) if path.is_file() else NewWorkbook(path)


def write_into(book: Book, snapshot: Snapshot) -> tuple[str, Plan]:
    """Bring a book up to date and save it; returns the sheet's name and what was done. InputError
    for another project's book."""
    study, project = study_of(snapshot), str(snapshot.project["name"])
    memory = memory_of(book) or Memory(secrets.token_hex(6), project)
    if memory.project != project:
        raise InputError(
            **error_parts(
                "sheet.other_project", book=book.name, found=memory.project, project=project
            )
        )
    page = page_of(book, study.questions, study.models)
    people = snapshot.tables.get("human", ())
    until = max((str(row.get("created_at") or "") for row in people), default="")
    made = plan(
        book.grid(page), book.formulas(page), memory, study, until, _Brought(memory.id, people)
    )
    book.put(page, made.cells)
    if paid := costs(snapshot):
        book.put(COSTS, cost_cells(book.grid(COSTS), paid))
    if reached := _ceilings(snapshot):
        book.put(CEILINGS, table_cells(book.grid(CEILINGS), CEILING_COLUMNS, reached))
    book.hide(MEMORY, memory_rows(memory, made.memory))
    book.save()
    return page, made


def _ceilings(snapshot: Snapshot) -> list[tuple[Value, ...]]:
    """What authors' own texts reach, and models on the same questions: rows of CEILING_COLUMNS."""
    return [
        (
            str(row["criterion"]),
            ", ".join(row["names"]),
            round(float(row["author"]), 4),
            "" if row["models"] is None else round(float(row["models"]), 4),
            int(row["questions"]),
        )
        for row in snapshot.tables.get("ceilings", ())
    ]


def memory_of(book: Book) -> Memory | None:
    """What a book remembers of what was written into it."""
    return read_memory(book.grid(MEMORY))


def page_of(book: Book, questions: Mapping[str, str], models: Sequence[str]) -> str:
    """The first visible sheet with headings for question and criterion, else the name of one to
    add."""
    pages = [page for page in book.pages() if page not in (COSTS, CEILINGS)]
    fitting = [page for page in pages if find(book.grid(page), questions, models) is not None]
    if fitting:
        return fitting[0]
    return next(
        (page for page in pages if not book.grid(page)),
        STUDY if STUDY not in pages else f"{STUDY} (Cograde)",
    )


class _Brought:
    """Whether a changed value came back as a verdict: verdicts say from which sheet they came."""

    def __init__(self, sheet: str, people: Sequence[Mapping[str, Any]]) -> None:
        self._values: dict[tuple[str, ...], list[Any]] = {}
        for row in people:
            if row.get("sheet") == sheet:
                key = (
                    str(row["question_id"]),
                    str(row["criterion"]),
                    str(row.get("part") or ""),
                    str(row["model"]),
                )
                self._values.setdefault(key, []).append(row.get("sheet_value"))

    def __call__(self, old: Remembered, found: Cell) -> bool:
        key = (old.place.question_id, old.place.criterion, old.place.part, old.model)
        return any(same(found, value) for value in self._values.get(key, ()))


__all__ = [
    "COSTS",
    "STUDY",
    "Book",
    "Grid",
    "Sheet",
    "Study",
    "memory_of",
    "open_file",
    "page_of",
    "write_into",
]
