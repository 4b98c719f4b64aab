"""How a dialogue and its translation are laid out, told by signs alone: for two languages of one
script, whose short lines no words tell apart."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from graders.rules.writing.prose import without_code

_MOST, _MOST_LINES, _WIDEST = 40_000, 400, 1_000
_SPOKEN = re.compile(
    r"^\s*(?:[-*•]\s+|\d{1,3}[.)]\s*)?(?:\*\*)?(?P<label>[^\W\d_][^\n:：*|()（）.!?。！？]{0,24})"
    r"(?:\*\*)?\s*[:：](?:\*\*)?\s*(?P<text>\S[^\n]*)$"
)
#: A line that translates the one above it: slanted, in brackets, set in, behind an arrow.
_UNDER = re.compile(
    r"^\s*(?:\*(?!\*)[^*\n]+\*|_[^_\n]+_|[(（\[][^\n]{2,}[)）\]]|>\s*\S[^\n]*|(?:→|=>|"
    r"->)[^\n]+)\s*$"
)
_BRACKETS = re.compile(r"[*_]{0,2}[(（\[](?P<inner>[^()（）\[\]\n]{2,300})[)）\]]")
_DASH = re.compile(r"\S\s[—–=/|→-]{1,2}\s+\S|[.!?…][*_]{0,2}\s?[—–]\s?\S")
_PART = re.compile(r"^\s*(?:#{1,6}\s|\*\*[^*\n]{2,60}\*\*:?\s*$|[-*_=]{3,}\s*$|[^\n:]{2,40}:\s*$)")
_WORD = re.compile(r"[^\W\d_]+")
#: Shares of turns that have their translation in one place.
_USUAL = 0.6


class Layout(StrEnum):
    """Where the translation of a turn stands."""

    BRACKETS = "brackets"
    DASH = "dash"
    BELOW = "below"
    NONE = "none"


class Spoken(NamedTuple):
    """A line with a speaker; `part` counts the headings before it, `block` also empty lines."""

    label: str
    start: int
    end: int
    layout: Layout
    brackets: int
    words: int
    part: int
    block: int


@dataclass(frozen=True, slots=True)
class Laid:
    """What the layout tells: whether it `decides`, and the turn that is out of step, with the
    number of turns on both sides; `at` is the first turn with another speaker."""

    decides: bool
    gap: Spoken | None = None
    sides: tuple[int, int] = (0, 0)
    at: int = -1


def laid(text: str) -> Laid:
    """How the turns of a dialogue and of its translation pair up, as far as signs tell."""
    found = _spoken(text)
    if len(found) < 3:
        return Laid(False)
    places = Counter(one.layout for one in found)
    usual, count = max(
        ((one, n) for one, n in places.items() if one is not Layout.NONE),
        key=lambda pair: pair[1],
        default=(Layout.NONE, 0),
    )
    if count >= max(3, _USUAL * len(found)):
        return _beside(found, usual)
    if count:
        return Laid(False)
    return _in_blocks(found)


def _beside(found: list[Spoken], usual: Layout) -> Laid:
    """Each turn has its translation beside it, but for those that have not."""
    labels = {one.label for one in found if one.layout is usual}
    bare = [
        one for one in found if one.layout is Layout.NONE and one.words >= 2 and one.label in labels
    ]
    if bare:
        return Laid(True, bare[0], (len(found), len(found) - len(bare)))
    twice = [one for one in found if one.brackets > 1]
    if usual is Layout.BRACKETS and len(twice) == 1 and len(found) >= 4:
        return Laid(True, twice[0], (len(found), len(found) + 1))
    return Laid(all(one.layout is not Layout.NONE for one in found))


def _in_blocks(found: list[Spoken]) -> Laid:
    """Two blocks of turns, one after the other."""
    parts = _grouped(found, [one.part for one in found])
    if len(parts) != 2:
        parts = _grouped(found, [one.block for one in found])
    if len(parts) != 2:
        return Laid(False)
    first, second = parts
    if len(first) != len(second):
        if abs(len(first) - len(second)) > 2:
            return Laid(False)
        longer = max(parts, key=len)
        return Laid(True, longer[-1], (len(first), len(second)))
    if place := _swapped(first, second):
        return Laid(True, second[place - 1], (len(first), len(second)), place)
    return Laid(True)


def _grouped(found: list[Spoken], keys: list[int]) -> list[list[Spoken]]:
    groups: dict[int, list[Spoken]] = {}
    for one, key in zip(found, keys, strict=True):
        groups.setdefault(key, []).append(one)
    return [group for group in groups.values() if len(group) >= 2]


def _swapped(first: list[Spoken], second: list[Spoken]) -> int:
    """The number of the first turn whose speaker is another one in the translation; 0 for none.
    Names may be translated: they keep their order, and those alike stay with their turns."""
    names, others = ([one.label.casefold() for one in part] for part in (first, second))
    known: dict[str, str] = {}
    for place, (name, other) in enumerate(zip(names, others, strict=True), 1):
        if known.setdefault(name, other) != other:
            return place
    if len(set(known.values())) < len(known):
        return 0
    for name, other in known.items():
        twin = next((one for one in known.values() if _alike(name, one)), other)
        if twin != other and not _alike(name, other):
            return names.index(name) + 1
    return 0


def _alike(name: str, other: str) -> bool:
    """Whether two labels begin alike: turista, tourist."""
    one, two = (re.sub(r"[aeiouàâäéèêëíïîóôöúùûü\W]", "", name)[:4] for name in (name, other))
    return len(one) >= 3 and one == two


def _spoken(text: str) -> list[Spoken]:
    prose = without_code(text[:_MOST])
    lines = [
        (match.start(), match.group()[:_WIDEST])
        for match in re.finditer(r"[^\n]+", prose)
        if not match.group().isspace()
    ][:_MOST_LINES]
    found: list[Spoken] = []
    part = 0
    for place, (start, line) in enumerate(lines):
        if _PART.match(line):
            part += 1
            continue
        said = None if _UNDER.match(line) else _SPOKEN.match(line)
        if said is None:
            continue
        below = lines[place + 1][1] if place + 1 < len(lines) else ""
        brackets = len(_BRACKETS.findall(said["text"]))
        layout = Layout.NONE
        if brackets and re.search(r"[)）\]]\W*$", said["text"]):
            layout = Layout.BRACKETS
        elif _UNDER.match(below):
            layout = Layout.BELOW
        elif _DASH.search(said["text"]):
            layout = Layout.DASH
        found.append(
            Spoken(
                said["label"].strip(),
                start + said.start("text"),
                start + said.end("text"),
                layout,
                brackets,
                len(_WORD.findall(said["text"])),
                part,
                part + prose.count("\n\n", 0, start),
            )
        )
    return found
