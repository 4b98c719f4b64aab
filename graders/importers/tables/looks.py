"""What all tables share: files that open, a look from the first rows, where the data begin."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import IO, Any

from graders.core.contracts import Column, Importer, Look, Mended
from graders.core.errors import CogradeError, InputError
from graders.core.mending import HEADERS, READS
from graders.core.records import BadRow
from graders.core.words import error_parts, say
from graders.importers.tables._owners import hints, owned
from graders.importers.tables.cells import quoted
from graders.importers.tables.contents import cell_text
from graders.importers.tables.encoding import ERRORS, Guess, guess_encoding
from graders.importers.tables.guessed_columns import Shape, guess_table, layout_of
from graders.importers.tables.mended import as_read, mended, plain_row
from graders.importers.tables.rows import Row, Rows

HEAD = 256 * 1024
SAMPLE = 200
#: Guessing the columns of wider tables would hold up everybody; the widest that people bring have a
#: column for each of some models.
MOST_COLUMNS = 1_000
SHOWN = 10
CELL_SHOWN = 200

#: The first bytes of files that are no text, and the word for each in the catalogue.
_MAGIC = (
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"%PDF", "pdf"),
    (b"PK\x03\x04", "zip"),
    (b"\xd0\xcf\x11\xe0", "office"),
    (b"\x1f\x8b", "gzip"),
    (b"7z\xbc\xaf", "7z"),
    (b"SQLite format 3", "sqlite"),
    (b"PAR1", "parquet"),
)


def fit(importer: Importer, path: Path, best: int = 10) -> int:
    """`best` for a file with the importer's ending that it can look at, 1 where only the ending
    fits (`look` then says what is wrong), else 0."""
    if path.suffix.lower() not in importer.suffixes or path.is_dir():
        return 0
    try:
        importer.look(path)
    except CogradeError:
        return 1
    return best


def open_bytes(path: Path) -> IO[bytes]:
    """`path` opened for reading bytes; InputError with a sentence where that fails."""
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(
            **error_parts("importers.looks.closed", file=path.name, fault=error.strerror)
        ) from error


def read_head(path: Path) -> tuple[bytes, bool]:
    """The first bytes of a file and whether that is all of it; from a file that begins in pure
    ASCII, with a piece from around the first other byte appended. InputError for an empty file and
    for one that is no text."""
    with open_bytes(path) as stream:
        head = stream.read(HEAD)
        if not head.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
            raise InputError(**error_parts("importers.looks.empty", file=path.name))
        kind = binary_kind(head)
        if kind:
            raise InputError(
                **error_parts(
                    "importers.looks.binary", file=path.name, kind=kind, suffix=path.suffix
                )
            )
        whole = len(head) < HEAD
        if head.isascii() and not whole:
            for chunk in iter(lambda: stream.read(1 << 20), b""):
                if not chunk.isascii():
                    cut = len(chunk) - len(chunk.lstrip(bytes(range(128))))
                    line = chunk.rfind(b"\n", 0, cut) + 1
                    return head[: HEAD // 2] + b"\n" + chunk[line : line + HEAD], False
    return head, whole


def binary_kind(head: bytes) -> str:
    """What `head` is if it is no text, else ``""``."""
    for magic, name in _MAGIC:
        if head.startswith(magic):
            return say(f"importers.kind.{name}")
    if guess_encoding(head, whole=False).encoding.startswith("utf-16"):
        return ""
    controls = sum(head.count(bytes([code])) for code in range(32) if code not in (9, 10, 12, 13))
    return say("importers.kind.binary") if controls > max(4, 0.02 * len(head)) else ""


def encoding_of(head: bytes, whole: bool, choices: Look | None) -> tuple[Guess, list[str]]:
    """The chosen or guessed encoding, with a note where the guess is weak. InputError for an
    unknown choice."""
    if choices is not None and choices.encoding:
        try:
            "".encode(choices.encoding)
        except LookupError as error:
            raise InputError(
                **error_parts("importers.looks.encoding", encoding=repr(choices.encoding))
            ) from error
        return Guess(choices.encoding, 1.0), []
    guess = guess_encoding(head, whole=whole)
    weak = say("importers.note.weak_encoding", encoding=guess.encoding)
    return guess, [weak] if guess.score < 0.4 else []


def open_text(stream: IO[bytes], encoding: str) -> io.TextIOWrapper:
    """A text stream that keeps line ends and marks broken bytes instead of failing."""
    return io.TextIOWrapper(stream, encoding=encoding, errors=ERRORS, newline="")


def table_look(
    rows: Iterator[Row | BadRow],
    file: str,
    choices: Look | None,
    shaped: Callable[[Sequence[Column]], Sequence[Column]] = lambda columns: columns,
    **known: Any,
) -> Look:
    """A look at a table from its first rows. Columns of `choices` stay where the headers are still
    the same, except for what the chosen ones among them mean for the others. `shaped` knows more of
    guessed columns than their headers say.

    InputError where there are no rows.
    """
    sample = _sample(rows, file)
    told = _mended(sample)
    shape = _shape(sample, choices, back=told is not None)
    if not shape.columns:
        raise InputError(**error_parts("importers.looks.no_rows", file=file))
    guessed = columns = tuple(shaped(shape.columns))
    layout, said = "", tuple[int, ...]()
    if told is not None:
        guessed = columns = as_read(columns, told)
        layout, said = told.layout, tuple(c.index for c in columns)
        known["mended"] = told
        known["notes"] = [
            *known.get("notes", ()),
            say("importers.note.bad_rows", stem=told.stem),
        ]
    if choices is not None and [c.header for c in choices.columns] == [c.header for c in columns]:
        layout = choices.layout
        columns = _with_models(choices.columns, guessed) if layout == "wide" else choices.columns
        said = (
            tuple(c.index for c in columns)
            if choices.chosen is None or told is not None
            else choices.chosen
        )
        known["chosen"] = choices.chosen
    columns, left = owned(columns, shape.cells, said) if shape.has_header else (columns, [])
    layout = layout if layout in ("wide", "long") else layout_of(columns)
    notes = [*known.pop("notes", ()), *shape.notes, *left, *hints(columns, shape.has_header, said)]
    answers = [c for c in columns if c.role == "answer"]
    if len(answers) == 1 and not answers[0].model and not any(c.role == "model" for c in columns):
        stem = told.stem if told is not None else Path(file).stem
        notes.append(say("importers.note.model_of_file", stem=stem))
    first_rows = tuple(
        tuple(_shown(cell) for cell in row.cells)
        for row in sample[shape.first : shape.first + SHOWN]
    )
    complete = known.pop("complete", False) and len(sample) < SAMPLE
    rows_known = (
        len([row for row in sample[shape.first :] if any(cell_text(c).strip() for c in row.cells)])
        if complete
        else None
    )
    skip = max(0, sample[shape.begins].number - 1)
    if above := _left_out(sample[: shape.begins]):
        notes.insert(0, say("importers.note.skipped", n=skip, text=above))
    found = Look(
        layout=layout,
        has_header=shape.has_header,
        skip=skip,
        header_rows=shape.first - shape.begins,
        columns=columns,
        first_rows=first_rows,
        rows=rows_known,
        notes=tuple(notes),
    )
    return replace(found, **known)


def named_columns(choices: Look | None) -> Look:
    """`choices` for a file whose columns have names of their own, above which nothing stands."""
    return replace(choices or Look(), has_header=True, skip=0, header_rows=1)


def _left_out(rows: Sequence[Row]) -> str:
    """The first filled row of those above a table, in quotes; ``""`` where all are empty."""
    for row in rows:
        cells = [text for cell in row.cells if (text := cell_text(cell).strip())]
        if cells:
            return quoted(", ".join(cells))
    return ""


def _mended(sample: Sequence[Row]) -> Mended | None:
    """What a table of bad rows says of the file that they come from; None for any other table."""
    head = [cell_text(cell).strip() for cell in sample[0].cells] if sample else []
    if READS not in head:
        return None
    return mended([row.cells for row in sample[1:]], head.index(READS))


def _with_models(columns: Sequence[Column], guessed: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of a wide table, where a person said that one holds answers and not whose, with
    the model of the guess or its header."""
    models = {c.index: c.model or c.header for c in guessed}
    return tuple(
        replace(c, model=models[c.index]) if c.role == "answer" and not c.model else c
        for c in columns
    )


def stem_of(path: Path, look: Look) -> str:
    """What answers of no named model are called: the file's name, that of the first one for bad
    rows that come back."""
    return look.mended.stem if look.mended is not None and look.mended.stem else path.stem


def _sample(rows: Iterator[Row | BadRow], file: str) -> list[Row]:
    """The first rows. InputError as soon as one is wider than any table of answers."""
    sample = []
    for row in islice((row for row in rows if isinstance(row, Row)), SAMPLE):
        if len(row.cells) > MOST_COLUMNS:
            raise InputError(
                **error_parts(
                    "importers.looks.too_wide",
                    file=file,
                    n=len(row.cells),
                    row=max(1, row.number),
                    most=MOST_COLUMNS,
                )
            )
        sample.append(row)
    return sample


def _shown(cell: Any) -> str:
    text = cell_text(cell)
    return text if len(text) <= CELL_SHOWN else text[:CELL_SHOWN] + "…"


def _shape(sample: Sequence[Row], choices: Look | None, *, back: bool) -> Shape:
    """The table in the first rows, as far as it was not chosen; `back`: bad rows that come back,
    under the header that we gave them."""
    known = choices or Look(has_header=None)
    first = None if known.skip is None else _below(sample, known.skip)
    rows, has_header = known.header_rows or None, known.has_header
    if back:
        first, rows, has_header = 0, 1, True
    return guess_table(
        [row.cells for row in sample], has_header=has_header, first=first, header_rows=rows
    )


def _below(sample: Sequence[Row], skip: int) -> int | None:
    """The first filled row below the first `skip` rows of a file. InputError where there is none
    among the first rows."""
    for place, row in enumerate(sample):
        # the names of fields have the number 0
        if (row.number > skip or not skip) and any(cell_text(cell).strip() for cell in row.cells):
            return place
    if not any(cell_text(cell).strip() for row in sample for cell in row.cells):
        return None
    raise InputError(**error_parts("importers.looks.skip", n=skip, last=sample[-1].number))


def data_rows(rows: Rows, look: Look) -> Rows:
    """`rows` without titles, header and empty rows, cut where `table_look` saw the data begin."""
    sample = _sample(rows(), "table")
    back = _mended(sample) is not None
    notes = (
        {i for i, cell in enumerate(sample[0].cells) if cell_text(cell).strip() in HEADERS}
        if back
        else set[int]()
    )
    shape = _shape(sample, look, back=back)
    # a broken row right below the header is a row of the table
    above = sample[shape.first - 1].number if shape.first else 0

    def data() -> Iterator[Row | BadRow]:
        for row in rows():
            number = row.number if isinstance(row, Row) else row.row
            if number <= above:
                continue
            if back and isinstance(row, Row):
                row = plain_row(row, notes)
            if isinstance(row, BadRow) or any(cell_text(cell).strip() for cell in row.cells):
                yield row

    return data
