"""A file as the terminal shows it before its rows are read: how it reads, and its first rows under their roles."""

from __future__ import annotations

import unicodedata

from rich.table import Table
from rich.text import Text

from graders.core.contracts import Look
from graders.workflows.look_choices import SEPARATORS

#: Rows that are shown, and the least room for a column.
ROWS, NARROWEST = 3, 12


def harmless(text: str) -> str:
    """`text` on one line, without signs that steer a terminal or turn the direction of what follows."""
    return "".join(" " if char.isspace() else "·" if unicodedata.category(char)[0] == "C" else char for char in text)


def described(importer: str, look: Look) -> str:
    """What was guessed or chosen, in one line."""
    signs = {sign: word for word, sign in reversed(SEPARATORS.items())}
    parts = [f"Reading as {importer}"]
    if look.encoding:
        parts.append(f"encoding {look.encoding}")
    if look.separator:
        parts.append(f"separator {signs.get(look.separator, repr(look.separator))}")
    if look.sheet:
        parts.append(f"sheet {look.sheet!r}" + (f" of {len(look.sheets)}" if len(look.sheets) > 1 else ""))
    if look.columns:
        parts.append("a column per model" if look.layout == "wide" else "a row per answer")
        parts.append("the first row is a header" if look.has_header else "no header row")
    return harmless(", ".join(parts) + ".")


def table_of(look: Look, width: int) -> Table | None:
    """The first rows under their columns' numbers, headers and roles, as many columns as `width` holds; those with a role first."""
    if not look.columns:
        return None
    fitting = max(1, (width - 1) // (NARROWEST + 3))
    places = sorted(range(len(look.columns)), key=lambda place: look.columns[place].role == "ignore")[:fitting]
    table = Table(show_lines=False, width=width if len(places) == fitting else None)
    for place in sorted(places):
        column = look.columns[place]
        role = f"{column.role}: {column.model}" if column.model else column.role
        name = harmless(column.header) if look.has_header else ""
        head = Text.assemble(f"{place + 1} {name}".strip(), "\n", (harmless(role), "italic"))
        table.add_column(head, no_wrap=True, overflow="ellipsis", min_width=min(NARROWEST, width), max_width=40)
    for row in look.first_rows[:ROWS]:
        cells = (row[look.columns[place].index] if look.columns[place].index < len(row) else "" for place in sorted(places))
        table.add_row(*(Text(harmless(cell)) for cell in cells))
    left = len(look.columns) - len(places)
    if left:
        table.caption = f"and {left:,} more columns"
    return table
