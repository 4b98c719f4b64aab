"""Rows of a text table, as a stream: whatever one row does, the next one is read."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO

from graders.core.records import BadRow
from graders.core.words import say
from graders.importers.tables.cells import bad, quoted
from graders.importers.tables.looks import open_bytes, open_text
from graders.importers.tables.rows import Row

#: The longest cell in characters; beyond it a quote is taken for one that was never closed.
LONGEST = 32 * 1024 * 1024
#: The longest line in characters; of a longer one no more is held, and it costs its own row.
LONGEST_LINE = 2 * LONGEST
#: Of which so much is kept.
SHOWN = 60


class _Cut(str):
    """The beginning of a line that is longer than `LONGEST_LINE`."""


class _TooLong(csv.Error):
    """A record that meets such a line."""


class _Lines:
    """Lines with their numbers; those of the record just read can be put back. `record` counts what
    was begun."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._waiting: deque[str] = deque()
        self.number = 0
        self.record = 0
        self.taken: list[str] = []
        self.ended = False

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._waiting.popleft() if self._waiting else self._read()
        if not line:
            self.ended = True
            raise StopIteration
        self.number += 1
        self.taken.append(line)
        if isinstance(line, _Cut):
            raise _TooLong
        return line

    def _read(self) -> str:
        line = self._stream.readline(LONGEST_LINE)
        if len(line) < LONGEST_LINE or line.endswith(("\n", "\r")):
            return line
        while (more := self._stream.readline(LONGEST_LINE)) and not more.endswith(("\n", "\r")):
            pass
        return _Cut(line[:SHOWN])

    def begin(self) -> tuple[int, int]:
        """Forget the lines of the last record; the number of the record that comes next, and its
        line if that is another."""
        self.taken = []
        self.ended = False
        self.record += 1
        return self.record, self.number + 1 if self.number + 1 != self.record else 0

    def put_back(self, keep: int) -> None:
        """Give all lines of this record but the first `keep` again."""
        again = self.taken[keep:]
        self._waiting.extendleft(reversed(again))
        self.number -= len(again)
        self.taken = self.taken[:keep]


def separated_rows(
    path: Path, encoding: str, separator: str, width: int | None = None, *, torn: bool = False
) -> Iterator[Row | BadRow]:
    """The rows of a file; with `width` also a BadRow for each that has another number of cells.

    A quote that is never closed costs its own row: the lines that it swallowed are read again. Rows
    are counted as a spreadsheet shows them, empty ones too; a row says in which line it begins
    where that is another number. With `torn` broken rows are told too, by cells that may have been
    meant.
    """
    csv.field_size_limit(LONGEST)
    with open_text(open_bytes(path), encoding) as stream:
        lines = _Lines(stream)
        reader = csv.reader(lines, delimiter=separator)
        while True:
            number, line = lines.begin()
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error:
                cells = None
            if cells is None or lines.ended:
                text = lines.taken[0] if lines.taken else ""
                lines.put_back(1)
                if isinstance(text, _Cut):
                    found = say(
                        "importers.separated.long_line",
                        most=LONGEST_LINE,
                        text=quoted(text),
                    )
                    yield bad(
                        path.name,
                        number,
                        "",
                        found,
                        say("importers.objects.shorter_lines"),
                        say("importers.separated.shorten"),
                        line,
                    )
                    continue
                if torn:
                    yield Row(number, _torn(text, separator), line)
                    continue
                remedy = say("importers.separated.mend_quote")
                yield bad(
                    path.name,
                    number,
                    "",
                    say("importers.separated.open_quote", text=quoted(text)),
                    'a closing "',
                    remedy,
                    line,
                )
                continue
            taken = len(lines.taken)
            problem = (
                _problem(path.name, number, cells, width, lines, separator)
                if width is not None
                else None
            )
            if problem and torn:
                yield Row(
                    number,
                    cells if len(lines.taken) == taken else _torn(lines.taken[0], separator),
                    line,
                )
                continue
            yield replace(problem, line=line) if problem else Row(number, cells[:width], line)


def _problem(
    file: str, number: int, cells: list[str], width: int, lines: _Lines, separator: str
) -> BadRow | None:
    """The BadRow for a row that is not `width` wide; None where it is, is empty, or only has empty
    cells too many.

    Where a stray quote joined rows that are whole by themselves, those are put back.
    """
    fits = len(cells) == width or not any(
        cell.strip() for cell in (cells[width:] if len(cells) > width else cells)
    )
    if (
        len(lines.taken) > 1
        and not (fits and _is_strict(lines.taken, separator))
        and _holds_rows(lines.taken[1:], separator, width)
    ):
        lines.put_back(1)
        remedy = say("importers.separated.mend_quote")
        return bad(
            file,
            number,
            "",
            say("importers.separated.late_quote", text=quoted(lines.taken[0])),
            say("importers.separated.one_cell"),
            remedy,
        )
    if fits:
        return None
    remedy = say("importers.separated.mend_cells", separator=_name(separator))
    return bad(
        file,
        number,
        "",
        f"{len(cells)} columns in {quoted(separator.join(cells))}",
        f"{width} columns",
        remedy,
    )


def _torn(line: str, separator: str) -> list[str]:
    """The cells of a line in which a quote is open, every quote taken as it stands."""
    return next(csv.reader([line.rstrip("\r\n")], delimiter=separator, quoting=csv.QUOTE_NONE), [])


def _is_strict(lines: list[str], separator: str) -> bool:
    """Whether every closing quote of a record stands before a separator or the end, as proper
    quoting has it."""
    try:
        return len(list(csv.reader(lines, delimiter=separator, strict=True))) == 1
    except csv.Error:
        return False


def _holds_rows(lines: list[str], separator: str, width: int) -> bool:
    return any(len(next(csv.reader([line], delimiter=separator), [])) == width for line in lines)


def _name(separator: str) -> str:
    return {"\t": "a tab", ",": "a comma", ";": "a semicolon", "|": "a bar"}.get(
        separator, repr(separator)
    )
