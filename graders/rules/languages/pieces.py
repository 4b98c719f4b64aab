"""An answer in two languages, the reader's and the one that is learned, line by line and piece by
piece."""

from __future__ import annotations

import re
from typing import NamedTuple

from graders.core.text import language_of
from graders.rules.languages.language_used import ENGLISH
from graders.rules.languages.segments import LATIN_LANGUAGES, chinese_signs

_KANA = re.compile(r"[ぁ-ヿ]")
_HAN = re.compile(r"[㐀-鿿]")
_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_TONED = re.compile(r"[āēīōūǎěǐǒǔǖǘǚǜ]")
_HANGUL, _ARABIC, _HEBREW, _GREEK, _DEVANAGARI = (
    re.compile(pattern)
    for pattern in (
        r"[가-힣]",
        r"[\u0600-\u06ff]",
        r"[\u0590-\u05ff]",
        r"[Ͱ-Ͽ]",
        r"[\u0900-\u097f]",
    )
)
_LETTERS = {
    "ru": _CYRILLIC,
    "uk": _CYRILLIC,
    "ko": _HANGUL,
    "ar": _ARABIC,
    "he": _HEBREW,
    "el": _GREEK,
    "hi": _DEVANAGARI,
    "bg": _CYRILLIC,
    "kk": _CYRILLIC,
    "fa": _ARABIC,
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "ka": re.compile(r"[\u10a0-\u10ff]"),
    "hy": re.compile(r"[\u0530-\u058f]"),
}
_LETTERS |= dict.fromkeys(LATIN_LANGUAGES | {"la"}, _LATIN)
#: How words sound, syllable by syllable: fshist-KYE-go.
_SOUND = re.compile(
    r"[a-z]{1,7}-[A-Z]{2,8}(?![a-z])|(?<![A-Za-z])[A-Z]{2,8}-[a-z]{1,7}(?!\w)|(?:\b[a-z]{1,6}-){2,}"
)
#: What parts an expression from its translation within a line.
_PARTS = re.compile(
    r"[()（）\[\]|\t]|\s[—–=-]+\s|(?<=[.!?。！？…»”\"])\s?[—–]+\s?|——|(?<=[。！？])(?=[A-Za-z])|"
    r"(?<=[.!?])\s+(?=[㐀-鿿ぁ-ヿ\u0400-\u04ff])"
)
_LEAD = re.compile(r"^\s*(?:[-*•·>#]+\s*|\(?\d{1,3}[.)、．]\s*)*")
#: Who speaks, in a dialogue: "A:", "**Baker:**" tell nothing about the language of what is said.
_SPEAKER = re.compile(r"^\W{0,4}[^\W\d_]{1,20}(?: [^\W\d_]{1,20})?\W{0,2}[:：]\W{0,3}(?=\w)")


class Piece(NamedTuple):
    """A part of a line and the language of the two that it is in ("" where nothing decides)."""

    start: int
    end: int
    language: str


def pieces(line: str, own: str, other: str) -> list[Piece]:
    """The parts of a line that brackets, dashes, cells and a change of script make."""
    # It matches an empty start, too.
    found, at = [], _LEAD.match(line).end()  # type: ignore[union-attr]
    for match in [*_PARTS.finditer(line, at), None]:
        end = match.start() if match else len(line)
        if line[at:end].strip():
            found.append(
                Piece(at, end, language_between(_SPEAKER.sub("", line[at:end]), own, other))
            )
        at = match.end() if match else end
    return found


def language_between(piece: str, own: str, other: str) -> str:
    """Which of two languages a piece is in, "" where nothing decides: a name, a sound in Latin
    letters."""
    piece = piece[:2000]
    if {own, other} <= {"zh", "ja"}:
        if kana := _KANA.findall(piece):
            # A Chinese sentence may quote a Japanese word.
            quotes = own == "zh" and chinese_signs(piece) >= 3
            return "zh" if quotes and len(kana) < 0.4 * weight(piece, "zh") / 3 else "ja"
        return "zh" if _HAN.search(piece) and (chinese_signs(piece) or other == "ja") else ""
    if _SOUND.search(piece) and len(_SOUND.findall(piece)) * 6 >= len(piece.split()):
        return ""
    if same_script(own, other):
        if "en" in (own, other) and (told := _beside_english(piece)) is not None:
            return "en" if told else (other if own == "en" else own)
        found = language_of(piece, (own, other))
        return found if found in (own, other) else ""
    if _TONED.search(piece):
        return ""
    counts = {code: weight(piece, code) for code in (own, other)}
    total = sum(counts.values())
    # A term or a name of the other language may stand within a sentence.
    return next((code for code in (own, other) if total and counts[code] >= 0.6 * total), "")


def _beside_english(piece: str) -> bool | None:
    """Whether a piece in Latin letters is English rather than another language: by letters that
    English has not, and by its little words; None where neither tells."""
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", piece)
    if not words or any(char >= "\u0400" for word in words for char in word):
        return None
    strange = sum(not word.isascii() for word in words)
    known = sum(word.casefold().replace("’", "'") in ENGLISH for word in words)
    if strange and known <= 0.4 * len(words):
        return False
    if known >= 2 and known >= 0.6 * len(words) and not strange:
        return True
    return None


def weight(piece: str, language: str) -> int:
    """Letters of a language's script; one Chinese or Japanese character counts as three, a Korean
    one as two."""
    if language in ("zh", "ja"):
        return 3 * (len(_HAN.findall(piece)) + len(_KANA.findall(piece)))
    if language == "ko":
        return 2 * len(_HANGUL.findall(piece))
    return len(_LETTERS.get(language, _LATIN).findall(piece))


def same_script(own: str, other: str) -> bool:
    """Whether two languages are written in the same letters."""
    return _LETTERS.get(own, own) is _LETTERS.get(other, other)
