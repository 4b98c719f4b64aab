"""Finding verse in an answer: its lines and stanzas, without title, introduction and closing
words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graders.rules.writing.prose import EASTERN

_MARKUP = re.compile(r"^[ \t>]{0,12}|[*_~`]{1,3}|[ \t\\]+$|<br ?/?>")
_LABEL = re.compile(
    r"^(?:[\[(（【][^\])）】\n]{1,40}[\])）】]|#{1,6}\s.*|(?:verse|stanza|chorus|bridge|"
    r"refrain|title|строфа|куплет|припев|название|"
    r"第[一二三四五六七八\d]+[段节節連])\s?\d{0,2}\s?[:：.]?.{0,40}|"
    r"[一二三四五六七八九十]{1,2}[、.．，,。：:]?|《[^》]{1,30}》.{0,12}|[-=*_—–\s]{2,}|"
    r"\d{1,2}[.)、]?|[IVX]{1,5}\.?)$",
    re.I,
)
_ITEM = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s")
_ONE_LINE = re.compile(r"(?=.*[ぁ-ゖ])[㐀-鿿ぁ-ヿ々ー　 、]{8,34}")
_SET_APART = re.compile(
    r"(?:\*\*|「|『)(?=.*[ぁ-ゖ])(?![^\n]*(?:について|解説|ポイント|テーマ|こと|もの)\W*$)"
    r"[㐀-鿿ぁ-ヿ々ー　 、]{9,34}(?:\*\*|」|』)"
)
_CLAUSE = re.compile(r"[，。！？；、,!?;.：:\s]+")
#: A line of verse is no wider than this; a Chinese or Japanese character is as wide as three
#: letters.
_WIDEST = 90
_MOST = 2000


def width(line: str) -> int:
    """Letters in a line, where a Chinese or Japanese character counts three."""
    return len(line) + 2 * len(EASTERN.findall(line))


def paragraphs(text: str, apart: bool = True) -> list[list[str]]:
    """Paragraphs as lists of lines without markup; labels, rules and fences are left out. A slash,
    and where `apart` a wide space too, parts lines."""
    between = re.compile(r"\s/\s|　" if apart else r"\s/\s")
    found: list[list[str]] = [[]]
    for raw in text.split("\n")[:_MOST]:
        line = _MARKUP.sub("", raw[:2000]).strip()
        if not line:
            if not raw.strip().startswith(("```", "~~~")):
                found.append([])
        elif _LABEL.match(line) or (
            raw.lstrip().startswith("**") and raw.rstrip().endswith("**") and not found[-1]
        ):
            found.append([])
        else:
            found[-1] += [part.strip() for part in between.split(line) if part.strip()]
    return [lines for lines in found if lines]


def looks_like_verse(text: str) -> bool:
    """Whether two lines of verse stand one below the other, or clauses of Chinese verse in a line;
    in doubt it does."""
    every = paragraphs(text)
    if any(len(lines) >= 2 and sum(_is_line(line) for line in lines) >= 2 for lines in every):
        return True
    singles = [lines[0] for lines in every]
    if len(singles) >= 3 and sum(_is_line(line) for line in singles) >= 3:
        return True
    # A haiku may stand in one line, in bold letters or in brackets, above what is said of it.
    if any(_SET_APART.fullmatch(raw.strip()) for raw in text.split("\n")[:8]):
        return True
    if any(len(lines) == 1 and _ONE_LINE.fullmatch(lines[0]) for lines in every[:3]):
        return True
    if not every or max(width(line) for lines in every for line in lines) < _WIDEST:
        return True
    return any(is_regular(clauses([line])) for lines in every for line in lines)


#: Japanese prose speaks politely to its reader, verse does not.
_POLITE = re.compile(
    r"[㐀-鿿ぁ-ヿ](?:です|ます|ました|ません|でしょう|ください|下さい|ましょう)[ねよ]?[。！!]"
)
_INTRODUCED = re.compile(
    r"\W*(?:here|this|sure|of course|certainly|my|a haiku|haiku|poem|вот|конечно|держи|хайку|"
    r"хокку|танка|"
    r"以下|这|好的|当然|こちら|はい|もちろん)",
    re.I,
)


def _is_line(line: str) -> bool:
    return width(line) <= _WIDEST and not _ITEM.match(line)


def clauses(lines: Sequence[str]) -> list[str]:
    """The parts of Chinese lines between punctuation marks."""
    return [part for line in lines for part in _CLAUSE.split(line) if part]


def is_regular(parts: Sequence[str]) -> bool:
    """Whether these are four or more Chinese clauses of one length, as in classical verse."""
    return (
        len(parts) >= 4
        and len({len(part) for part in parts}) == 1
        and all(EASTERN.match(part) for part in parts)
    )


def candidates(text: str) -> list[list[list[str]]]:
    """The poem as stanzas of lines, in the readings that are possible: with and without single
    lines at its ends, with a wide space within a line and between lines.

    Empty where no verse can be told from prose.
    """
    return _readings(text, True) + (_readings(text, False) if "　" in text else [])


def _readings(text: str, apart: bool) -> list[list[list[str]]]:
    every = [
        lines
        for lines in paragraphs(text, apart)
        if all(width(line) <= _WIDEST for line in lines)
        and not all(_ITEM.match(line) for line in lines)
    ]
    every = [
        lines
        for lines in every
        if not (len(lines) == 1 and (lines[0].endswith((":", "：")) or _POLITE.search(lines[0])))
    ]
    whole = [lines for lines in every if 3 <= len(lines) <= 5 and not _INTRODUCED.match(lines[0])]
    every = [
        [line for line in lines if not line.endswith((":", "：")) or line is not lines[0]]
        for lines in every
    ]
    kept = [[lines] for lines in whole[:1] if lines not in every]
    every = [lines for lines in every if lines]
    if not every:
        return []
    if all(len(lines) == 1 for lines in every):
        return (
            [[[lines[0] for lines in every]], [[lines[0] for lines in every[1:]]]]
            if len(every) > 2
            else [[every[0]]]
        )
    first = next(at for at, lines in enumerate(every) if len(lines) > 1)
    last = len(every) - next(at for at, lines in enumerate(reversed(every)) if len(lines) > 1)
    # A line of verse may end with a colon.
    readings = [every[first:last], every[first:], *kept]
    if sum(len(lines) > 1 for lines in every) < 2:
        # Beside stanzas a line that stands alone above them is a title, or opens the answer.
        readings += [every, every[:last]]
    if len(every[first]) > 2:
        # A title may stand directly above the first line.
        readings.append([every[first][1:], *every[first + 1 : last]])
    return readings
