"""Characters that a program reads and a person does not see: where they stand in a text, what they
are, what they spell.

Honest uses stay quiet: emoji put together of several, flags of England, Scotland and Wales, joiners
of Arabic and Indic scripts, one variation selector after a sign that has variants, direction marks
in texts written from right to left, a byte order mark at the start.

`assets/unseen.js` does the same for what pages show as plain text; a test compares the two.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from itertools import islice

#: Everything that leaves no mark: controls, soft hyphen, fillers, joiners, direction marks,
#: variation selectors, tags.
INVISIBLE = (
    "\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SELECTORS = "\ufe00-\ufe0f"
#: Signs that emoji are made of, before a joiner and after it.
_BEFORE, _AFTER = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff", "\u2190-\u2bff\U0001f000-\U0001faff"
#: Scripts whose letters join: Arabic and its neighbours, those of India, Tibet, Burma, Cambodia and
#: Mongolia, Arabic's old forms.
_JOINED = (
    "\u0600-\u061b\u061d-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff\u1820-\u18af"
    "\ua8e0-\ua8ff\ufb50-\ufdff\ufe70-\ufefc"
)
#: Scripts that put no space between words: Thai, Lao, Tibetan, Burmese, Khmer and their neighbours.
_UNSPACED = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1950-\u1aaf"
#: Letters of alphabets, which have no variants, and words that are hyphenated.
_LETTERS = "A-Za-z\u00aa\u00ba\u00c0-\u024f\u0370-\u058f"
_HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"
#: The three flags that are spelled by tags: gbeng, gbsct, gbwls.
_FLAGS = "|".join(
    "".join(chr(0xE0000 + ord(letter)) for letter in place) for place in ("gbeng", "gbsct", "gbwls")
)

_HONEST = (
    "^\ufeff",
    f"(?<=\U0001f3f4)(?:{_FLAGS})\U000e007f(?![{INVISIBLE}])",
    f"(?<=[^\\s{INVISIBLE}{_LETTERS}])[{_SELECTORS}](?=[^{_SELECTORS}\U000e0100-\U000e01ef]|$)",
    f"(?<=[{_HAN}])[\U000e0100-\U000e011f](?![{INVISIBLE}])",
    f"(?<=[{_BEFORE}\U000e007f])\u200d(?=[{_AFTER}])",
    f"(?<=[{_JOINED}])[\u200c\u200d](?![{INVISIBLE}])",
    f"(?<![{INVISIBLE}])[\u200c\u200d](?=[{_JOINED}])",
    f"(?<=[{_UNSPACED}])\u200b(?=[{_UNSPACED}])",
    f"(?<=[{_LETTERS}][{_LETTERS}])\u00ad(?=[{_LETTERS}][{_LETTERS}])",
    f"(?<=[^\\s{INVISIBLE}])[\u2061-\u2064](?=[^\\s{INVISIBLE}])",
    "(?<=[\u1820-\u18aa])[\u180b-\u180f](?=[\u1820-\u18aa\\s]|$)",
    "(?<=[\u1780-\u17a2])[\u17b4\u17b5]",
    "(?<=[\u1100-\u115e])\u1160|\u115f(?=[\u1160-\u11a7])",
    "\u034f(?=[\u0300-\u036f\u0591-\u05c7])",
)
#: Group 1: honest, to be passed over; else a run of signs that nobody sees.
PATTERN = f"({'|'.join(_HONEST)})|[{INVISIBLE}]+"
#: Marks that belong to texts from right to left, at most two in a row, and blanks of pictures in
#: Braille.
DIRECTED, RIGHT_TO_LEFT = (
    "^[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]{1,2}$",
    "[\u05d0-\u06ff\u0710-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]",
)
BLANKS, BRAILLE = "^\u2800+$", "[\u2801-\u28ff]"

_RUN, _ANY = re.compile(PATTERN), re.compile(f"[{INVISIBLE}]")
_HAS = [
    (re.compile(marks), re.compile(among))
    for marks, among in ((DIRECTED, RIGHT_TO_LEFT), (BLANKS, BRAILLE))
]
NAMES = {
    "\u200b": "zero-width space",
    "\ufeff": "byte order mark",
    "\u115f": "Hangul filler",
    "\u1160": "Hangul filler",
}
NAMES |= {"\uffa0": "Hangul filler", "\u3164": "Hangul filler", "\u2800": "blank Braille pattern"}
#: So many runs of one text are told apart.
MOST, MOST_READ = 20, 2_000
#: How many different names are given for signs that spell nothing.
MOST_NAMES = 4


@dataclass(frozen=True, slots=True)
class Unseen:
    """``text[start:end]`` is not seen: `words` are what it spells, or the names of its signs where
    it spells nothing."""

    start: int
    end: int
    words: str
    spells: bool

    @property
    def label(self) -> str:
        """What a reader is told."""
        return f"Hidden text: {self.words}" if self.spells else f"Hidden: {self.words}"


def unseen(text: str, within: str = "") -> list[Unseen]:
    """The runs of signs in `text` that a program reads and a person does not see, in order.

    Where there are more than MOST, what all of them (the first 2,000) are or spell is said in the
    first one's place. The scripts that excuse some signs may stand anywhere in `text`, or in what
    it is a piece of (`within`).
    """
    if not _ANY.search(text):
        return []
    quiet = [marks for marks, among in _HAS if among.search(within or text)]
    hidden = (
        found
        for found in _RUN.finditer(text)
        if found.group(1) is None and not any(marks.match(found.group()) for marks in quiet)
    )
    runs = list(islice(hidden, MOST_READ))
    if len(runs) > MOST:
        return [_told(runs[0].span(), "".join(found.group() for found in runs))]
    return [_told(found.span(), found.group()) for found in runs]


def _told(span: tuple[int, int], run: str) -> Unseen:
    spelled = spelled_by(run)
    return Unseen(*span, spelled or names_of(run), bool(spelled))


def spelled_by(run: str) -> str:
    """The text that signs nobody sees spell: tags as ASCII, variation selectors as bytes,
    zero-width signs as bits; "" for none."""
    tags = "".join(chr(ord(sign) - 0xE0000) for sign in run if "\U000e0020" <= sign <= "\U000e007e")
    if tags:
        return tags
    data = bytes(_byte(sign) for sign in run if _byte(sign) >= 0)
    if len(data) > 1:
        return _readable(data.decode("utf-8", "replace"))
    signs = [sign for sign, _ in Counter(run).most_common(2)]
    for nought in sorted(signs) if len(signs) == 2 and len(run) >= 16 else ():
        bits = "".join("0" if sign == nought else "1" for sign in run if sign in signs)
        octets = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - len(bits) % 8, 8))
        if words := _readable(octets.decode("utf-8", "replace")):
            return words
    return ""


def _byte(sign: str) -> int:
    """What a variation selector stands for where text is hidden in a row of them, 0 to 255; -1 for
    other signs."""
    code = ord(sign)
    return (
        code - 0xFE00
        if 0xFE00 <= code <= 0xFE0F
        else code - 0xE0100 + 16
        if 0xE0100 <= code <= 0xE01EF
        else -1
    )


def _readable(words: str) -> str:
    return words if words and all(sign.isprintable() and sign != "\ufffd" for sign in words) else ""


def names_of(run: str) -> str:
    """The names of signs, each once with its number: ``zero-width space × 3``."""
    counted: Counter[str] = Counter()
    for sign, n in Counter(run).items():
        counted[name_of(sign)] += n
    named = [f"{name} × {n:,}" if n > 1 else name for name, n in counted.most_common(MOST_NAMES)]
    return ", ".join(named) + (" and others" if len(counted) > MOST_NAMES else "")


def name_of(sign: str) -> str:
    """What a sign that nobody sees is called."""
    if sign in NAMES:
        return NAMES[sign]
    if _byte(sign) >= 0:
        return "variation selector"
    if "\U000e0000" <= sign <= "\U000e007f":
        return "tag character"
    name = unicodedata.name(sign, "")
    return name.lower() if name else f"U+{ord(sign):04X}"
