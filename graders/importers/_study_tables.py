"""Tables inside a study folder: CSV, TSV, XLSX, JSON, JSONL or YAML, all as rows of named
fields."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from graders.core.contracts import Look
from graders.core.errors import InputError
from graders.core.plain_yaml import Mapped, read_plain_yaml
from graders.core.records import BadRow
from graders.core.words import error_parts, say
from graders.importers._tree import Reader
from graders.importers.csv import Csv
from graders.importers.tables.encoding import ERRORS, guess_encoding
from graders.importers.tables.looks import data_rows, encoding_of, read_head, table_look
from graders.importers.tables.nested import flat
from graders.importers.tables.objects import Item, items, parse
from graders.importers.tables.rows import Rows
from graders.importers.tables.separated import separated_rows
from graders.importers.xlsx import best_sheet

TABLES = (".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".xlsx", ".xlsm")
#: The largest table, in bytes: 64 MB.
LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Fields:
    """One row: the file it stands in, its number as an editor counts, its cells by header."""

    file: str
    row: int
    cells: dict[str, Any]


def read_table(read: Reader, name: str, encoding: str = "") -> list[Fields | BadRow]:
    """The rows of the table `name`, in order. InputError where it cannot be read as a table at
    all."""
    raw = read(name, LARGEST + 1)
    if len(raw) > LARGEST:
        raise InputError(**error_parts("importers.index.too_large", name=name))
    # The readers of tables take files; this one is small, and theirs are the ways of dealing with
    # what is broken.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table{PurePosixPath(name).suffix.lower()}"
        path.write_bytes(raw)
        try:
            found = list(_rows(path, encoding))
        except InputError as error:
            raise InputError(
                error.where.replace(path.name, name),
                found=error.found,
                expected=error.expected,
                remedy=error.remedy,
            ) from error
    return [replace(item, file=name) for item in found]


def _rows(path: Path, encoding: str) -> Iterator[Fields | BadRow]:
    kind = path.suffix
    if kind in (".yaml", ".yml"):
        return _of_yaml(path, encoding)
    if kind in (".json", ".jsonl", ".ndjson"):
        return _of_json(path, encoding)
    if kind in (".xlsx", ".xlsm"):
        return _of_cells(lambda: best_sheet(path), path)
    look = Csv().look(path, Look(encoding=encoding, has_header=True))
    width = max(column.index for column in look.columns) + 1
    return _of_cells(partial(separated_rows, path, look.encoding, look.separator, width), path)


def _of_cells(rows: Rows, path: Path) -> Iterator[Fields | BadRow]:
    look = table_look(rows(), path.name, Look(has_header=True))
    headers = unique([column.header or f"column {column.index + 1}" for column in look.columns])
    for row in data_rows(rows, look)():
        yield (
            row
            if isinstance(row, BadRow)
            else Fields("", row.number, dict(zip(headers, row.cells, strict=False)))
        )


def unique(headers: Sequence[str]) -> list[str]:
    """Headers, a repeated one with its number behind it in brackets, which say nothing to those who
    look for a role."""
    found: list[str] = []
    for header in headers:
        count = sum(other.partition(" (")[0] == header for other in found)
        found.append(f"{header} ({count + 1})" if count else header)
    return found


def _of_json(path: Path, encoding: str) -> Iterator[Fields | BadRow]:
    head, whole = read_head(path)
    guess, _ = encoding_of(head, whole, Look(encoding=encoding) if encoding else None)
    named = _by_name(path, guess.encoding)
    if named is not None:
        yield from named
        return
    for item in items(path, guess.encoding):
        yield Fields("", item.number, flat(item.value)) if isinstance(item, Item) else item


def _by_name(path: Path, encoding: str) -> list[Fields] | None:
    """``{"q01": {...}, "q02": {...}}`` as rows with a field folder; None for any other JSON."""
    try:
        tree = parse(path.read_bytes().decode(encoding, ERRORS).lstrip("\ufeff"))
    except ValueError:
        return None
    if (
        not isinstance(tree, dict)
        or not tree
        or not all(isinstance(inner, dict) for inner in tree.values())
    ):
        return None
    return [
        Fields("", number, {"folder": name, **inner})
        for number, (name, inner) in enumerate(tree.items(), 1)
    ]


def _of_yaml(path: Path, encoding: str) -> Iterator[Fields | BadRow]:
    raw = path.read_bytes()
    text = raw.decode(encoding or guess_encoding(raw).encoding, ERRORS).lstrip("\ufeff")
    tree = read_plain_yaml(text, path.name)
    if isinstance(tree, Mapped):
        lists = [
            inner
            for inner in tree.values()
            if isinstance(inner, list) and inner and all(isinstance(x, Mapped) for x in inner)
        ]
        if all(isinstance(inner, Mapped) for inner in tree.values()):
            for name, inner in tree.items():
                yield Fields("", inner.line, {"folder": name, **inner})
            return
        tree = lists[0] if len(lists) == 1 else [tree]
    if not isinstance(tree, list) or not tree:
        raise InputError(**error_parts("importers.index.no_list", file=path.name))
    for number, inner in enumerate(tree, 1):
        if isinstance(inner, Mapped):
            yield Fields("", inner.line, dict(inner))
        else:
            found = f"{str(inner)[:60]!r}"
            remedy = say("importers.index.mend_entry")
            yield BadRow(
                file="",
                row=number,
                column="",
                found=found,
                expected=say("importers.index.fields"),
                remedy=remedy,
            )
