"""What importers bring: how a file looks before anything is written, and its rows as it states
them.

Part of the contract of importers, and imported from `graders.core.contracts` like the rest of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from graders.core.records import Answer, AuthorKind, BadRow, Question

#: The hidden sheet by which a study sheet of ours is known: what was written into it.
SHEET_MEMORY = "Cograde memory"

#: The roles a column of a table may have. `answer` columns carry one model's answers (wide) or all
#: answers (long); a `verdict` column what people think of them under the criterion that its header
#: names, `annotator` who.
ROLES = (
    "ignore",
    "question",
    "answer",
    "question_id",
    "model",
    "category",
    "task_type",
    "language",
    "detail",
    "reference",
    "context",
    "facts",
    "must_have",
    "time_to_first_token",
    "total_seconds",
    "input_tokens",
    "output_tokens",
    "cost",
    "finish_reason",
    "verdict",
    "annotator",
    "metadata",
)


#: Roles of what was measured about an answer.
FIGURES = (
    "time_to_first_token",
    "total_seconds",
    "input_tokens",
    "output_tokens",
    "cost",
    "finish_reason",
)
#: Roles whose columns speak of one model each where there is a column per model.
OF_ONE_MODEL = ("answer", "verdict", *FIGURES)


class Chosen(StrEnum):
    """How the answers were chosen that people labelled elsewhere: all of a file's, some at random,
    or nobody says. Labels of answers that were chosen in an unknown way speak for these answers
    alone."""

    ALL = "all"
    RANDOM = "random"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table: where it stands, its header, the role guessed or chosen, and for wide
    tables the model."""

    index: int
    header: str
    role: str = "ignore"
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What a table of bad rows says of the file that they come from: project, name of the file,
    layout, header, role and model of each column; `assisted`: people's verdicts in it were made
    with suggestions in sight."""

    project: str
    stem: str
    layout: str
    assisted: bool
    columns: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Some rows of a table by their numbers, each with the cells of `columns`, and with what stands
    beyond them."""

    columns: tuple[Column, ...]
    layout: str
    stem: str
    rows: Mapping[int, Sequence[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What an importer sees in a file before anything is written; every choice may be changed and
    given to `read`.

    As choices for a new look, empty fields and those of None are guessed again. `skip` is the
    number of rows above the table, `header_rows` how many its header has, 0 for none. `chosen`
    are the indexes of the columns whose role a person chose: what that means for the others is
    guessed again. None: all columns stay as they are. `mended`: the file is one of bad rows that
    comes back.
    """

    layout: str = ""  # wide | long | exchange
    encoding: str = ""
    separator: str = ""
    has_header: bool | None = True
    skip: int | None = None
    header_rows: int | None = None
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    chosen: tuple[int, ...] | None = None
    first_rows: tuple[tuple[str, ...], ...] = ()
    rows: int | None = None
    notes: tuple[str, ...] = ()
    mended: Mended | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedVerdict:
    """A verdict as a file states it: names and values not yet matched to the project. `row`, `file`
    for messages."""

    author: str
    author_kind: AuthorKind
    question_id: str
    model: str
    criterion: str
    value: Any
    fields: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRow:
    """Any other row of the exchange format (metrics, routes, screens, ...), as found."""

    table: str
    fields: Mapping[str, Any]
    file: str = ""
    row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A record with the place it came from, so that later checks can name file, row and column.

    `line` is as in `BadRow`; `headers` says what the file calls a field (value, question_id, ...),
    where it has a word of its own.
    """

    record: Question | Answer | ImportedVerdict | ImportedRow
    file: str
    row: int
    line: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)


Imported = Placed | BadRow
