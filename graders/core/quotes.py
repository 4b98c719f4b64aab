"""Whether words that a grader quotes stand in a text: compared as people read them, not character
by character.

NFKC, runs of white space, quotation marks, upper and lower case and Markdown make no difference;
words and their order do. A quote may leave words out where it says so (``first part ... last
part``): its parts must then stand in the text in that order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from graders.core.records import Mark

_QUOTATION: dict[int, str | None] = dict.fromkeys(map(ord, "\"'“”„‟«»‹›「」『』〝〞‘’‚‛ʼ′″`´"))
_INVISIBLE: dict[int, str | None] = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
#: What is left out or made plain after Markdown is gone.
_UNSEEN = {**_QUOTATION, **_INVISIBLE, **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")}
#: Words left out, in brackets or not; NFKC has made three full stops of the one character.
_GAP = re.compile(r"\s*[(\[]?\s?\.{3,}\s?[)\]]?\s*")
#: Lines that hold no words: the border of a code block (with its language), of a table, a rule.
_BORDER = re.compile(
    r"^[ \t]*(?:(?:```|~~~)[^\s`]*|[|:+ \t-]*-{3,}[|:+ \t-]*|={3,}|\*{3,}|_{3,})[ \t]*$",
    re.MULTILINE,
)
#: What a line may begin with: quotation, heading, bullet, number, box to tick; several of them, as
#: in a list that is quoted.
_LEAD = re.compile(
    (
        r"^[ \t]*(?:(?:>|#{1,6}(?=[ \t])|[-*+•‣◦·](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[[ xX]\](?=[ "
        r"\t]))[ \t]*)+"
    ),
    re.MULTILINE,
)
_LINK = re.compile(r"!?\[([^\[\]\n]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)|\[[^\[\]\n]*\])")
_ADDRESS = re.compile(r"<((?:https?://|mailto:)[^<>\s]+)>")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
#: Emphasis: two or three signs anywhere, one beside a word but not within a name or between numbers
#: (snake_case, 2*3).
_EMPHASIS = re.compile(
    r"\*{2,3}|_{2,3}|~~|(?<![0-9A-Za-z_*])[*_](?=\S)|(?<=\S)[*_](?![0-9A-Za-z_*])"
)


def stands_in(quote: str, texts: Iterable[str]) -> bool:
    """Whether a quote stands in one of `texts`. One that quotes nothing (marks alone) stands
    everywhere."""
    some = list(texts)
    if not quotes_words(quote) or any(quote in text for text in some):
        return True
    wanted = {tuple(parts) for leads in (True, False) if (parts := _parts(quote, leads))}
    return any(
        _in_turn(parts, _plain(text, leads))
        for leads in (True, False)
        for text in some
        for parts in wanted
    )


def quotes_words(quote: str) -> bool:
    """Whether anything is left of a quote without white space, quotation marks, dots and
    Markdown."""
    return bool(quote.translate(_QUOTATION).strip(" \t\r\n.…*_~#>|-[]()"))


def misquotes(mark: Mark) -> bool:
    """Whether a verdict rests on a quote that was looked for and is not there; one without a quote
    does not."""
    return any(one.found is False and quotes_words(one.quote) for one in mark.evidence)


def unsought(mark: Mark) -> bool:
    """Whether a verdict rests on a quote that nobody has looked for."""
    return any(one.found is None and quotes_words(one.quote) for one in mark.evidence)


def _in_turn(parts: Sequence[str], text: str) -> bool:
    """Whether all parts stand in the text, each behind the one before it."""
    place = 0
    for part in parts:
        found = text.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return True


def _parts(quote: str, leads: bool) -> list[str]:
    """What a quote says before and after the words that it leaves out."""
    return [part for piece in _GAP.split(_plain(quote, leads)) if (part := piece.strip(" -[]"))]


@lru_cache(maxsize=64)
def _plain(text: str, leads: bool) -> str:
    """`text` as it reads, in one line and lower case, without Markdown and quotation marks;
    `leads`: with what its lines begin with.

    Both forms are held against each other: a judge that quotes three points in one line may keep
    their numbers, or leave them out.
    """
    text = _BORDER.sub("", unicodedata.normalize("NFKC", text))
    text = text if leads else _LEAD.sub("", text)
    text = _BREAK.sub(" ", _ADDRESS.sub(r"\1", _LINK.sub(r"\1", text)))
    text = _EMPHASIS.sub("", _ESCAPED.sub(r"\1", text).replace("|", " "))
    return " ".join(text.translate(_UNSEEN).casefold().split())
