"""Files of bad rows: what they say beside the rows, and texts that no spreadsheet runs and that
come back as they were."""

from __future__ import annotations

import re

#: What makes a spreadsheet read a text as a formula (full-width forms too: some East Asian versions
#: accept them), also after white space and characters that take no room.
RUNS = "[\\s\\0\ufeff\u200b]*[=+\\-@\\t\\r＝＋－＠]"

#: What stands in the columns beside a bad row: where it was, what is wrong, and how the file that
#: it comes from was read.
NOTES = ("file", "row", "column", "found", "expected", "remedy", "reads")
#: The same as headers that no table has of its own, in front of the row's own columns.
HEADERS = tuple(f"cograde_{name}" for name in NOTES)
READS = HEADERS[-1]

_GUARDED = re.compile(f"'*{RUNS}")


def guarded(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would run it; `unguarded` gives
    back every text."""
    return f"'{text}" if _GUARDED.match(text) else text


def unguarded(text: str) -> str:
    """The text that `guarded` made this of."""
    return text[1:] if text.startswith("'") and _GUARDED.match(text) else text
