"""Tables as text: CSV, TSV and the like, in the encodings and with the separators that people
use."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from graders.core.contracts import Imported, Importer, Look, Table
from graders.core.errors import InputError
from graders.core.words import carried, error_parts
from graders.importers.tables.encoding import guess_separator
from graders.importers.tables.looks import (
    data_rows,
    encoding_of,
    fit,
    open_text,
    read_head,
    stem_of,
    table_look,
)
from graders.importers.tables.mended import picked
from graders.importers.tables.rows import Rows, records
from graders.importers.tables.separated import separated_rows
from graders.importers.tables.words import role_of

say = carried(
    "csv",
    {
        "one_column.expected": "columns with a comma, semicolon, tab or bar between them",
        "one_column.found": "one column",
        "one_column.remedy": "Choose the separator and the encoding, or another file.",
        "one_column.where": "{file}",
        "separator.expected": "one character, such as , ; | or a tab",
        "separator.found": "{separator}",
        "separator.remedy": "Choose one of these.",
        "separator.where": "separator",
    },
)


@dataclass(frozen=True)
class Csv(Importer):
    """Questions and answers from a text table, wide or long.

    Encoding, separator, header row and columns are guessed from the head of the file; each can be
    chosen.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Tables as text (CSV, TSV): a row per question with a column per model, "
        "or a row per answer."
    )
    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".tsv", ".tab", ".txt")

    def fits(self, path: Path) -> int:
        """10 for a table, 5 for one called .txt, 1 where only the ending fits (`look` then says
        what is wrong)."""
        return fit(self, path, 5 if path.suffix.lower() == ".txt" else 10)

    def look(self, path: Path, choices: Look | None = None) -> Look:
        """Layout, encoding, separator, header and columns; InputError for an empty file and for one
        that is no table.

        `choices` is an earlier look with changes: encoding, separator and has_header are taken from
        it, its columns as long as the headers stay the same.
        """
        head, whole = read_head(path)
        guess, notes = encoding_of(head, whole, choices)
        separator = choices.separator if choices is not None else ""
        if len(separator) > 1 or (separator and separator in '"\r\n'):
            raise InputError(**error_parts("csv.separator", separator=repr(separator)))
        if not separator:
            separator = guess_separator(
                _text(head, guess.encoding), suffix=path.suffix.lower(), whole=whole
            )
        rows = separated_rows(path, guess.encoding, separator or ",")
        look = table_look(
            rows,
            path.name,
            choices,
            encoding=guess.encoding,
            separator=separator or ",",
            notes=notes,
            complete=whole,
        )
        if len(look.columns) < 2 and not role_of(look.columns[0].header):
            raise InputError(**error_parts("csv.one_column", file=path.name))
        return look

    def read(self, path: Path, look: Look) -> Iterator[Imported]:
        """Questions, answers and bad rows in file order, as a stream."""
        yield from records(_data(path, look), look, path.name, stem_of(path, look))

    def cells(self, path: Path, look: Look, rows: Collection[int]) -> Table:
        """The rows with these numbers; those of broken ones as they may have been meant."""
        return picked(_data(path, look, torn=True), look, rows, stem_of(path, look))


def _data(path: Path, look: Look, *, torn: bool = False) -> Rows:
    width = max((column.index for column in look.columns), default=-1) + 1
    plain = partial(
        separated_rows,
        path,
        look.encoding or "utf-8",
        look.separator or ",",
        width or None,
        torn=torn,
    )
    return data_rows(plain, look)


def _text(head: bytes, encoding: str) -> str:
    return open_text(io.BytesIO(head), encoding).read()
