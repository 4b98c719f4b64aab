"""Guess the encoding and the separator of a text file.

Encodings are told apart by decoding and then asking whether the text looks like a language: letters
that are frequent in it, in the case and company in which they usually stand. Known are UTF-8,
UTF-16, windows-1251, KOI8-R, GB18030, Shift-JIS, EUC-JP and windows-1252; other ones can be chosen
by hand.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections import Counter
from typing import NamedTuple

from graders.importers.tables.words import role_of

#: What stands for bytes that cannot be decoded: half of a surrogate pair, which no correct text
#: holds.
BROKEN = "\udc80"
ERRORS = "graders-importers-broken"
ENCODINGS = (
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "cp1251",
    "koi8-r",
    "gb18030",
    "shift_jis",
    "euc_jp",
    "cp1252",
)
#: What is guessed where a text has no byte order mark and is not UTF-8 or UTF-16.
_OF_ONE_LANGUAGE = ENCODINGS[5:]
#: Those that are not guessed, but can be chosen.
BY_HAND = ("big5", "euc_kr")
SEPARATORS = (",", ";", "\t", "|")


def _mark(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return BROKEN, error.end


codecs.register_error(ERRORS, _mark)


class Guess(NamedTuple):
    """An encoding and how well the text fits it: about 1 for a sure one, below 0 for nonsense."""

    encoding: str
    score: float


_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FREQUENT_CYRILLIC = frozenset("оеаинтсрвлкмдпу")
_FREQUENT_HAN = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面"
    "起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文"
    "体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打"
    "女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权"
    "思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运答案模型类别语言请解释列出描述写"
)
_MARKS_OF_TEXT = frozenset("。、，「」『』（）：；？！・…—“”‘’《》【】〜～％￥№«»–•　")


def guess_encoding(head: bytes, *, whole: bool = True) -> Guess:
    """The encoding that fits `head` best. `whole` says that nothing follows (else a cut last
    character is forgiven)."""
    for bom, name in _BOMS:
        if head.startswith(bom):
            return Guess(name, 1.0)
    wide = _wide(head)
    if wide:
        return Guess(wide, 0.9)
    if head.isascii():
        return Guess("utf-8", 1.0)
    utf8 = _utf8_share(head, whole)
    if utf8 >= 0.75:
        return Guess("utf-8", utf8)
    candidates = [Guess(name, score(_decode(head, name, whole), name)) for name in _OF_ONE_LANGUAGE]
    best = max(candidates, key=lambda guess: guess.score)
    return best if best.score > 0.05 or utf8 < 0.3 else Guess("utf-8", utf8)


def _decode(head: bytes, encoding: str, whole: bool) -> str:
    return codecs.getincrementaldecoder(encoding)(ERRORS).decode(head, whole)


def _utf8_share(head: bytes, whole: bool) -> float:
    """The share of bytes above 127 that belong to correct UTF-8 sequences."""
    text = _decode(head, "utf-8", whole)
    broken = text.count(BROKEN)
    good = sum(len(char.encode()) for char in text if char > "\x7f" and char != BROKEN)
    return good / (good + broken) if good + broken else 0.0


def _wide(head: bytes) -> str:
    """``utf-16-le`` or ``utf-16-be`` where every other byte is often zero or of few kinds, as in
    UTF-16 without BOM."""
    if len(head) < 4:
        return ""
    if _readable(head):
        return ""
    even, odd = head[0::2], head[1::2]
    # separators, quotes and line ends are ASCII, so also Chinese text holds zeros in its upper
    # bytes and none in its lower ones
    zeros = (even.count(0) / len(even), odd.count(0) / len(odd))
    for encoding, upper, lower in (
        ("utf-16-le", zeros[1], zeros[0]),
        ("utf-16-be", zeros[0], zeros[1]),
    ):
        if upper >= 0.02 and upper > 8 * lower:
            text = head[: len(head) // 2 * 2].decode(encoding, ERRORS)
            plain = sum(char < "\x80" for char in text)
            if (plain + score(text, encoding) * (len(text) - plain)) / len(text) > 0.3:
                return encoding
    return ""


def _readable(head: bytes) -> bool:
    """Whether `head` without a few stray NULs is UTF-8 with hardly any control characters (Cyrillic
    in UTF-16 is full of them)."""
    text = head.replace(b"\0", b"")
    controls = sum(
        text.count(bytes([code])) for code in range(1, 32) if code not in (9, 10, 12, 13)
    )
    return (
        len(head) - len(text) < 0.2 * len(head)
        and controls <= 0.01 * len(head)
        and BROKEN not in _decode(text, "utf-8", False)
    )


def score(text: str, encoding: str) -> float:
    """How much `text` looks like writing of a language, if it was decoded as `encoding`: at most
    about 1.

    Every character outside ASCII gives or takes: frequent letters and punctuation give, rare signs
    and changes of case inside a word take, what could not be decoded takes most.
    """
    counts = Counter(char for char in text if char > "\x7f")
    total = sum(counts.values())
    if not total:
        return 0.0
    points = sum(_worth(char, encoding) * count for char, count in counts.items())
    points -= 0.7 * len(_ODD_CASE.findall(text))
    if encoding == "cp1252":
        # accents stand among plain letters; a word of accented letters only is another alphabet
        # misread
        points -= 1.0 * sum(len(run) for run in _ACCENTS.findall(text))
    return points / total


_ODD_CASE = re.compile(r"[а-яё][А-ЯЁ]|[A-Za-z][А-Яа-яЁё]|[А-Яа-яЁё][A-Za-z]")
_ACCENTS = re.compile(r"[\u00c0-\u00ff]{3,}")


def _worth(char: str, encoding: str) -> float:
    if char == BROKEN:
        return -3.0
    if char in _MARKS_OF_TEXT:
        return 0.6
    code = ord(char)
    if 0x0410 <= code <= 0x044F or char in "ёЁ":
        lower = char.lower()
        return (
            1.0 if lower in _FREQUENT_CYRILLIC and char == lower else 0.55 if char == lower else 0.3
        )
    if 0x3041 <= code <= 0x3096 or 0x30A1 <= code <= 0x30FC:
        # GB18030 has kana as well, but Japanese texts in it are rare
        return 1.0 if encoding != "gb18030" else 0.5
    if 0xFF61 <= code <= 0xFF9F:
        return -0.5
    if 0x4E00 <= code <= 0x9FFF:
        return _worth_han(char, encoding)
    if 0xFF01 <= code <= 0xFF5E or 0x2000 <= code <= 0x2122:
        return 0.3
    if encoding in ("cp1252", "utf-16-le", "utf-16-be"):
        return 0.5 if unicodedata.category(char) in ("Ll", "Lu", "Lo") else -0.2
    return -1.0


def _worth_han(char: str, encoding: str) -> float:
    if char in _FREQUENT_HAN:
        return 1.0
    # the first half of each double-byte set holds the common characters, the second half the rare
    # ones
    if encoding == "gb18030":
        raw = char.encode("gb18030")
        return 0.5 if len(raw) == 2 and 0xB0 <= raw[0] <= 0xD7 and raw[1] >= 0xA1 else -0.7
    if encoding == "shift_jis":
        raw = char.encode("shift_jis", "replace")
        return 0.5 if len(raw) == 2 and 0x88 <= raw[0] <= 0x97 else -0.7
    if encoding == "euc_jp":
        raw = char.encode("euc_jp", "replace")
        return 0.5 if len(raw) == 2 and 0xB0 <= raw[0] <= 0xCF else -0.7
    return 0.4


def guess_separator(text: str, *, suffix: str = "", whole: bool = True) -> str:
    """The sign that cuts `text` into rows of the same width most steadily; ``""`` if none gives two
    columns."""
    best, best_points = "", 0.0
    for separator in SEPARATORS:
        rows = [row for row in _cut(text, separator, whole) if any(cell.strip() for cell in row)]
        if not rows:
            continue
        widths = Counter(len(row) for row in rows if len(row) > 1)
        if not widths:
            continue
        width, often = widths.most_common(1)[0]
        known = max(sum(role_of(cell) is not None for cell in row) for row in rows[:5])
        points = often / len(rows) + 0.25 * min(known, 4) + 0.02 * min(width, 10)
        points += 0.3 if suffix == ".tsv" and separator == "\t" else 0.0
        if points > best_points:
            best, best_points = separator, points
    return best


def _cut(text: str, separator: str, whole: bool) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            rows.append(row)
            if len(rows) >= 200:
                return rows
    except csv.Error:
        return rows
    return rows if whole or len(rows) < 2 else rows[:-1]
