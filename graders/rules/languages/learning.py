"""Whether an answer translates the sentences of a foreign language that it gives to learn from."""

from __future__ import annotations

import re
from typing import NamedTuple

from graders.rules.languages._pieces import Piece, pieces, weight
from graders.rules.writing.prose import without_code

_MOST, _MOST_LINES, _WIDEST = 40_000, 300, 1_000
#: Weighted letters from which a piece is a sentence.
_SENTENCE = 12

_HEADING = re.compile(r"[:：]\W*$|^\s*#|^\s*\*\*[^*\n]*[^*\W]\*\*\s*$")
#: How an answer begins before its sentences: no translation of the first one.
_OPENING = re.compile(
    (
        r"^\W*(?:here (?:is|are)|here's|sure|of "
        r"course|certainly|вот|конечно|以下|这是|好的|はい|こちら)"
    ),
    re.I,
)
#: A line translates its neighbour if it has at least this share of its letters.
_LEAST_SHARE = 0.3


class Sentence(NamedTuple):
    """A sentence of the learned language in the answer, and whether a translation stands beside
    it."""

    start: int
    end: int
    translated: bool


def sentences_to_learn(text: str, own: str, other: str) -> list[Sentence]:
    """The sentences of `other` in `text`, in order; all count as translated where a block of `own`
    follows that is as long."""
    prose = without_code(text[:_MOST])
    lines = [
        (match.start(), match.group()[:_WIDEST])
        for match in re.finditer(r"[^\n]+", prose)
        if not match.group().isspace()
    ][:_MOST_LINES]
    parts = [pieces(line, own, other) for _, line in lines]
    found: list[tuple[int, Sentence]] = []
    for number, (start, line) in enumerate(lines):
        foreign = [
            part
            for part in parts[number]
            if part.language == other and weight(line[part.start : part.end], other) >= _SENTENCE
        ]
        # A line of the reader's language stands for one sentence: the one before it, or after it.
        near = [
            place
            for place in (number - 1, number + 1)
            if 0 <= place < len(lines) and not (place == 0 and _OPENING.match(lines[0][1]))
        ]
        least = _LEAST_SHARE * sum(weight(line[part.start : part.end], other) for part in foreign)
        beside = _has_own(line, parts[number], own) or any(
            _is_translation(lines[place][1], parts[place], own, other, least) for place in near
        )
        found += [
            (number, Sentence(start + part.start, start + part.end, beside)) for part in foreign
        ]
    own_letters = sum(
        weight(line[part.start : part.end], own)
        for (_, line), row in zip(lines, parts, strict=True)
        for part in row
        if part.language == own and not _HEADING.search(line)
    )
    foreign_letters = sum(weight(text[one.start : one.end], other) for _, one in found)
    return [
        one if own_letters < 0.6 * foreign_letters else one._replace(translated=True)
        for _, one in found
    ]


def _has_own(line: str, row: list[Piece], own: str, least: float = 4) -> bool:
    return any(
        part.language == own and weight(line[part.start : part.end], own) >= max(4, least)
        for part in row
    )


def _is_translation(line: str, row: list[Piece], own: str, other: str, least: float) -> bool:
    return (
        _has_own(line, row, own, least)
        and not any(part.language == other for part in row)
        and not _HEADING.search(line)
    )
