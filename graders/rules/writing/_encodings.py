"""Texts whose bytes were read in another encoding than they were written in."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import NamedTuple


class Garbled(NamedTuple):
    """A span of broken characters, and what it says when its bytes are read as they were meant."""

    start: int
    end: int
    meant: str


_GOOD = re.compile(r"[Ѐ-ӿ一-鿿㐀-䶿ぁ-ヿ가-힣　-〿！-～‐-›€-₿←-↓ -ÿŒœ]")
_EAST = re.compile(r"[㐀-鿿ｦ-ﾟぁ-ヿ\u3001-\u303f！-～…・°′″×÷○●◎△▲]{4,400}")
_EAST_GOOD = re.compile(r"[一-鿿ぁ-ヿ、。，！？：А-яё]")
_REPLACED = re.compile(r"[锟斤拷]{3,400}|(?:烫烫|屯屯){2,200}")
#: What bytes above 127 become in Western encodings; French or German use a few of these, but never
#: mostly.
_WESTERN = re.compile(r"[\x80-\x9f‚ƒ„†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ¡-ÿ]")
_WESTERN_LETTER = re.compile(r"[À-ÿ]")
_CAPITALS = re.compile(r"[А-Яа-яЁё][^\n]{0,2000}")
_FREQUENT = frozenset("оеаинтс")


def garbled(text: str) -> list[Garbled]:
    """The broken spans of `text`: UTF-8 read as a Western, Cyrillic, Chinese or Japanese encoding,
    or Cyrillic read as another one."""
    found = _joined(sorted([*_single_bytes(text), *_east(text), *_cyrillic(text)]))
    return _joined(sorted([*found, *_western(text, found)]))


@cache
def _bytes_of(encoding: str) -> dict[str, int]:
    """Character -> byte; bytes that the encoding leaves open stand for themselves, as in
    browsers."""
    table: dict[str, int] = {}
    for byte in range(0x80, 0x100):
        table[chr(byte)] = byte
    for byte in range(0x80, 0x100):
        char = bytes([byte]).decode(encoding, "ignore")
        if char:
            table[char] = byte
    return table


@cache
def _runs(encoding: str) -> re.Pattern[str]:
    """Runs of characters whose bytes have the form of UTF-8 beyond ASCII."""
    table = _bytes_of(encoding)

    def among(low: int, high: int) -> str:
        return (
            "["
            + "".join(re.escape(char) for char, byte in table.items() if low <= byte <= high)
            + "]"
        )

    follow = among(0x80, 0xBF)
    # In the encoding of DOS the bytes of three- and four-byte characters are usual Russian letters.
    longer = (
        ""
        if encoding == "cp866"
        else f"|{among(0xE0, 0xEF)}{follow}{follow}|{among(0xF0, 0xF4)}{follow}{{3}}"
    )
    return re.compile(f"(?:{among(0xC2, 0xDF)}{follow}{longer})+")


def _single_bytes(text: str) -> list[Garbled]:
    found = []
    for encoding in ("cp1252", "cp1251", "cp866"):
        table = _bytes_of(encoding)
        for match in _runs(encoding).finditer(text):
            try:
                meant = bytes(table[char] for char in match.group()).decode("utf-8")
            except UnicodeDecodeError:
                continue
            # Two Russian letters in a row may form one character by chance, and so may a sign after
            # an accented letter.
            enough = len(meant) >= 2 or (encoding == "cp1252" and match.group()[0] in "âÂÃ")
            if enough and len(_GOOD.findall(meant)) >= 0.8 * len(meant):
                found.append(Garbled(match.start(), match.end(), meant))
    return found


def _east(text: str) -> list[Garbled]:
    found = [Garbled(match.start(), match.end(), "") for match in _REPLACED.finditer(text)]
    for match in _EAST.finditer(text):
        for encoding in ("gb18030", "cp932"):
            data = match.group().encode(encoding, "ignore")
            meant = data.decode("utf-8", "ignore")
            good = sum(len(char.encode()) for char in _EAST_GOOD.findall(meant))
            # Two Chinese characters may be bytes of one other by chance; nearly all of them never.
            whole = len(meant.encode()) >= 0.8 * len(data)
            if len(meant) >= 4 and whole and good >= 0.6 * max(len(data), len(match.group())):
                found.append(Garbled(match.start(), match.end(), meant))
                break
    return found


def _western(text: str, known: list[Garbled]) -> list[Garbled]:
    """Lines that are mostly Western signs, and not `known` to be broken: a Cyrillic or Eastern
    encoding that was read as one."""
    found = []
    starts = [one.start for one in known]
    for match in re.finditer(r"[^\n]+", text):
        inside = known[bisect_left(starts, match.start()) : bisect_left(starts, match.end())]
        if sum(one.end - one.start for one in inside) > 0.2 * len(match.group()):
            continue
        line = match.group()[:2000]
        signs = len(_WESTERN.findall(line))
        letters = sum(map(str.isalpha, line))
        if signs >= 6 and (
            signs >= 0.4 * len("".join(line.split()))
            or len(_WESTERN_LETTER.findall(line)) >= 0.6 * letters > 6
        ):
            found.append(Garbled(match.start(), match.start() + len(line), ""))
    return found


def _cyrillic(text: str) -> list[Garbled]:
    """Lines of capitals that turn into usual Russian letters when KOI8-R is read as KOI8-R and not
    as Windows-1251."""
    found = []
    for match in _CAPITALS.finditer(text):
        letters = [char for char in match.group() if "А" <= char <= "я"]
        if len(letters) < 10 or sum(map(str.isupper, letters)) < 0.7 * len(letters):
            continue
        meant = "".join(letters).encode("cp1251").decode("koi8-r", "ignore")
        before, after = (
            sum(char in _FREQUENT for char in word.lower()) / len(letters)
            for word in ("".join(letters), meant)
        )
        if after >= 0.35 and after - before >= 0.12:
            found.append(
                Garbled(
                    match.start(),
                    match.end(),
                    match.group().encode("cp1251", "ignore").decode("koi8-r", "ignore"),
                )
            )
    return found


def _joined(found: list[Garbled]) -> list[Garbled]:
    """Overlapping spans as one."""
    out: list[Garbled] = []
    for one in found:
        if out and one.start <= out[-1].end:
            out[-1] = Garbled(out[-1].start, max(one.end, out[-1].end), out[-1].meant or one.meant)
        else:
            out.append(one)
    return out
