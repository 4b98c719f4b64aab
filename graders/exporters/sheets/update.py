"""What is to be written into a sheet, given what stands there and what was written before; nothing
here touches a file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graders.core.imported import SHEET_MEMORY
from graders.core.scale import Value
from graders.exporters.sheets.places import KEYS, Cell, Grid, Layout, find, fold, same, words
from graders.exporters.sheets.study import Line, Place, Study

#: The hidden sheet that remembers what was written, and what it says to those who find it.
MEMORY = SHEET_MEMORY
NOTE = "What Cograde wrote, so that only what people change comes back. Please do not edit."
_COLUMNS = (
    "question_id",
    "criterion",
    "part",
    "kind",
    "model",
    "answer_version",
    "criterion_hash",
    "known_until",
    "row_name",
    "value",
)
_FIRST = 2


@dataclass(frozen=True, slots=True)
class Remembered:
    """What was written for one place and model: `name` stands in the criterion's column; verdicts
    up to `until` were known."""

    place: Place
    model: str
    version: int
    criterion_hash: str
    until: str
    name: str
    value: Cell


@dataclass(frozen=True, slots=True)
class Memory:
    """All that was written into a sheet. `id` names the sheet, `project` what it is about."""

    id: str
    project: str
    cells: Mapping[tuple[Place, str], Remembered] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Kept:
    """A value that was left alone because a person put it there: where (row and column from 0),
    what, what is known now."""

    row: int
    column: int
    model: str
    found: Cell
    known: Value


@dataclass(slots=True)
class Plan:
    """Cells to write by row and column from 0; what is to be remembered; what was left alone; how
    much was added."""

    cells: dict[tuple[int, int], Value] = field(default_factory=dict)
    memory: list[Remembered] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    rows_added: int = 0
    columns_added: int = 0


def plan(
    grid: Grid,
    formulas: Collection[tuple[int, int]],
    memory: Memory,
    study: Study,
    until: str,
    brought: Callable[[Remembered, Cell], bool],
) -> Plan:
    """How a sheet becomes up to date. A cell that a person changed is left alone unless `brought`
    says that it came back.

    Rows and columns that are missing go below and to the right of all that stands there.
    """
    made = Plan()
    layout = find(grid, study.questions, study.models)
    if layout is None:
        height = max((row for row, _ in grid), default=-1) + 1
        layout = Layout(height, (0, 1, 2), {}, {}, height + 1, len(KEYS))
        made.cells |= {(height, column): name for column, name in enumerate(KEYS)}
    columns = dict(layout.columns)
    for model in study.models:
        if model not in columns:
            columns[model] = max(layout.width, len(KEYS)) + made.columns_added
            made.cells[layout.head, columns[model]] = model
            made.columns_added += 1
    begun = {question for question, _ in layout.rows}
    for line in study.lines:
        row, name = _row(layout, line, study, made, begun)
        for model, value in line.values.items():
            at = (row, columns[model])
            # A row or column that is gone comes back filled: no person emptied these cells.
            added = row >= layout.height or model not in layout.columns
            old = None if added else memory.cells.get((line.place, model))
            now = Remembered(
                line.place,
                model,
                line.versions.get(model, 1),
                study.hashes.get(line.place.criterion, ""),
                until,
                name,
                value,
            )
            made.memory.append(_settle(made, grid, at in formulas, at, old, now, brought))
    known = {(r.place, r.model) for r in made.memory}
    made.memory += [old for key, old in memory.cells.items() if key not in known]
    return made


def _row(layout: Layout, line: Line, study: Study, made: Plan, begun: set[str]) -> tuple[int, str]:
    """The row of a line and the name it has there; a new row below the others if there is none."""
    found = layout.row_of(line.place.question_id, line.names)
    if found is not None:
        return found
    row = layout.height + made.rows_added
    made.rows_added += 1
    question = line.place.question_id
    by_id, text, criterion = layout.keys
    if by_id is not None:
        made.cells[row, by_id] = question
    if text is not None and (question not in begun or by_id is None):
        made.cells[row, text] = study.questions[question]
    begun.add(question)
    made.cells[row, criterion or 0] = line.names[0]
    return row, line.names[0]


def _settle(
    made: Plan,
    grid: Grid,
    computed: bool,
    at: tuple[int, int],
    old: Remembered | None,
    now: Remembered,
    brought: Callable[[Remembered, Cell], bool],
) -> Remembered:
    """Write one cell or leave it alone; returns what is to be remembered of it."""
    found = grid.get(at, "")
    untouched = same(found, old.value) if old is not None else fold(found) == ""
    if not computed and same(found, now.value):
        return now
    if not computed and (untouched or (old is not None and brought(old, found))):
        made.cells[at] = now.value
        return now
    made.kept.append(Kept(*at, now.model, found, now.value))
    return old or now


# -- the hidden sheet


def memory_rows(memory: Memory, cells: Iterable[Remembered]) -> list[list[Value]]:
    """The hidden sheet: what it is, headings, one row per value."""
    head: list[list[Value]] = [[NOTE, memory.id, memory.project], list(_COLUMNS)]
    return head + [
        [*r.place, r.model, r.version, r.criterion_hash, r.until, r.name, r.value] for r in cells
    ]


def read_memory(grid: Grid) -> Memory | None:
    """What a hidden sheet remembers; None where it is none. Damaged rows are left out."""
    if words(grid.get((0, 0), "")) != NOTE or not grid.get((0, 1)):
        return None
    cells: dict[tuple[Place, str], Remembered] = {}
    for row in _filled(grid):
        question, criterion, part, kind, model = (words(value) for value in row[:5])
        if question and model and words(row[5]).isdecimal():
            place = Place(question, criterion, part, kind)
            until, name = words(row[7]), words(row[8])
            cells[place, model] = Remembered(
                place, model, int(words(row[5])), words(row[6]), until, name, row[9]
            )
    return Memory(words(grid[0, 1]), words(grid.get((0, 2), "")), cells)


def _filled(grid: Grid) -> Iterator[Sequence[Cell]]:
    for row in sorted({row for row, _ in grid if row >= _FIRST}):
        yield [grid.get((row, column), "") for column in range(len(_COLUMNS))]
