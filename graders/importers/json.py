"""JSON and JSONL: objects with the fields of a table, wide or long."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from graders.core.contracts import Imported, Importer, Look, Table
from graders.core.errors import InputError
from graders.core.records import BadRow
from graders.core.words import carried, error_parts
from graders.importers.tables.looks import (
    SAMPLE,
    encoding_of,
    fit,
    named_columns,
    read_head,
    table_look,
)
from graders.importers.tables.mended import picked
from graders.importers.tables.nested import flat, nested, widened
from graders.importers.tables.objects import Item, items
from graders.importers.tables.rows import Row, Rows, records

say = carried(
    "json",
    {
        "no_objects.expected": "JSON objects in a list, or one per line",
        "no_objects.found": "{found}",
        "no_objects.remedy": (
            'Write objects with named fields, such as {{"question": ..., "model": ..., '
            '"answer": ...}}.'
        ),
        "no_objects.where": "{file}",
        "none": "no objects",
    },
)


@dataclass(frozen=True)
class Json(Importer):
    """Questions and answers from JSON objects: a list, one per line, a list inside one object, or a
    data frame's columns.

    Fields are columns. Nested answers (``{"answers": {"gpt": "..."}}``) become a column per model.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "JSON and JSONL: an object per question with the answers in it, or an object per answer."
    )
    suffixes: ClassVar[tuple[str, ...]] = (".json", ".jsonl", ".ndjson")

    def fits(self, path: Path) -> int:
        """10 for rows of objects, 1 where only the ending fits (`look` then says what is wrong)."""
        return fit(self, path)

    def look(self, path: Path, choices: Look | None = None) -> Look:
        """Fields as columns, from the first objects. InputError for an empty file and for one
        without objects."""
        head, whole = read_head(path)
        guess, notes = encoding_of(head, whole, choices)
        found = list(islice(items(path, guess.encoding), SAMPLE))
        objects = [item for item in found if isinstance(item, Item)]
        if not objects:
            problem = next((item for item in found if isinstance(item, BadRow)), None)
            what = problem.found if problem else say("none")
            raise InputError(**error_parts("json.no_objects", file=path.name, found=what))
        headers = _headers(objects)
        rows: list[Row | BadRow] = [
            Row(0, headers),
            *(Row(item.number, _cells(item, headers)) for item in objects),
        ]
        look = table_look(
            iter(rows),
            path.name,
            named_columns(choices),
            nested,
            encoding=guess.encoding,
            notes=notes,
        )
        return replace(look, rows=len(objects) if len(found) < SAMPLE else None)

    def read(self, path: Path, look: Look) -> Iterator[Imported]:
        """Questions, answers and bad rows in file order. A field that only later objects have is
        kept as metadata, or as answers where it is a further model's."""
        whole, rows = _whole(path, look)
        yield from records(rows, whole, path.name, path.stem)

    def cells(self, path: Path, look: Look, rows: Collection[int]) -> Table:
        """The objects with these numbers, their fields as columns; what is no object has none."""
        whole, all_rows = _whole(path, look)
        return picked(all_rows, whole, rows, path.stem)


def _whole(path: Path, look: Look) -> tuple[Look, Rows]:
    """The look with all columns, and the rows."""
    encoding = look.encoding or "utf-8"
    whole = widened(
        look, (flat(item.value) for item in items(path, encoding) if isinstance(item, Item))
    )
    return whole, partial(_rows, path, encoding, [column.header for column in whole.columns])


def _headers(objects: Sequence[Item]) -> list[str]:
    return list(dict.fromkeys(key for item in objects for key in flat(item.value)))


def _cells(item: Item, headers: Sequence[str]) -> list[Any]:
    cells = flat(item.value)
    return [cells.get(header, "") for header in headers]


def _rows(path: Path, encoding: str, headers: Sequence[str]) -> Iterator[Row | BadRow]:
    for item in items(path, encoding):
        if isinstance(item, BadRow):
            yield item
            continue
        yield Row(item.number, _cells(item, headers), item.line)
