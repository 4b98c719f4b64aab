"""Texts as people see them: folding, quotes, characters, words, names; `scripts`, `language_of` and
`sentences` come along."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from graders.core.language import language_of, scripts
from graders.core.sentences import sentences

__all__ = [
    "BYTES_PER_TOKEN",
    "MASK",
    "Folded",
    "bytes_of",
    "characters",
    "find_quote",
    "fold",
    "folded",
    "language_of",
    "mask_names",
    "scripts",
    "sentences",
    "words",
]

#: About: four letters of English, two of Russian, a little more than one character of Chinese.
BYTES_PER_TOKEN = 4
#: What stands in the place of a model's name after `mask_names`.
MASK = "[model]"

_MARKS = "".join(
    re.escape(chr(c)) for c in range(0x300, 0x2000) if unicodedata.category(chr(c))[0] == "M"
)
_WORD = re.compile(rf"[^\W_][\w{_MARKS}]*(?:['’\-][^\W_][\w{_MARKS}]*)*")
_BY_CHARACTER = (
    r"㐀-䶿一-鿿豈-﫿々〇ぁ-ゟァ-ヺー"
    r"\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e4e\u0e80-\u0eff\u1780-\u17d3"
)
_CHARACTER = re.compile(rf"[{_BY_CHARACTER}]|[^\W_{_BY_CHARACTER}]+")
_BY_CHARACTER_LANGUAGES = ("zh", "ja", "th", "lo", "km")

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060\ufeff\u00ad"))
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»「」『』〝〞", '"'),
        **dict.fromkeys("‘’‚‛ʼ′", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
# A base character with what NFKC may join to it; Hangul jamo join without being combining marks.
_CLUSTER = re.compile(
    rf"\r\n|[\u1100-\u115f][\u1160-\u11a7]*[\u11a8-\u11ff]*|.[{_MARKS}\uff9e\uff9f\u3099\u309a]*",
    re.DOTALL,
)


def bytes_of(texts: Iterable[str]) -> int:
    """Bytes of texts in UTF-8, by which their tokens are estimated: characters would make Chinese
    look three times too cheap."""
    return sum(len(text.encode("utf-8", "replace")) for text in texts)


def fold(text: str, *, case: bool = False) -> str:
    """`text` after NFKC, without invisible characters, every run of white space one space, ends
    stripped.

    With `case` it is also case folded.
    """
    folded = " ".join(unicodedata.normalize("NFKC", text).translate(_INVISIBLE).split())
    return folded.casefold() if case else folded


def characters(text: str) -> int:
    """The number of characters that a person sees (extended grapheme clusters): an emoji family
    counts one."""
    if text.isascii():
        return len(text) - text.count("\r\n")
    import regex  # type: ignore[import-untyped]  # the standard library knows no grapheme clusters

    return sum(1 for _ in regex.finditer(r"\X", text))


class Folded(NamedTuple):
    """A folded text whose characters remember where they came from: `starts[i]`, `ends[i]` are
    offsets of `text[i]`."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the original text of the non-empty span `start`..`end` of the folded one."""
        return self.starts[start], self.ends[end - 1]


@lru_cache(maxsize=16)
def folded(text: str) -> Folded:
    """`fold` with typographic quotes and dashes made plain and with the way back to the original
    offsets."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in [*_changing(text).finditer(text), None]:
        upto = match.start() if match else len(text)
        out.append(text[done:upto])
        starts.extend(range(done, upto))
        ends.extend(range(done + 1, upto + 1))
        if match is None:
            break
        done = match.end()
        clusters = [match] if match.group()[0].isspace() else _CLUSTER.finditer(text, upto, done)
        for cluster in clusters:
            plain = (
                " "
                if cluster is match
                else unicodedata.normalize("NFKC", cluster.group()).translate(_INVISIBLE)
            )
            out.append(plain)
            starts.extend([cluster.start()] * len(plain))
            ends.extend([cluster.end()] * len(plain))
    plain = re.sub(r"\s", " ", "".join(out)).translate(_TYPOGRAPHY)
    return Folded(plain, starts, ends)


def _changing(text: str) -> re.Pattern[str]:
    """A pattern for the places of `text` that fold to something of another length or form."""
    odd = _INVISIBLE.keys() & set(map(ord, set(text)))
    unseen = "".join(map(chr, sorted(odd)))
    if not unicodedata.is_normalized("NFKC", text):
        changed = (
            c
            for c in set(text)
            if not unicodedata.is_normalized("NFKC", c) or unicodedata.category(c)[0] == "M"
        )
        odd |= {*map(ord, changed), *range(0x1100, 0x1200)}
    signs = "".join(re.escape(chr(code)) for code in sorted(odd) if not chr(code).isspace())
    return re.compile(rf"\s[\s{unseen}]+|[^\s{signs}]?[{signs}]+" if signs else r"\s{2,}")


def _bare(quote: str) -> str:
    """`quote` without quotation marks, dashes, brackets and ellipses at its ends."""
    while True:
        cut = quote.strip(" \"'-[]")
        cut = cut.lstrip(".") if cut.startswith("..") else cut
        cut = cut.rstrip(".") if cut.endswith("..") else cut
        if cut == quote:
            return cut
        quote = cut


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Where `quote` stands in `text`, as offsets into `text`, or None.

    Both are compared after NFKC and white-space folding, with typographic quotes and dashes made
    plain. Quotation marks, dashes, brackets and ellipses at the quote's ends are tolerated, words
    are not.
    """
    if not quote.strip():
        return None
    start = text.find(quote)
    if start >= 0:
        return start, start + len(quote)
    hay = folded(text)
    needle = fold(quote.translate(_TYPOGRAPHY)).translate(_TYPOGRAPHY)
    for wanted in (needle, _bare(needle)):
        start = hay.text.find(wanted) if wanted else -1
        if start >= 0:
            return hay.original(start, start + len(wanted))
    return None


def words(text: str, language: str = "") -> list[str]:
    """The words of `text` as written, punctuation left out.

    Characters for Chinese, Japanese, Thai, Lao and Khmer, in which Latin words and numbers stay
    whole. Without a `language` the script decides.
    """
    normal = unicodedata.normalize("NFKC", text)
    if not language:
        shares = scripts(normal[:2000])
        mixed = sum(
            shares.get(script, 0.0)
            for script in ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer")
        )
        language = "zh" if mixed > 0.3 else ""
    pattern = _CHARACTER if language[:2].lower() in _BY_CHARACTER_LANGUAGES else _WORD
    return pattern.findall(normal)


def mask_names(text: str, names: Iterable[str]) -> str:
    """`text` with every model name replaced by MASK: any case, any of space, hyphen or nothing
    between its parts.

    The last part of a name with slashes counts too. Names of one character stay: they are words as
    well.
    """
    pattern = _names_pattern(tuple(names))
    return pattern.sub(MASK, text) if pattern else text


@lru_cache(maxsize=16)
def _names_pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    known = {
        part
        for name in names
        for part in (name.strip(), name.strip().rsplit("/", 1)[-1])
        if len(part) > 1
    }
    if not known:
        return None
    # Longest first. Neighbours that ask for the same borders share them: a border of its own for
    # each of a thousand names would take seconds to compile.
    runs = groupby(sorted(known, key=lambda n: (-len(n), n)), _borders)
    return re.compile(
        "|".join(
            f"{before}(?:{'|'.join(map(_spelled, run))}){after}" for (before, after), run in runs
        ),
        re.I,
    )


def _borders(name: str) -> tuple[str, str]:
    """What must not stand before and after a name: another letter, where the name itself begins or
    ends with one."""
    # Chinese, Japanese and Korean write a Latin name without a space beside it, so only other
    # letters are borders.
    beside = r"[^\W㐀-鿿ぁ-ヿ가-힣]"
    first, last = re.match(beside, name), re.match(beside, name[-1])
    return (f"(?<!{beside})" if first else "", f"(?!{beside})" if last else "")


def _spelled(name: str) -> str:
    """A name with any of space, hyphen or nothing between its parts."""
    return r"[\s_\-‐‑–]{0,3}".join(re.escape(part) for part in re.split(r"[\s_\-]+", name) if part)
