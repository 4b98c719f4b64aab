"""Parquet: tables as data sets are published, read a batch of rows at a time."""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from graders.core.contracts import Imported, Importer, Look, Table
from graders.core.errors import InputError
from graders.core.records import BadRow
from graders.core.words import carried, error_parts
from graders.importers.tables.looks import SAMPLE, named_columns, open_bytes, table_look
from graders.importers.tables.mended import picked
from graders.importers.tables.nested import flat, nested, widened
from graders.importers.tables.rows import Row, Rows, records

say = carried(
    "parquet",
    {
        "broken.expected": "a whole Parquet file",
        "broken.found": "a file that cannot be read ({fault})",
        "broken.remedy": "Get the file again.",
        "broken.where": "{file}",
        "no_parquet.expected": "Parquet, as the ending says",
        "no_parquet.found": "no Parquet file",
        "no_parquet.remedy": "Give it its own ending.",
        "no_parquet.where": "{file}",
        "no_reader.expected": "pyarrow installed",
        "no_reader.found": "a Parquet file, and no pyarrow to read it",
        "no_reader.remedy": (
            "Install the optional extra: pip install 'cograde[parquet]'; or save the table as CSV "
            "or JSONL."
        ),
        "no_reader.where": "{file}",
    },
)


MAGIC = b"PAR1"
#: Rows that are in memory at once.
BATCH = 1_000


@dataclass(frozen=True)
class Parquet(Importer):
    """Questions and answers from a Parquet file, wide or long; needs the optional extra ``parquet``
    (pyarrow).

    Columns are known by name and content as in any table; a column of answers nested as ``{model:
    text}``, or as a list of ``{model, text}``, becomes a column per model. Row numbers count from
    1, as there is no header row.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Parquet tables: a row per question with a column per model, "
        "or a row per answer (optional extra parquet)."
    )
    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".pq")

    def fits(self, path: Path) -> int:
        """10 for a Parquet file, 1 where only the ending fits (`look` then says what is wrong)."""
        if path.suffix.lower() not in self.suffixes or path.is_dir():
            return 0
        with open_bytes(path) as stream:
            return 10 if stream.read(len(MAGIC)) == MAGIC else 1

    def look(self, path: Path, choices: Look | None = None) -> Look:
        """Columns and first rows. InputError where the extra is missing, for a damaged file, and
        for one without rows."""
        with _opened(path) as file:
            headers = _headers(file)
            count = file.metadata.num_rows
            rows = [
                Row(0, headers),
                *(Row(n, [cells.get(h, "") for h in headers]) for n, cells in _cells(file, SAMPLE)),
            ]
        look = table_look(iter(rows), path.name, named_columns(choices), nested)
        return replace(look, rows=count)

    def read(self, path: Path, look: Look) -> Iterator[Imported]:
        """Questions, answers and bad rows, top to bottom."""
        whole, rows = _whole(path, look)
        yield from records(rows, whole, path.name, path.stem)

    def cells(self, path: Path, look: Look, rows: Collection[int]) -> Table:
        """The rows with these numbers."""
        whole, all_rows = _whole(path, look)
        return picked(all_rows, whole, rows, path.stem)


def _whole(path: Path, look: Look) -> tuple[Look, Rows]:
    """The look with all columns, and the rows."""
    with _opened(path) as file:
        # Only nested answers can bring a model that the first rows do not have.
        plain = not any(
            "struct" in str(field.type) or "map" in str(field.type) for field in file.schema_arrow
        )
        whole = look if plain else widened(look, (cells for _, cells in _cells(file)))
    return whole, partial(_rows, path, [column.header for column in whole.columns])


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """The file, open. InputError where pyarrow is missing, and for whatever it finds wrong with the
    file."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise InputError(**error_parts("parquet.no_reader", file=path.name)) from error
    with open_bytes(path) as stream:
        if stream.read(len(MAGIC)) != MAGIC:
            raise InputError(**error_parts("parquet.no_parquet", file=path.name))
    try:
        with ParquetFile(str(path)) as file:
            yield file
    except (ArrowException, OSError, UnicodeDecodeError) as error:
        found = " ".join(str(error).split())[:160]
        raise InputError(**error_parts("parquet.broken", file=path.name, fault=found)) from error


def _headers(file: Any) -> list[str]:
    """The columns in their order, those of nested answers from the first rows."""
    found: dict[str, None] = {}
    for _, cells in _cells(file, SAMPLE):
        found.update(dict.fromkeys(cells))
    return list(found) or list(file.schema_arrow.names)


def _cells(file: Any, limit: int | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number, cells) of the (first `limit`) rows."""
    number = 0
    for batch in file.iter_batches(batch_size=min(BATCH, limit or BATCH)):
        for row in batch.to_pylist():
            number += 1
            yield number, flat({str(name): _plain(value) for name, value in row.items()})
            if number == limit:
                return


def _rows(path: Path, headers: list[str]) -> Iterator[Row | BadRow]:
    with _opened(path) as file:
        for number, cells in _cells(file):
            yield Row(number, [cells.get(header, "") for header in headers])


def _plain(value: Any) -> Any:
    """A value as JSON would have it: times in ISO form, bytes as text, what is absent as
    nothing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items() if inner is not None}
    # a map
    if (
        isinstance(value, list)
        and value
        and all(isinstance(item, tuple) and len(item) == 2 for item in value)
    ):
        return {str(name): _plain(inner) for name, inner in value if inner is not None}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, str | int | float | bool):
        return value
    return str(value)
