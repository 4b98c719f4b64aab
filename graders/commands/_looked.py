"""A file as the terminal shows it before its rows are read: how it reads, and its first rows under
their roles."""

from __future__ import annotations

import unicodedata

from rich.table import Table
from rich.text import Text

from graders.core.contracts import Column, Look
from graders.core.words import say
from graders.workflows.importing.look_choices import SEPARATORS

#: Rows that are shown, and the least room for a column.
ROWS, NARROWEST = 3, 12
#: Roles that are shown before others where there is little room, and how many of the other columns
#: are named.
FIRST, NAMED = ("question", "answer", "model", "verdict", "annotator", "reference"), 20


def harmless(text: str) -> str:
    """`text` on one line, without signs that steer a terminal or turn the direction of what
    follows."""
    return "".join(
        " " if char.isspace() else "·" if unicodedata.category(char)[0] == "C" else char
        for char in text
    )


def described(importer: str, look: Look) -> str:
    """What was guessed or chosen, in one line."""
    signs = {sign: word for word, sign in reversed(SEPARATORS.items())}
    parts = [say("terminal.look.reading", importer=importer)]
    if look.encoding:
        parts.append(say("terminal.look.encoding", encoding=look.encoding))
    if look.separator:
        parts.append(
            say(
                "terminal.look.separator", separator=signs.get(look.separator, repr(look.separator))
            )
        )
    if look.sheet:
        parts.append(
            say("terminal.look.sheet", sheet=look.sheet)
            + (
                say("terminal.look.of_sheets", sheets=len(look.sheets))
                if len(look.sheets) > 1
                else ""
            )
        )
    if look.columns:
        parts.append(
            say("terminal.look.column_per_model")
            if look.layout == "wide"
            else say("terminal.look.row_per_answer")
        )
        if look.separator or look.sheet:  # the fields of JSON and Parquet have names of their own
            parts.append(
                say("terminal.look.header", n=look.header_rows or 1)
                if look.has_header
                else say("terminal.look.no_header")
            )
            if look.skip:
                above = "skipped" if look.has_header else "skipped_rows"
                parts.append(say(f"terminal.look.{above}", n=look.skip))
    return harmless(", ".join(parts) + ".")


def table_of(look: Look, width: int) -> Table | None:
    """The first rows under their columns' numbers, headers and roles, as many columns as `width`
    holds, what matters most first; the caption names the other columns with their roles."""
    if not look.columns:
        return None
    fitting = max(1, (width - 1) // (NARROWEST + 3))
    places = sorted(range(len(look.columns)), key=lambda place: _rank(look.columns[place].role))
    shown, left = sorted(places[:fitting]), sorted(places[fitting:])
    each = min(40, (width - 1) // len(shown) - 3)
    table = Table(show_lines=False)
    for place in shown:
        column = look.columns[place]
        role = _role(column)
        if len(role) > each:  # the model must not be what is cut off
            role = role.replace(": ", ":\n", 1)
        head = Text.assemble(
            f"{place + 1} {harmless(column.header) if look.has_header else ''}".strip(),
            "\n",
            (role, "italic"),
        )
        table.add_column(head, no_wrap=True, overflow="ellipsis", max_width=each)
    for row in look.first_rows[:ROWS]:
        cells = (
            row[look.columns[place].index] if look.columns[place].index < len(row) else ""
            for place in shown
        )
        table.add_row(*(Text(harmless(cell)) for cell in cells))
    if left:
        named = [
            f"{place + 1} {harmless(look.columns[place].header)[:40]}".strip()
            + f" ({_role(look.columns[place])})"
            for place in left[:NAMED]
        ]
        table.caption = Text(
            "and "
            + ", ".join(named)
            + (say("terminal.look.more", more=len(left) - NAMED) if len(left) > NAMED else "")
        )
    return table


def _role(column: Column) -> str:
    return harmless(f"{column.role}: {column.model}" if column.model else column.role)


def _rank(role: str) -> int:
    return FIRST.index(role) if role in FIRST else len(FIRST) + (role in ("metadata", "ignore"))
