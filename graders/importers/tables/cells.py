"""Single cells: numbers as people write them, lists in a cell, texts that cannot be kept."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from graders.core.records import BadRow
from graders.core.words import say
from graders.importers.tables.contents import cell_text

_SURROGATE = re.compile("[\ud800-\udfff]")
_NOTHING = frozenset(
    {"", "-", "–", "—", "n/a", "na", "nan", "null", "none", "#n/a", "нет", "н/д", "无", "なし"}
)
_UNIT = re.compile(
    (
        r"(?:milliseconds|seconds?|secs?|ms|s|секунды?|сек|мс|с|毫秒|秒|ミリ秒|tokens?|токен\w*|"
        r"usd|eur|руб|元|円|[$€£¥₽])\.?$"
    ),
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"\d{1,3}(?:[,. \u00a0\u202f'’]\d{3})+$")
_BULLET = re.compile(r"^\s*(?:[-–—*+•・]\s+|[•・]|\(?\d{1,3}[.)、．]\s*(?!\d))")
_MILLI = re.compile(
    (
        r"(?:^|[\s(\[_（,])(?:ms|msec|millis|milliseconds|мс|миллисекунд\w*)(?:$|[\s)\]）,])|"
        r"毫秒|ミリ秒"
    ),
    re.IGNORECASE,
)


def bad(
    file: str, row: int, column: str, found: str, expected: str, remedy: str, line: int = 0
) -> BadRow:
    """A BadRow; `found` is given as it should be read."""
    return BadRow(
        file=file, row=row, column=column, found=found, expected=expected, remedy=remedy, line=line
    )


def quoted(value: Any, limit: int = 60) -> str:
    """`value` between quotes, cut after `limit` characters, broken characters shown as U+FFFD."""
    text = _SURROGATE.sub(
        "\ufffd", cell_text(value) or str("" if value is None else value)
    ).replace("\0", "\u2400")
    text = " ".join(text.split())
    return (
        f"'{text}'" if len(text) <= limit else say("importers.cut", text=text[:limit], n=len(text))
    )


def flaw(text: str) -> tuple[str, str] | None:
    """What forbids keeping `text` (found, remedy), or None: a NUL, or bytes that are no
    characters."""
    if "\0" in text:
        return (
            say("importers.flaw.nul"),
            (say("importers.flaw.mend_nul")),
        )
    if not text.isascii() and _SURROGATE.search(text):
        return (
            say("importers.flaw.bytes"),
            say("importers.flaw.mend_bytes"),
        )
    return None


def flaw_in(cell: Any) -> tuple[str, str] | None:
    """The first `flaw` of the texts in a cell: itself, or what a list or an object holds."""
    if isinstance(cell, str):
        return flaw(cell)
    if isinstance(cell, dict):
        cell = [*cell.keys(), *cell.values()]
    if isinstance(cell, list | tuple):
        return next((found for found in map(flaw_in, cell) if found), None)
    return None


def per_second(header: str) -> float:
    """1000 where the header says milliseconds, else 1: what a figure is divided by to be
    seconds."""
    return 1000.0 if _MILLI.search(header.casefold().replace("_", " ")) else 1.0


def parse_number(cell: Any, *, whole: bool) -> float | int | None:
    """A finite number of 0 or more, as people write it: decimal comma, groups of thousands, a unit,
    a currency.

    None for a cell that says that there is none (empty, a dash, n/a). ValueError for anything else.
    A comma or dot before exactly three digits groups thousands only in `whole` numbers.
    """
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        number = float(cell)
    else:
        text = cell_text(cell).strip()
        if text.casefold() in _NOTHING:
            return None
        parts = (
            1000.0
            if re.search(r"\d\s*(?:ms|мс|毫秒|ミリ秒|milliseconds)\.?$", text, re.IGNORECASE)
            else 1.0
        )
        number = _plain(_UNIT.sub("", text).strip().lstrip("$€£¥₽~≈ "), whole) / parts
    if not math.isfinite(number) or number < 0 or (whole and not number.is_integer()):
        raise ValueError(str(cell))
    return int(number) if whole else number


def _plain(text: str, whole: bool) -> float:
    if whole and _THOUSANDS.match(text):
        return float(re.sub(r"\D", "", text))
    text = re.sub(r"(?<=\d)[ \u00a0\u202f'’](?=\d{3}(?:\D|$))", "", text)
    if not re.fullmatch(r"[+-]?(?:\d[\d.,]*|[.,]\d+)(?:[eE][+-]?\d+)?", text):
        raise ValueError(text)
    comma, dot = text.rfind(","), text.rfind(".")
    if comma >= 0 and dot >= 0:
        group = "," if dot > comma else "."
        text = text.replace(group, "")
    return float(text.replace(",", "."))


def parse_texts(cell: Any) -> tuple[str, ...]:
    """The texts in a cell: a list, a JSON list, parts between ``|||``, or the one text there is."""
    if isinstance(cell, list | tuple):
        return tuple(text for text in (cell_text(item).strip() for item in cell) if text)
    text = cell_text(cell).strip()
    if text.startswith("[") and text.endswith("]"):
        try:
            items = json.loads(text)
        except (ValueError, RecursionError):
            items = None
        if (
            isinstance(items, list)
            and items
            and all(isinstance(item, str | int | float) for item in items)
        ):
            return parse_texts(items)
    return tuple(part for part in (piece.strip() for piece in text.split("|||")) if part)


def parse_entries(cell: Any) -> tuple[str, ...]:
    """The entries of a checklist in a cell: the texts of `parse_texts`, or the lines of a single
    one, without bullets and numbers."""
    texts = parse_texts(cell)
    lines = (
        clean_lines(texts[0]).split("\n")
        if len(texts) == 1 and not isinstance(cell, list | tuple)
        else []
    )
    return (
        texts
        if len(lines) < 2
        else tuple(entry for line in lines if (entry := _BULLET.sub("", line).strip()))
    )


def clean_lines(text: str) -> str:
    """`text` with every line end as ``\\n``, so that a spreadsheet and a CSV of it give the same
    answer."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
