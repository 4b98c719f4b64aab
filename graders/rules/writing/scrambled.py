"""Letters that were torn apart, run together or mixed with others, so that no word is left: signs
and digits within words, letters of two scripts in one word, single letters, no spaces, characters
that nobody uses, data in place of text."""

from __future__ import annotations

import re
from functools import lru_cache

from graders.rules.writing.prose import EASTERN

Place = tuple[int, int]

_WORD = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\W\d_]+")
_WIRED = re.compile(r"[^\W\d_](?:[#@%^&~|§$¤°=+<>{}\[\]\\]+|\*(?!\*))[^\W\d_*]")
_LEET = re.compile(r"(?:[a-zа-яё][013457]+){1,8}[a-zа-яё]|\b[013457][a-z]{2,}[013457][a-z]*", re.I)
_TWO_SCRIPTS = re.compile(r"[A-Za-zÀ-ɏ][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-zÀ-ɏ]")
_LATIN_AMONG_KANA = re.compile(r"(?<=[㐀-鿿ぁ-ヿ])[a-zA-Z]{1,3}(?=[㐀-鿿ぁ-ヿ])")
_HAN = re.compile(r"[㐀-鿿]")
_EMPTY_BOXES = re.compile(r"☐{2,}")
_ALONE = {
    "en": re.compile(r"(?<![^\W_])(?![AaIi]\b)[A-Za-z](?![^\W_]|[.)'’:=])"),
    "ru": re.compile(r"(?<![^\W_])(?![вВиИкКсСуУоОаАяЯбж]\b)[А-Яа-яЁё](?![^\W_]|[.)=])"),
}
_ANY_ALONE = re.compile(r"(?<![^\W_])[^\W\d_](?= [^\W\d_](?![^\W_]))")
_RUN_TOGETHER = re.compile(r"(?<![\w/@.=&?-])[A-Za-zА-Яа-яЁё,.!?]{32,4000}(?![\w/@=&])")
_DATA = re.compile(
    r"(?<![\w/])(?:[A-Za-z0-9+/]{40,4000}={0,2}|(?:[0-9a-fA-F]{2}[ :]){16,2000}[0-9a-fA-F]{2}|"
    r"[0-9a-fA-F]{48,4000}|(?:[01]{8}\s?){8,800})(?![\w/])"
)
_LEAST = 6


def scrambled(text: str, language: str) -> list[Place]:
    """Places of letters that make no words; empty where few are. Data count where they fill a
    third of the text."""
    size = len("".join(text.split())) or 1
    words = len(_WORD.findall(text))
    for pattern, least in ((_WIRED, 0.12), (_LEET, 0.2), (_TWO_SCRIPTS, 0.15)):
        found = _words_with(pattern, text)
        if len(found) >= _LEAST and len(found) >= least * words:
            return found
    for found in (_torn(text, language), _among_kana(text), _rare(text)):
        if found:
            return found
    if (boxes := [match.span() for match in _EMPTY_BOXES.finditer(text)]) and sum(
        end - start for start, end in boxes
    ) >= 0.1 * size:
        return boxes
    for pattern in (_RUN_TOGETHER, _DATA):
        found = [match.span() for match in pattern.finditer(text)]
        if sum(end - start for start, end in found) >= 0.3 * size:
            return found
    return []


def _words_with(pattern: re.Pattern[str], text: str) -> list[Place]:
    return [match.span() for match in _WORD.finditer(text) if pattern.search(match.group()[:200])]


def _torn(text: str, language: str) -> list[Place]:
    """Words that fell apart into single letters, or lost all but a few of theirs."""
    pattern = _ALONE.get(language)
    words = list(_LETTERS.finditer(text))
    if len(words) < 20:
        return []
    spaced = [match.span() for match in _ANY_ALONE.finditer(text)]
    if len(spaced) >= 0.5 * len(words):
        return spaced
    if pattern is None or re.search(r"\d\s*[=+×^]|[=√]", text):
        return []
    alone = [match.span() for match in pattern.finditer(text)]
    return alone if len(alone) >= 0.3 * len(words) else []


def _among_kana(text: str) -> list[Place]:
    """Single Latin letters of many kinds within Japanese and Chinese words."""
    found = list(_LATIN_AMONG_KANA.finditer(text))
    kinds = {match.group() for match in found}
    eastern = len(EASTERN.findall(text))
    if len(kinds) >= 8 and len(found) >= 10 and len(found) >= 0.1 * eastern:
        return [match.span() for match in found]
    return []


def _rare(text: str) -> list[Place]:
    """Characters that neither Chinese nor Japanese texts use."""
    every = list(_HAN.finditer(text))
    found = [match.span() for match in every if not _usual(match.group())]
    return found if len(found) >= 12 and len(found) >= 0.3 * len(every) else []


@lru_cache(maxsize=8_000)
def _usual(char: str) -> bool:
    """Whether the first levels of the Chinese and Japanese standards have a character: the some
    three to five thousand that are met at all."""
    first = char.encode("gb2312", "ignore")[:1]
    if b"\xb0" <= first <= b"\xd7":
        return True
    kanji = char.encode("euc_jp", "ignore")
    if len(kanji) == 2 and b"\xb0" <= kanji[:1] <= b"\xcf":
        return True
    return b"\xa4" <= char.encode("big5", "ignore")[:1] <= b"\xc6"
