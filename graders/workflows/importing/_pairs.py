"""Pairs of answers on their way in: each gets its place among the answers, because a draw is from
all that was there before it."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graders.core.contracts import ImportedRow
from graders.core.records import BadRow

#: The table, and its fields that every row has.
TABLE, FIELDS = "pairs", ("question_id", "model", "model_b")


class Pair(NamedTuple):
    """An ordered pair of two models' answers to a question."""

    question_id: str
    model: str
    model_b: str


class Pairs:
    """The pairs of a file, in the order in which they were made; each waits until as many lines of
    answers are read as stood before it."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[float, Pair]] = deque()

    def take(self, row: ImportedRow) -> BadRow | None:
        """Keep a row; what is wrong with it, None if nothing is."""
        missing = next((name for name in FIELDS if not isinstance(row.fields.get(name), str)), None)
        after = row.fields.get("after", float("inf"))
        if missing is None and isinstance(after, int | float) and not isinstance(after, bool):
            self._waiting.append((after, Pair(*(str(row.fields[name]) for name in FIELDS))))
            return None
        found, expected = (
            ("no text", "a text")
            if missing
            else (repr(after)[:60], "how many answers stood before it")
        )
        return BadRow(
            file=row.file,
            row=row.row,
            column=missing or "after",
            found=found,
            expected=expected,
            remedy="Mend or remove the line.",
        )

    def among(self, lines: Sequence[int]) -> Iterator[tuple[int, list[Pair]]]:
        """Of answers in these `lines` of their table: (how many of them stand before the next
        pairs, these pairs)."""
        while self._waiting and lines and self._waiting[0][0] <= lines[-1]:
            cut, found = bisect_right(lines, self._waiting[0][0]), []
            while (
                self._waiting
                and bisect_right(lines, self._waiting[0][0]) == cut
                and self._waiting[0][0] <= lines[-1]
            ):
                found.append(self._waiting.popleft()[1])
            yield cut, found

    def rest(self) -> list[Pair]:
        """Those that stand behind all answers."""
        found = [pair for _, pair in self._waiting]
        self._waiting.clear()
        return found
