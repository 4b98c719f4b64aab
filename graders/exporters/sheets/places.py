"""Finding rows and columns of a sheet by their names, whatever their order and whatever stands
beside them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graders.exporters.sheets.cells import clean

Cell = str | int | float | bool
#: The filled cells of a sheet by row and column, both from 0.
Grid = Mapping[tuple[int, int], Cell]

#: The columns that name a row, as they are written.
KEYS = ("Question id", "Question", "Criterion")
_WORDS = (
    frozenset(
        {
            "question id",
            "question_id",
            "id",
            "no",
            "nr",
            "номер",
            "номер вопроса",
            "问题编号",
            "编号",
            "質問番号",
            "番号",
        }
    ),
    frozenset({"question", "prompt", "вопрос", "запрос", "问题", "質問"}),
    frozenset({"criterion", "criteria", "критерий", "标准", "指标", "基準", "評価基準"}),
)
#: Rows in which the headings are looked for.
SEARCHED = 30


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things stand. `rows` by question id and folded criterion name; `twice`: (row, column or
    None, name) that came before."""

    head: int
    keys: tuple[int | None, int | None, int | None]
    columns: Mapping[str, int]
    rows: Mapping[tuple[str, str], int]
    height: int
    width: int
    twice: tuple[tuple[int, int | None, str], ...] = field(default=())

    def row_of(self, question: str, names: Iterable[str]) -> tuple[int, str] | None:
        """(row, name that was found) of a question's criterion under the first of its names that is
        there."""
        return next(
            (
                (self.rows[(question, fold(name))], name)
                for name in names
                if (question, fold(name)) in self.rows
            ),
            None,
        )


def fold(value: Any) -> str:
    """A name as it is compared: without case, line breaks and double spaces; a whole number without
    its decimal point."""
    return " ".join(clean(words(value)).split()).casefold()


def words(value: Any) -> str:
    """A cell as text."""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def same(first: Any, second: Any) -> bool:
    """Whether two cells say the same: 4, 4.0 and ``4,0`` do, ``Relevant`` and ``relevant`` do."""
    a, b = fold(first), fold(second)
    if a == b:
        return True
    x, y = _number(a), _number(b)
    return x is not None and y is not None and math.isclose(x, y, rel_tol=1e-9)


def letters(column: int) -> str:
    """The name that spreadsheets give a column: 0 is A, 26 is AA."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def find(grid: Grid, questions: Mapping[str, str], models: Iterable[str]) -> Layout | None:
    """The layout of a sheet that has headings for question and criterion; None for one that has
    not.

    A row without question belongs to the question above it, as in sheets with merged cells.
    """
    found = _headings(grid)
    if found is None:
        return None
    head, keys = found
    twice: list[tuple[int, int | None, str]] = []
    columns = _columns(grid, head, keys, list(models), twice)
    rows = _rows(grid, head, keys, questions, twice)
    height = max(row for row, _ in grid) + 1
    width = max(column for _, column in grid) + 1
    return Layout(head, keys, columns, rows, height, width, tuple(twice))


def _headings(grid: Grid) -> tuple[int, tuple[int | None, int | None, int | None]] | None:
    top: dict[int, list[tuple[int, str]]] = {}
    for (row, column), value in sorted(grid.items(), key=lambda item: item[0]):
        if row < SEARCHED:
            top.setdefault(row, []).append((column, fold(value)))
    for row, cells in top.items():
        by_id, text, criterion = (
            next((column for column, word in cells if word in known), None) for known in _WORDS
        )
        if criterion is not None and (by_id is not None or text is not None):
            return row, (by_id, text, criterion)
    return None


def _columns(
    grid: Grid,
    head: int,
    keys: tuple[int | None, ...],
    models: list[str],
    twice: list[tuple[int, int | None, str]],
) -> dict[str, int]:
    """Columns by model; the exact name counts before one that differs in case."""
    headings = {
        column: value
        for (row, column), value in sorted(grid.items(), key=lambda item: item[0])
        if row == head and column not in keys
    }
    columns: dict[str, int] = {}
    folded = [fold(model) for model in models]
    for column, value in headings.items():
        exact = [model for model in models if clean(model).strip() == clean(words(value)).strip()]
        near = [model for model, name in zip(models, folded, strict=True) if name == fold(value)]
        model = exact[0] if exact else near[0] if len(near) == 1 else ""
        if model and model in columns:
            twice.append((head, column, model))
        elif model:
            columns[model] = column
    return columns


def _rows(
    grid: Grid,
    head: int,
    keys: tuple[int | None, int | None, int | None],
    questions: Mapping[str, str],
    twice: list[tuple[int, int | None, str]],
) -> dict[tuple[str, str], int]:
    by_id, text, criterion = keys
    ids = {fold(question): question for question in questions}
    texts: dict[str, str] = {}
    for question, asked in questions.items():
        texts.setdefault(fold(asked), question)
    rows: dict[tuple[str, str], int] = {}
    present = ""
    for row in sorted({row for row, _ in grid if row > head}):
        stated = [
            fold(grid.get((row, column), "")) if column is not None else ""
            for column in (by_id, text)
        ]
        if stated[0] or stated[1]:
            present = ids.get(stated[0], "") if stated[0] else texts.get(stated[1], "")
        name = fold(grid.get((row, criterion or 0), ""))
        if not present or not name:
            continue
        if (present, name) in rows:
            twice.append((row, None, f"{present}, {name}"))
        else:
            rows[(present, name)] = row
    return rows


def _number(text: str) -> float | None:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return None
    return number if math.isfinite(number) else None
