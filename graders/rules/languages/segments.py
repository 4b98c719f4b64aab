"""The languages of an answer, line by line, and how much of it is in none that the question
allows."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from graders.core.language import LATIN, little_words
from graders.core.text import language_of, scripts, sentences
from graders.rules.languages._number_words import number_language
from graders.rules.languages.asked_language import Allowed
from graders.rules.writing.keyboard import struck
from graders.rules.writing.prose import blank, block_quotes, fences, without_marks, without_quotes

_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
#: Characters that Chinese sentences use all the time and Japanese ones seldom or never.
_CHINESE = re.compile(r"[的了是在很也不有我他她它你就把吧]")
_DENSE = re.compile(r"[㐀-鿿ぁ-ヿ가-힣]")
_KANA, _ONLY_CHINESE = re.compile(r"[ぁ-ヿ]"), re.compile(r"[㐀-鿿]")
_MARK = re.compile(r"^[ \t>]+")
#: A term of another language and what it means in the reader's own.
_GLOSSED = re.compile(r"^[^\n:：—–=]{1,36}[*_]{0,2}\s*(?:[:：=]|\s[—–-]|——)\s*(?P<meaning>\S.*)$")
#: A source in a list of sources: a year, and initials, "et al." or an address.
REFERENCE = re.compile(
    r"^[\s>*•-]{0,6}\[?\d{0,2}[\].)]{0,2}\s{0,3}(?=[^\n]*\b(?:19|"
    r"20)\d\d\b)(?=[^\n]*(?:[A-Z][a-z]+,? [A-Z]\.|et al|"
    r"doi|"
    r"https?:|ISBN|\bpp?\. ?\d|\bVol\b|Journal|\bEds?\.|Press\b))"
)
_ONLY_HAN = re.compile(r"[㐀-鿿，。、；（）()！!\s]+")
_TOO_SHORT = 48
_NEAR_RUSSIAN = frozenset(("mk", "sr", "uk", "be"))
_NOT_RUSSIAN = re.compile(r"[їєґіўђћџјљњќѓѕ]", re.I)
_MOST_SEGMENTS = 200
_MOST_CHARACTERS = 40_000
LATIN_LANGUAGES = frozenset(LATIN)


class Segment(NamedTuple):
    """A line or sentence of the answer, its weighted letters, and its language ("" where nothing
    decides)."""

    start: int
    end: int
    letters: int
    language: str


@dataclass(frozen=True, slots=True)
class Shares:
    """How many letters of an answer are `foreign`, of a `known` language, and there at all; `first`
    is the first foreign segment."""

    foreign: int
    known: int
    total: int
    first: Segment | None
    most: str = ""
    least: float = 0.3

    @property
    def wrong(self) -> bool:
        """Whether so much is foreign that the answer as a whole is in the wrong language."""
        return (
            self.first is not None
            and self.foreign >= self.least * self.known
            and self.foreign >= 0.25 * self.total
        )


def shares(text: str, allowed: Allowed) -> Shares:
    """How much of `text` is in a language that the question does not allow; 90 % must be where it
    asks for one language."""
    found = segments(text, allowed.own, allowed.dishes, quoted=bool(allowed.directed))
    if allowed.directed and _has_script(text, allowed.directed, allowed.own):
        foreign: list[Segment] = []
    elif allowed.directed:
        foreign = [segment for segment in found if segment.language not in (allowed.directed, "")]
        # A few lines to be used, and a page about them.
        least = _TOO_SHORT if allowed.own in LATIN_LANGUAGES else _TOO_SHORT // 5
        # A short line in Latin letters does not tell which language of them it is.
        latin = LATIN_LANGUAGES if allowed.directed in LATIN_LANGUAGES else {allowed.directed}
        of_it = latin - {allowed.own} if allowed.own not in LATIN_LANGUAGES else {allowed.directed}
        if sum(one.letters for one in found if one.language in of_it) >= least:
            foreign = []
    else:
        # A few words in one of the languages that are spoken of are taken for any other one.
        among = LATIN_LANGUAGES & ((allowed.languages or frozenset()) - {allowed.own})
        sounds = (allowed.languages or frozenset()) - {allowed.own} - LATIN_LANGUAGES
        foreign = [
            segment
            for segment in found
            if segment.language
            and segment.language not in (*(allowed.languages or ()), *allowed.near)
            and not (among and segment.letters < _TOO_SHORT and segment.language in LATIN_LANGUAGES)
            # How the words of another script sound, in Latin letters.
            and not (sounds and segment.language in LATIN_LANGUAGES - {"en"})
        ]
    most = Counter[str]()
    for segment in foreign:
        most[segment.language] += segment.letters
    return Shares(
        foreign=sum(segment.letters for segment in foreign),
        known=sum(segment.letters for segment in found if segment.language),
        total=sum(segment.letters for segment in found),
        first=foreign[0] if foreign else None,
        most=most.most_common(1)[0][0] if most else "",
        # What is written in the asked-for language may be spoken of in the question's own.
        least=0.8 if allowed.directed else 0.3,
    )


#: Scripts that one of the languages that are asked for has alone.
_OWN_SCRIPTS = {
    "ko": ("Hangul",), "ja": ("Hiragana", "Katakana"), "ru": ("Cyrillic",), "el": ("Greek",),
    "he": ("Hebrew",), "th": ("Thai",), "hi": ("Devanagari",), "ar": ("Arabic",),
    "ka": ("Georgian",), "hy": ("Armenian",), "zh": ("Han",),
}  # fmt: skip


def _has_script(text: str, language: str, own: str) -> bool:
    """Whether the script of a language that must be used makes up a good part of the text: beside
    it, translations may stand in the reader's own."""
    if {language, own} == {"zh", "ja"}:
        return language == "ja" and len(_KANA.findall(text[:_MOST_CHARACTERS])) >= 2
    if language == "zh" and len(_ONLY_CHINESE.findall(text[:_MOST_CHARACTERS])) >= 6:
        return True
    found = scripts(text[:_MOST_CHARACTERS])
    return sum(found.get(name, 0.0) for name in _OWN_SCRIPTS.get(language, ())) >= 0.15


def segments(text: str, own: str, dishes: bool = False, quoted: bool = False) -> list[Segment]:
    """The lines of the prose with their languages; of long texts a fixed sample. Where `dishes`
    were asked for, a list of names in another language (coq au vin, mapo doufu) has none.

    Quoted lines are left out, unless what was to be written may stand in them (`quoted`).
    A line that mixes scripts, or Chinese and Japanese, is split into its sentences.
    """
    code = fences(text).blocks
    own_words = blank(text, code)
    if not quoted:
        own_words = blank(own_words, block_quotes(text))
    lines = [(match.start(), match.group()) for match in re.finditer(r"[^\n]+", own_words)]
    lines = [
        (start, line)
        for start, line in lines
        if not line.isspace() and not REFERENCE.match(line[:600])
    ]
    step = max(1, -(-len(lines) // _MOST_SEGMENTS))
    longest = max(200, _MOST_CHARACTERS // (len(lines) or 1))
    pieces: list[tuple[int, str]] = []
    for start, line in lines[::step]:
        line = without_marks(line[:longest])
        line = _MARK.sub(" ", line) if quoted else without_quotes(line)
        if max([*scripts(line).values()][1:], default=0.0) < 0.25 and not (
            own in ("zh", "ja") and language_in(line, own) not in ("", own)
        ):
            pieces.append((start, line))
            continue
        at = 0
        for sentence in sentences(line):
            at = line.index(sentence, at)
            pieces.append((start + at, sentence))
            at += len(sentence)

    def language(piece: str) -> str:
        found = language_in(piece, own)
        if found not in ("", own) and (term := _GLOSSED.match(piece[:400])):
            meaning = term["meaning"]
            if language_of(meaning) == own or (own == "zh" and _ONLY_HAN.fullmatch(meaning)):
                return ""
        return (
            ""
            if dishes
            and found in LATIN_LANGUAGES
            and found != own
            and is_list_of_names(piece, found)
            else found
        )

    return [
        Segment(start, start + len(piece), letters_of(piece), language(piece))
        for start, piece in pieces
    ]


def is_list_of_names(piece: str, language: str) -> bool:
    """Whether a piece of Latin text may be names between commas, or one in a line: short, and with
    few of the little words of which sentences in the language are full."""
    items = [
        item
        for item in re.split(r"[,;:.、，；：。()（）/\n]| and | or | и | или ", piece)
        if _LATIN_WORD.search(item)
    ]
    words = [word.casefold() for word in _LATIN_WORD.findall(piece)]
    little = sum(word in little_words(language) for word in words)
    return all(len(_LATIN_WORD.findall(item)) <= 6 for item in items) and little < 0.2 * len(words)


def letters_of(piece: str) -> int:
    """Letters, where one Chinese, Japanese or Korean character counts as three."""
    return sum(map(str.isalpha, piece)) + 2 * len(_DENSE.findall(piece))


def language_in(piece: str, own: str) -> str:
    """The language of a piece of an answer in `own`, "" where it may as well be names or loan
    words."""
    found = language_of(piece)
    if own == "ru" and found in _NEAR_RUSSIAN and not _NOT_RUSSIAN.search(piece):
        # Short lines without a letter that Russian lacks.
        return own
    if found == own:
        return found
    if (number := number_language(piece)) and own:
        return number
    if not found or (found in LATIN_LANGUAGES and struck(piece)):
        return ""
    if found in LATIN_LANGUAGES:
        latin = _LATIN_WORD.findall(piece[:5000])
        if own in LATIN_LANGUAGES:
            words = [word.casefold() for word in latin]
            mine, theirs = (
                sum(word in little_words(code) for word in words) for code in (own, found)
            )
            if little_words(found) and mine >= 2 and mine > theirs:
                return ""
            return found if sum(map(len, latin)) >= 25 else ""
        return found if sum(word[0].islower() for word in latin) >= 0.4 * len(latin) else ""
    # A name with its original in brackets.
    if own in LATIN_LANGUAGES and scripts(piece).get("Latin", 0.0) >= 0.4:
        return ""
    # Japanese lists of names may have no kana at all.
    if (own, found) == ("ja", "zh") and chinese_signs(piece[:2000]) < 2:
        return ""
    return found


def chinese_signs(piece: str) -> int:
    """How many characters only Chinese uses: words of its grammar, and simplified forms, which
    Japanese encodings lack."""
    foreign = sum(not char.encode("cp932", "ignore") for char in piece if char.isalpha())
    return foreign + len(_CHINESE.findall(piece))
