"""Names in a sheet that were written over, and rows that were added: what was typed there would be
lost without a word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set

from graders.core.words import row_parts, say
from graders.exporters.sheets.places import Cell, fold, same, words
from graders.exporters.sheets.study import Place
from graders.exporters.sheets.update import Remembered
from graders.workflows.sheet._values import Reading, quoted


def refuse_renamed(reading: Reading) -> tuple[set[str], set[Place]]:
    """Refuse each column and row whose name was written over, told by the values beside it, and
    each row that was added; returns the models and rows that the former stand for.

    A renamed one holds at least half of what was written there, so that a column of notes is not
    taken for it.
    """
    models: dict[str, int] = {}
    for model, column, count in _columns(reading):
        models[model] = column
        heading = reading.grid[reading.layout.head, column]
        at = (reading.layout.head, column)
        reading.refuse(at, "", _renamed("below", heading, model, count))
    places: set[Place] = set()
    renamed: set[int] = set()
    for old, row, column, count in _rows(reading, {**reading.layout.columns, **models}):
        places.add(old.place)
        name = old.name if column == reading.layout.keys[2] else old.place.question_id
        stated = reading.grid.get((row, column), "")
        reading.refuse((row, column), "", _renamed("beside", stated, name, count))
        renamed.add(row)
    _refuse_added(reading, {*reading.layout.columns.values(), *models.values()}, renamed)
    return {*models}, places


def _refuse_added(reading: Reading, columns: Set[int], renamed: Set[int]) -> None:
    """Refuse the rows that were added with values for a criterion: of an unknown question, or of
    one that was not written here."""
    layout, grid = reading.layout, reading.grid
    by_id = layout.keys[0]
    names = {fold(old.name) for old in reading.memory.cells.values()}
    of_known = set(layout.rows.values())
    for row, (_, name) in _unknown_rows(reading).items():
        count = sum(bool(fold(grid.get((row, column), ""))) for column in columns)
        if row in renamed or name not in names or not count:
            continue
        column, stated = _stated(reading, row)
        value, left = quoted(stated), say("sheet.unread.beside", n=count)
        if row in of_known:
            parts = row_parts("sheet.added.row", value=value, left=left)
        elif column == by_id:
            parts = row_parts("sheet.added.id", value=value, left=left)
        else:
            parts = row_parts("sheet.added.question", value=value, left=left)
        reading.refuse((row, column), "", parts)


def _stated(reading: Reading, row: int) -> tuple[int, Cell]:
    """The column and words by which a row, or the last one above it that does, says its
    question."""
    by_id, by_text, by_name = reading.layout.keys
    for at in range(row, reading.layout.head, -1):
        for column in (by_id, by_text):
            if column is not None and fold(reading.grid.get((at, column), "")):
                return column, reading.grid[at, column]
    return by_name or 0, ""


def _renamed(where: str, stated: Cell, name: str, count: int) -> Mapping[str, str]:
    """The parts of a bad row for a name that was written over; `count` changed values below or
    beside it are not read."""
    left = say(f"sheet.unread.changed.{where}", n=count) if count else ""
    return row_parts("sheet.renamed", value=quoted(stated), name=repr(name[:80]), left=left)


def _columns(reading: Reading) -> Iterator[tuple[str, int, int]]:
    """(model, column, changed values) of columns with another heading."""
    layout, grid = reading.layout, reading.grid
    taken = {*layout.keys, *layout.columns.values(), *(column for _, column, _ in layout.twice)}
    free = sorted(
        {
            column
            for row, column in grid
            if row == layout.head and column not in taken and fold(grid[row, column])
        }
    )
    gone: dict[str, list[tuple[int, Remembered]]] = {}
    for (_, model), old in reading.memory.cells.items():
        found = layout.row_of(old.place.question_id, [old.name])
        if model not in layout.columns and found is not None:
            gone.setdefault(model, []).append((found[0], old))
    for model, written in gone.items():

        def score(column: int, written: list[tuple[int, Remembered]] = written) -> int:
            return sum(same(grid.get((row, column), ""), old.value) for row, old in written)

        column = _best(free, score, len(written))
        if column is not None:
            free.remove(column)
            yield model, column, len(written) - score(column)


def _rows(
    reading: Reading, columns: Mapping[str, int]
) -> Iterator[tuple[Remembered, int, int, int]]:
    """(what was written, row, column of the name that differs, changed values) of rows with another
    question id or criterion."""
    layout, grid = reading.layout, reading.grid
    by_id, _, by_name = layout.keys
    free = _unknown_rows(reading)
    gone: dict[Place, list[Remembered]] = {}
    for old in reading.memory.cells.values():
        if layout.row_of(old.place.question_id, [old.name]) is None and old.model in columns:
            gone.setdefault(old.place, []).append(old)
    for place, written in gone.items():
        question, name = fold(place.question_id), fold(written[0].name)

        def score(row: int, written: list[Remembered] = written) -> int:
            return sum(same(grid.get((row, columns[old.model]), ""), old.value) for old in written)

        alike = [
            row
            for row, (stated, called) in free.items()
            if (stated == question) != (called == name)
        ]
        found = _best(alike, score, len(written))
        if found is not None:
            stated, _ = free.pop(found)
            column = by_name if stated == question or by_id is None else by_id
            yield written[0], found, column or 0, len(written) - score(found)


def _unknown_rows(reading: Reading) -> dict[int, tuple[str, str]]:
    """(question id, name of the criterion) by row, of rows that are none of those that were
    written."""
    layout, grid = reading.layout, reading.grid
    by_id, _, by_name = layout.keys
    written = {(old.place.question_id, fold(old.name)) for old in reading.memory.cells.values()}
    known = {row for key, row in layout.rows.items() if key in written} | {
        row for row, _, _ in layout.twice
    }
    free: dict[int, tuple[str, str]] = {}
    question = ""
    for row in sorted({row for row, _ in grid if row > layout.head}):
        question = (
            fold(words(grid.get((row, by_id), ""))) or question if by_id is not None else question
        )
        name = fold(grid.get((row, by_name or 0), ""))
        if name and row not in known:
            free[row] = (question, name)
    return free


def _best(places: Iterable[int], score: Callable[[int], int], most: int) -> int | None:
    """The place that holds most of what was written; None where all hold less than half of it."""
    best = max(places, key=score, default=None)
    return best if best is not None and 0 < most <= 2 * score(best) else None
