"""Words that are keys struck at random: runs along a row of the keyboard, one row back and forth,
no vowel."""

from __future__ import annotations

import re
from itertools import pairwise

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю")
_NEIGHBOURS = frozenset(pair for row in _ROWS for a, b in pairwise(row) for pair in (a + b, b + a))
_SETS = tuple(map(frozenset, _ROWS))
_VOWELS = frozenset("aeiouyаеёиоуыэюя")
#: Words in small letters; what is written in capitals is an abbreviation or a name.
_WORD = re.compile(r"(?<![^\W\d_])[a-zа-яё]{3,40}(?![^\W\d_])")
#: So many words are needed, and so many of them must be such as no language has.
_LEAST_WORDS, _LEAST_ODD = 6, 3
_SHARE = 0.7


def struck(text: str) -> list[tuple[int, int]]:
    """Places of the words of a text of which most are struck at random; empty where most may be
    words."""
    found = [(match, _odd(match.group())) for match in _WORD.finditer(text)]
    odd = [match for match, is_odd in found if is_odd]
    like = [match for match, is_odd in found if is_odd or _one_row(match.group())]
    every = len(re.findall(r"[^\W\d_]+", text))
    if every < _LEAST_WORDS or len(odd) < _LEAST_ODD or len(like) < _SHARE * every:
        return []
    return [match.span() for match in like]


def _odd(word: str) -> bool:
    """Whether no language has such a word: it runs along a row, or has four letters and no
    vowel."""
    if len(word) >= 4 and not _VOWELS.intersection(word):
        return True
    pairs = [word[at : at + 2] for at in range(len(word) - 1)]
    return sum(pair in _NEIGHBOURS for pair in pairs) >= (1.0 if len(word) < 5 else 0.75) * len(
        pairs
    )


def _one_row(word: str) -> bool:
    """Whether one row of the keyboard has all letters of a word that is long enough for that to
    tell."""
    return len(word) >= 5 and any(row.issuperset(word) for row in _SETS)
