"""What the spreadsheets share: columns of the cells, values as text or number, texts that must not
run."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from graders.core.mending import RUNS
from graders.core.words import say

#: Limits of the file format.
MAX_TEXT = 32_767
#: What XML 1.0 cannot hold: control characters but tab, line feed and return; halves of surrogate
#: pairs; non-characters.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """The text without what the file format cannot hold, cut with a mark where it is too long.

    The limit counts UTF-16 units, as spreadsheets do.
    """
    kept = _NOT_XML.sub("", text)
    if len(kept) <= MAX_TEXT // 2 or _units(kept) <= MAX_TEXT:
        return kept
    mark = say("sheets.cut")
    room = MAX_TEXT - len(mark)
    return kept.encode("utf-16-le")[: 2 * room].decode("utf-16-le", "ignore") + mark


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


#: Columns of a row of `cells`, in the order in which they are written; others follow as they come.
COLUMNS = (
    "question_id",
    "question",
    "category",
    "task_type",
    "language",
    "model",
    "answer_version",
    "answer",
    "criterion",
    "part",
    "final",
    "final_word",
    "final_source",
    "final_reason",
    "suggestion",
    "suggestion_confidence",
    "suggestion_reason",
    "route",
    "route_reason",
)

_RUNS = re.compile(RUNS)


def columns_of(rows: Iterable[Mapping[str, Any]], first: Iterable[str] = COLUMNS) -> list[str]:
    """`first`, then every other key in the order of its first appearance."""
    return list(dict.fromkeys([*first, *(key for row in rows for key in row)]))


def plain(value: Any) -> str | int | float:
    """A value as a spreadsheet can hold it: None is an empty text, lists and maps are JSON, numbers
    stay numbers."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | str) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, float):
        return str(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def defused(text: str) -> str:
    """The text with a leading apostrophe where a spreadsheet would run it, also after white
    space."""
    return f"'{text}" if _RUNS.match(text) else text
