"""JSON that is one object laid out by columns or by keys, as data frames are written: the same
table, turned to rows."""

from __future__ import annotations

from typing import Any

from graders.importers.tables.words import role_of


def rows_inside(whole: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The rows of an object that is a table; None where it is none.

    Known are ``{column: [cells]}``, ``{column: {row: cell}}``, ``{row: {column: cell}}`` and
    ``{"columns": [...], "data": [[...]]}``. A row's name is its id where the row has none of its
    own; data frames name theirs by running numbers, which say nothing.
    """
    columns: Any = whole.get("columns")
    data: Any = whole.get("data")
    if _are(columns, str) and _are(data, list):
        return (
            [dict(zip(columns, row, strict=False)) for row in data]
            if _names_question(columns)
            else None
        )
    if len(whole) > 1 and _are(list(whole.values()), list) and _names_question(list(whole)):
        lengths = {len(cells) for cells in whole.values()}
        return (
            [dict(zip(whole, row, strict=True)) for row in zip(*whole.values(), strict=True)]
            if len(lengths) == 1
            else None
        )
    if not _are(list(whole.values()), dict):
        return None
    inner = list(dict.fromkeys(name for cells in whole.values() for name in cells))
    if len(whole) > 1 and _names_question(list(whole)):
        return [
            {column: cells[row] for column, cells in whole.items() if row in cells} for row in inner
        ]
    if not _names_question(inner):
        return None
    named = not all(key.isdigit() for key in whole) and not any(
        (role_of(name) or ("",))[0] == "question_id" for name in inner
    )
    return [{**({"id": key} if named else {}), **cells} for key, cells in whole.items()]


def _are(found: Any, kind: type) -> bool:
    return isinstance(found, list) and bool(found) and all(isinstance(one, kind) for one in found)


def _names_question(names: list[str]) -> bool:
    return any((role_of(name) or ("",))[0] == "question" for name in names)
