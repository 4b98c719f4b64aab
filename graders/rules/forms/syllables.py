"""Syllables of English and Russian lines, characters of Chinese ones, morae of Japanese ones; None
where nothing can be counted."""

from __future__ import annotations

import re

_EN_WORD = re.compile(r"[a-zà-ÿ]+(?:['’][a-z]+)?", re.I)
_RU_VOWEL = re.compile(r"[аеёиоуыэюя]", re.I)
_KANA = re.compile(r"[ぁ-ゖァ-ヺー]")
_SMALL = frozenset("ゃゅょぁぃぅぇぉゎャュョァィゥェォヮ")
_HAN = re.compile(r"[㐀-鿿々〇]")
#: Words that the vowel groups count wrongly.
_EXCEPTIONS = {
    **dict.fromkeys(
        (
            "every",
            "evening",
            "different",
            "something",
            "sometimes",
            "someone",
            "poem",
            "poet",
            "quiet",
            "lion",
            "riot",
            "being",
        ),
        2,
    ),
    **dict.fromkeys(
        ("idea", "area", "beautiful", "memory", "everything", "poetry", "piano", "radio", "video"),
        3,
    ),
    **dict.fromkeys(
        (
            "people",
            "little",
            "create",
            "science",
            "going",
            "doing",
            "seeing",
            "fire",
            "hour",
            "flower",
            "power",
            "tower",
        ),
        2,
    ),
    **dict.fromkeys(
        (
            "fire",
            "hour",
            "our",
            "one",
            "once",
            "done",
            "gone",
            "some",
            "come",
            "eyes",
            "clothes",
            "world",
            "heaven's",
        ),
        1,
    ),
}


def english_syllables(line: str) -> int | None:
    """Vowel groups, a silent e and a silent -ed left out; may be off by one in a line. None for
    lines with digits."""
    found = _EN_WORD.findall(line.replace("’", "'"))
    return sum(map(_english_word, found)) if found and not re.search(r"\d", line) else None


def _english_word(word: str) -> int:
    bare = re.sub(r"'(?:s|d|ll|ve|re|m|t)$", "", word.lower())
    if bare in _EXCEPTIONS:
        return _EXCEPTIONS[bare]
    count = len(re.findall(r"[aeiouyà-ÿ]+", bare))
    if (
        re.search(r"[^aeiouyl]e$|[aeiouy]le$|[^aeiouytd]ed$|[^aeiouyszxcg]es$|(?:sh|ch)ed$", bare)
        and count > 1
    ):
        count -= 1
    if re.search(r"e(?:ly|ful|less|ment|ness)", bare[2:]) and count > 1:
        count -= 1
    # Two vowels that are two syllables: lion, radiate, creating.
    count += len(
        re.findall(
            r"i(?:a(?!ge)|o(?!u|n\b)|u)|eo(?!u|n\b)|ua(?!r|l|ck)|[aeiou]ing\b|sm\b",
            re.sub(r"[csgtx]i[ao]|qua|gua", "", bare),
        )
    )
    return max(count, 1)


def russian_syllables(line: str) -> int | None:
    """The vowels. None for lines with digits or Latin letters, whose reading is not written."""
    return None if re.search(r"[\da-z]", line, re.I) else len(_RU_VOWEL.findall(line)) or None


def morae(line: str) -> int | None:
    """Kana without the small ones that join the sign before; っ, ん and ー count. None where kanji,
    digits or Latin letters stand."""
    if re.search(r"[\da-zA-Z㐀-鿿々]", line):
        return None
    return sum(char not in _SMALL for char in _KANA.findall(line)) or None


def morae_between(line: str) -> tuple[int, int]:
    """The least and the most morae of a line: a kanji is read with one at least, and seldom with
    more than four. Digits and Latin letters may be anything."""
    kana = sum(char not in _SMALL for char in _KANA.findall(line))
    kanji = len(_HAN.findall(line))
    if re.search(r"[\da-zA-Z]", line) or not kana + kanji:
        return 0, 1_000
    return kana + kanji, kana + 4 * kanji


def han_characters(line: str) -> int | None:
    """Chinese characters; None for lines with kana, digits or Latin letters."""
    return None if re.search(r"[\da-zA-Zぁ-ヿ]", line) else len(_HAN.findall(line)) or None


def words(line: str) -> int | None:
    """The words between spaces, without dashes."""
    return len(re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", line)) or None
