"""How many items an answer gives: lists, headings, parts between rules, plain lines, enumerations
in a sentence.

An answer may be counted in several ways (three headings with two bullets each are three or six), so
all plausible counts are kept: a wrong count is only sure when none of them fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from graders.core.words import say
from graders.rules.writing.prose import EASTERN, without_code

_HAN = {char: number for number, char in enumerate("一二三四五六七八九十", 1)}
_CIRCLED = {chr(0x2460 + i): i + 1 for i in range(20)}
_ORDINALS = (
    ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    ("firstly", "secondly", "thirdly", "fourthly", "fifthly"),
    ("во-первых", "во-вторых", "в-третьих", "в-четвёртых", "в-пятых", "в-шестых", "в-седьмых"),
)
_ORDINAL = {word: number for row in _ORDINALS for number, word in enumerate(row, 1)}
_NUMBERED = re.compile(
    r"^(?P<indent>[ \t　]*)(?P<head>#{1,6}\s*)?[*_>\s]{0,4}"
    r"(?:[(（\[]?(?P<digits>\d{1,3})️?⃣?\s?(?:[.)）\]、:：．](?!\d)|⃣)|(?P<keycap>\d)️?⃣|"
    r"(?P<circled>[①-⑳])|"
    r"[(（第]?(?P<han>[一二三四五六七八九十]{1,3})(?:[、.)）:：，,]|[个個条點点种]|つ目)|"
    r"[【〔［\[]?第?(?P<tsume>\d{1,2})(?:つ目|個目|番目|問|题|題|位)(?=[】〕］\]:：.、)\s]|$)|"
    r"(?P<label>(?:[^\W\d_]{1,20}\s){0,2}[^\W\d_]{1,20}\s?)[№#]?\s?(?P<number>\d{1,2}|"
    r"[一二三四五六七八九十])(?=\s*(?:[.:)：\-–—*]|$))|"
    rf"(?P<ordinal>{'|'.join(sorted(_ORDINAL, key=len, reverse=True))})\b)",
    re.I,
)
_BULLET = re.compile(
    r"^(?P<indent>[ \t　]*)(?:[-*+]\s+|[•・◦●▪■◆□▢◇○☐]\s*|[☀-➿\U0001f300-\U0001faff]️?\s*)(?=\S)"
)
_HEADING = re.compile(r"^(?P<level>#{1,6})\s+\S|^\*\*[^*\n]{1,120}\*\*:?\s*$")
_BOLD_LEAD = re.compile(r"^\*\*[^*\n]{1,120}\*\*(?=\S|\s+\S)")
_AROUND = re.compile(
    r"^\W*(?:introduction|intro|overview|conclusion|summary|final|bonus|note|введение|"
    r"вступление|заключение|итог|вывод|总结|结论|结语|前言|引言|"
    r"まとめ|はじめに|おわりに|結論)",
    re.I,
)
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
_LIST_SIGN = re.compile(r"[,;、，；]")
_JOINED = re.compile(r"\s+(?:and|or|und|&|и|или)\s+|(?<=[^\s])[和与及或と](?=[^\s])")
_LEAD = re.compile(r"^.{0,120}?(?:[:：]|\b(?:are|is|include|это)\s|\s—\s|是|有|は)")
#: A sentence that begins so enumerates nothing.
#: A line that is a quotation, a slogan, a title.
_QUOTE = re.compile(
    r"^[\s*>_]*(?:「[^」\n]{2,120}」|『[^』\n]{2,120}』|“[^”\n]{3,200}”|«[^»\n]{3,200}»|"
    r"\"[^\"\n]{3,200}\")"
    r"[*_.。]*\s*(?:[（(—–-][^\n]{0,60})?$"
)
_APOLOGY = re.compile(
    r"\W*(?:sorry|unfortunately|i'm (?:sorry|afraid)|извини|прости|к сожалению|увы|"
    r"对不起|對不起|抱歉|很抱歉|不好意思|很遗憾|申し訳|すみません|残念)",
    re.I,
)
#: Characters of an answer and of a line that are read: more cannot change which count is wrong.
_MOST, _WIDEST = 100_000, 400


class How(StrEnum):
    """What of an answer was counted."""

    NUMBERED = "numbered"
    HEADINGS = "headings"
    LIST = "list"
    ROWS = "rows"
    BOLD = "bold"
    PARTS = "parts"
    NUMBERS = "numbers"
    LINES = "lines"
    ITEMS = "items"
    SENTENCE = "sentence"
    NAMED = "named"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Counted:
    """All plausible `counts`, the likeliest first; `how` names the way, `sure` whether nothing else
    is plausible.

    `spans` are offsets of the counted items' first lines.
    """

    counts: tuple[int, ...] = ()
    how: How | None = None
    sure: bool = False
    spans: tuple[tuple[int, int], ...] = field(default=())

    @property
    def words(self) -> str:
        """What was counted: ``numbered items``; empty for nothing."""
        return "" if self.how is None else say(f"rules.counted.{self.how}")


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.start + len(self.text)


def counted_items(answer: str) -> Counted:
    """The items of `answer`; no counts where it has no structure that tells."""
    prose = without_code(answer[:_MOST])
    lines = [
        _Line(m.start(), m.group()[:_WIDEST].rstrip())
        for m in re.finditer(r"[^\n]+", prose)
        if not m.group().isspace()
    ]
    runs = _runs(lines)
    headings = _headings(lines)
    bullets = _outermost(
        [line for line in lines if _BULLET.match(line.text) and not _RULE.match(line.text)]
    )
    rows = _table_rows(lines)
    others = [len(headings), len(bullets), len(rows)]
    if len(runs) == 1:
        numbered = {line.start for line in runs[0]}
        apart = [line for line in headings if line.start not in numbered]
        counts = _plausible([len(runs[0]), len(apart), len(bullets), len(rows)])
        return Counted(counts, How.NUMBERED, True, tuple(line.span for line in runs[0]))
    others += [*_titled(lines, headings), *_blocks(lines, bullets)]
    if runs:
        longest = max(runs, key=len)
        counts = _plausible(
            [len(longest), *map(len, runs), len(runs), sum(map(len, runs)), *others]
        )
        return Counted(counts, How.NUMBERED, False, tuple(line.span for line in longest))
    if len(headings) >= 2:
        return Counted(
            _plausible([len(headings), *others]),
            How.HEADINGS,
            True,
            tuple(line.span for line in headings),
        )
    if bullets:
        # A single list can only be counted in one way.
        counts = _plausible([len(bullets), *(others if _blocks(lines, bullets)[0] > 1 else [])])
        return Counted(counts, How.LIST, len(bullets) > 1, tuple(line.span for line in bullets))
    if rows:
        return Counted((len(rows),), How.ROWS, True, tuple(line.span for line in rows))
    bold = [line for line in lines if _BOLD_LEAD.match(line.text)]
    if len(bold) >= 2:
        return Counted(
            (len(bold), len(bold) - 1),
            How.BOLD,
            True,
            tuple(line.span for line in bold),
        )
    return _unmarked(prose, lines)


def _plausible(counts: list[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(count for count in counts if count > 0))


def _runs(lines: list[_Line]) -> list[list[_Line]]:
    """Numberings 1, 2, 3, ... at the smallest indent; each restart at 1 begins another."""
    found = [
        (match, line) for line in lines if (match := _NUMBERED.match(line.text)) and _value(match)
    ]
    found = [(m, line) for m, line in found if not m["label"] or len(line.text) <= 160]
    if not found:
        return []
    least = min(len(m["indent"]) for m, _ in found)
    runs: list[list[_Line]] = []
    lazy = all(_value(m) == 1 for m, _ in found)
    for match, line in found:
        number = _value(match)
        if len(match["indent"]) > least + 1:
            continue
        if runs and (number == len(runs[-1]) + 1 or lazy):
            runs[-1].append(line)
        elif number == 1:
            runs.append([line])
    return [run for run in runs if len(run) > 1] or (
        runs if runs and not lazy and len(lines) > 1 else []
    )


def _value(match: re.Match[str]) -> int:
    """The number of a numbered line; 0 if it is none."""
    for name in ("digits", "keycap", "tsume"):
        if match[name]:
            return int(match[name])
    if match["circled"]:
        return _CIRCLED[match["circled"]]
    if match["ordinal"]:
        return _ORDINAL[match["ordinal"].lower()]
    word = match["han"] or match["number"] or ""
    if word.isdigit():
        return int(word)
    tens, ten, ones = word.rpartition("十")
    return (10 * (_HAN.get(tens, 1)) if ten else 0) + _HAN.get(ones, 0)


def _headings(lines: list[_Line]) -> list[_Line]:
    """Headings of the highest level that has two or more, without introduction and conclusion."""
    levels: dict[int, list[_Line]] = {}
    for line in lines:
        if (match := _HEADING.match(line.text)) and not _AROUND.match(line.text):
            levels.setdefault(len(match["level"] or "") or 7, []).append(line)
    return next((levels[level] for level in sorted(levels) if len(levels[level]) >= 2), [])


def _titled(lines: list[_Line], headings: list[_Line]) -> list[int]:
    """The headings but the first, where that may be the title of all: a number or a colon in it, or
    another heading right below."""
    if len(headings) < 2:
        return []
    first = next(at for at, line in enumerate(lines) if line is headings[0])
    title = re.search(r"[\d:：]", headings[0].text) or lines[first + 1] is headings[1]
    return [len(headings) - 1] if title or len(headings) < 4 else []


def _outermost(found: list[_Line]) -> list[_Line]:
    indents = [len(line.text) - len(line.text.lstrip()) for line in found]
    least = min(indents, default=0)
    return [line for line, indent in zip(found, indents, strict=True) if indent <= least + 1]


def _blocks(lines: list[_Line], bullets: list[_Line]) -> list[int]:
    """Number and sizes of the lists that other lines separate."""
    marked = {line.start for line in bullets}
    sizes: list[int] = []
    inside = False
    for line in lines:
        if line.start in marked:
            if inside:
                sizes[-1] += 1
            else:
                sizes.append(1)
            inside = True
        elif not line.text.startswith((" ", "\t")):
            inside = False
    return [len(sizes), *sizes[:50]]


def _table_rows(lines: list[_Line]) -> list[_Line]:
    rows = [line for line in lines if line.text.lstrip().startswith("|")]
    dashes = [i for i, line in enumerate(rows) if re.fullmatch(r"[\s|:-]+", line.text)]
    return rows[dashes[0] + 1 :] if len(dashes) == 1 else []


def _unmarked(prose: str, lines: list[_Line]) -> Counted:
    """Counts of an answer without any sign of a list."""
    parts = [
        part
        for part in re.split(r"\n[ \t]{0,8}(?:[-*_=][ \t]{0,2}){3,80}\n", prose)
        if part.strip()
    ]
    if len(parts) > 1:
        return Counted(_plausible([len(parts), len(parts) - 1, len(parts) - 2]), How.PARTS, True)
    if run := _inline_numbers(prose):
        return Counted((run,), How.NUMBERS, True)
    quotes = [line for line in lines if _QUOTE.match(line.text)]
    if len(quotes) >= 2 and len(lines) - len(quotes) <= 2:
        return Counted((len(quotes),), How.LINES, True, tuple(line.span for line in quotes))
    blocks = [
        [_Line(m.start(), m.group()) for m in re.finditer(r"[^\n]+", block)]
        for block in re.split(r"\n[ \t]{0,8}\n", prose)
        if block.strip()
    ]
    long = [block for block in blocks if len(block) >= 3]
    if (
        len(long) == 1
        and len(blocks) <= 3
        and all(len(block) <= 1 for block in blocks if block is not long[0])
    ):
        items = long[0][1:] if long[0][0].text.rstrip().endswith((":", "：")) else long[0]
        if all(
            len(line.text) <= (20 if EASTERN.search(line.text) else 50)
            and line.text.rstrip()[-1:].isalnum()
            for line in items
        ):
            return Counted((len(items),), How.LINES, len(items) > 3 or _alike(items))
    return _enumeration(lines[0].text.strip()) if len(lines) == 1 else Counted()


def _alike(items: list[_Line]) -> bool:
    """Whether few short lines are names rather than a verse."""
    return all(len(line.text.split()) <= 2 and len(line.text) <= 20 for line in items) and not all(
        EASTERN.search(line.text) for line in items
    )


def _inline_numbers(text: str) -> int:
    """Length of a numbering 1) 2) 3) inside running text, 0 if there is none."""
    count = 0
    for match in re.finditer(r"(?<![\w.,])[(（]?(\d{1,2})[.)）](?=\s?[^\W\d])", text):
        count += int(match[1]) == count + 1
    return count if count > 1 else 0


def _enumeration(line: str) -> Counted:
    """Items of one short sentence that is nothing but an enumeration, with and without splitting at
    its "and"."""
    body = line.rstrip(".。!！ ")
    if _APOLOGY.match(body):
        return Counted()
    if len(body) > 300 or re.search(r"[.!?。！？]\s*\S", re.sub(r"\b\w\.", "", body)):
        return Counted()
    if not _LIST_SIGN.search(body) and not _JOINED.search(body):
        return Counted()
    if (lead := _LEAD.match(body)) and _LIST_SIGN.search(body[lead.end() :]):
        body = body[lead.end() :]
    parts = [part.strip() for part in _LIST_SIGN.split(body)]
    split = [
        piece.strip()
        for part in parts
        for piece in _JOINED.split(re.sub(r"^(?:and|or|и|или)\s+", "", part))
    ]
    if (
        any(len(part.split()) > 4 or (EASTERN.search(part) and len(part) > 12) for part in split)
        or len(parts) < 2
    ):
        return Counted()
    return Counted(
        _plausible([len([p for p in split if p]), len([p for p in parts if p])]),
        How.ITEMS,
        True,
    )
