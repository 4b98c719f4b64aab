"""Dialogues and their translations: whose turns they are, and in which of the two languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from graders.core.text import language_of
from graders.core.words import say
from graders.rules.languages._pieces import language_between, weight
from graders.rules.writing.prose import without_code

_MOST, _MOST_LINES, _WIDEST = 40_000, 400, 1_000
_LABELLED = re.compile(
    r"^\s*(?:[-*•>]\s+|\d{1,3}[.)]\s*)?\*{0,2}(?P<label>[^\W\d_][^\n:：*|"
    r"()（）.!?。！？]{0,24})\*{0,2}\s*[:：]\*{0,2}\s*(?P<text>\S[^\n]*)$"
)
_DASHED = re.compile(r"^\s*(?:[—–]{1,2}\s*|-\s+)(?P<text>\S[^\n]*)$")
_BARE = re.compile(r"^\s*(?P<text>[(（]?\S[^\n]*)$")
_BRACKET = re.compile(r"\s*[(（](?P<inner>[^()（）\n]{2,300})[)）]")
_HEADING = re.compile(
    r"^\W*(?:translation|перевод|译文|翻译|訳|日本語訳|和訳|中文|english|русский)\W*$", re.I
)
_SCRIPTS = (
    ("ru", "[Ѐ-ӿ]"),
    ("ja", "[ぁ-ヿ]"),
    ("zh", "[㐀-鿿]"),
    ("ko", "[가-힣]"),
    ("ar", "[\u0600-\u06ff]"),
    ("he", "[\u0590-\u05ff]"),
)


class Turn(NamedTuple):
    """What somebody says; `speaker` is the label as written, "" for a dash or a translation
    below."""

    speaker: str
    language: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a dialogue and its translation do not pair up, and where."""

    what: str
    start: int
    end: int


def turns(text: str, own: str, other: str) -> list[Turn]:
    """The turns of `text` in `own` and `other`; a turn with its translation in brackets, or in the
    next cell, is two."""
    prose = without_code(text[:_MOST])
    found: list[Turn] = []
    for match in [*re.finditer(r"[^\n]+", prose)][:_MOST_LINES]:
        line = match.group()[:_WIDEST]
        if line.isspace() or _HEADING.match(line) or re.match(r"^[\s|:-]+$", line):
            continue
        if line.lstrip().startswith("|"):
            for cell in re.finditer(r"[^|]+", line):
                found += _in(cell.group(), match.start() + cell.start(), own, other, False)
        else:
            # A line without a speaker is the translation of the turn above it.
            follows = (bool(found) and line.strip()[:1] in "(（") or _below(found, line, own, other)
            found += _in(line, match.start(), own, other, follows)
    return found


def _below(found: list[Turn], line: str, own: str, other: str) -> bool:
    if not found or _LABELLED.match(line) or _DASHED.match(line) or not found[-1].speaker:
        return False
    return language_between(line, own, other) not in ("", found[-1].language)


def _in(line: str, at: int, own: str, other: str, follows: bool) -> list[Turn]:
    labelled = _LABELLED.match(line)
    match = labelled or _DASHED.match(line) or (_BARE.match(line) if follows else None)
    if match is None:
        return []
    speaker = labelled["label"].strip() if labelled else ""
    text, start = match["text"], at + match.start("text")
    out = []
    bracket = next(
        (
            one
            for one in _BRACKET.finditer(text)
            if one.start() > 0
            and language_between(one["inner"], own, other)
            not in ("", language_between(text[: one.start()], own, other))
        ),
        None,
    )
    body = text[: bracket.start()] if bracket else text
    for part, begin in (
        (body, start),
        (bracket["inner"] if bracket else "", start + (bracket.start("inner") if bracket else 0)),
    ):
        language = _spoken(part, own, other)
        if language:
            out.append(Turn(speaker, language, begin, begin + len(part)))
    return out


def _spoken(part: str, own: str, other: str) -> str:
    found = language_between(part, own, other) if part.strip() else ""
    return found if found and weight(part, found) >= 2 else ""


def other_language(text: str, own: str, named: frozenset[str]) -> str:
    """The language beside `own` in which the dialogue is: one that the question names, else one
    whose script the text has."""
    candidates = named - {own}
    if len(candidates) == 1:
        return next(iter(candidates))
    seen = [
        code
        for code, script in _SCRIPTS
        if code != own and len(re.findall(script, text[:_MOST])) >= 6
    ]
    if own == "ja" and seen == ["zh"]:
        return ""
    if seen:
        return seen[0]
    return (
        "en"
        if own != "en"
        and language_of(" ".join(re.findall("[A-Za-z' ]{4,200}", text[:_MOST]))) == "en"
        else ""
    )


def mismatch(found: list[Turn], own: str, other: str) -> Mismatch | None:
    """How the turns in one language differ from those in the other; None where they pair up, or
    where one has no two turns."""
    ours, theirs = ([turn for turn in found if turn.language == code] for code in (own, other))
    if len(ours) < 2 or len(theirs) < 2 or _both_languages_spoken(ours, theirs):
        return None
    if len(ours) != len(theirs):
        longer = max(ours, theirs, key=len)
        lonely = _lonely(found, longer[0].language) or longer[-1]
        return Mismatch(
            say("rules.turns.uneven", theirs=len(theirs), ours=len(ours)),
            lonely.start,
            lonely.end,
        )
    if not all(turn.speaker for turn in (*ours, *theirs)):
        return None
    same = {turn.speaker for turn in ours} == {turn.speaker for turn in theirs}
    orders = [[turn.speaker for turn in row] if same else _order(row) for row in (ours, theirs)]
    for place, (one, another) in enumerate(zip(*orders, strict=True)):
        if one != another:
            turn = ours[place]
            return Mismatch(say("rules.turns.speaker", turn=place + 1), turn.start, turn.end)
    return None


def _lonely(found: list[Turn], language: str) -> Turn | None:
    """The first turn of a language that another one of it follows, where the two languages take
    turns."""
    blocks = sum(one.language != two.language for one, two in pairwise(found))
    if blocks < 2:
        return None
    return next(
        (one for one, two in pairwise(found) if one.language == two.language == language), None
    )


def _order(row: list[Turn]) -> list[int]:
    """Speakers as numbers in the order in which they first speak: names change in a translation."""
    known: dict[str, int] = {}
    return [known.setdefault(turn.speaker, len(known)) for turn in row]


def _both_languages_spoken(ours: list[Turn], theirs: list[Turn]) -> bool:
    """Whether people of two languages talk with each other: each language has its own speakers, and
    they take turns."""
    mine, yours = {turn.speaker for turn in ours}, {turn.speaker for turn in theirs}
    if "" in mine | yours or mine & yours:
        return False
    interleaved = ours[0].start < theirs[-1].start and theirs[0].start < ours[-1].start
    return interleaved and (
        len(mine) == len(yours) == 1 or all(name.isascii() for name in mine | yours)
    )
