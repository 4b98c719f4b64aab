"""How the lines of a poem must begin and end: acrostics, "every line ends in"."""

from __future__ import annotations

import re
from dataclasses import dataclass

_QUOTED = r"[\"“«「『‘'](?P<{0}>[^\"”»」』’'\n]{{2,24}})[\"”»」』’']"
_ACROSTIC = re.compile(
    r"acrostic|акростих|藏头|アクロスティック|あいうえお作文|折り?句|頭文字", re.I
)
_WORD = (
    re.compile(
        r"\b(?:acrostic\b[^.?!\n\"“«]{0,60}?\b(?:for|of|on|with|from|spelling|spells|word|"
        r"name)\s+(?:the (?:word|"
        r"name|letters) )?|spell(?:s|ing)? (?:out )?(?:the (?:word|name) )?)(?P<a>[A-Z]{3,14})\b"
    ),
    re.compile(_QUOTED.format("b")),
    re.compile(r"(?i:акростих)\w*[^.?!\n]{0,60}?\b(?P<c>[А-ЯЁ]{3,14})\b"),
    re.compile(r"\b(?P<d>[A-ZА-ЯЁ]{3,14})\b"),
)
_EDGE = re.compile(
    r"\b(?:every|each|all) lines?\b[^.?!\n]{0,30}?\b(?P<en>begin|start|end)s?(?:ning|ing)?\b "
    r"(?:with|in|on) "
    r"(?:the (?:letter|word|sound|syllable) )?[\"“‘']?(?P<en_word>[A-Za-z]{1,14})[\"”’']?|"
    r"кажд\w+ строк\w[^.?!\n]{0,30}?(?P<ru>начин|законч|заканч|оканч)\w+ (?:на |со? |словом |"
    r"словами |букв\w+ |"
    r"слова |слогом )*[«\"“]?(?P<ru_word>[А-Яа-яЁё]{1,14})[»\"”]?|"
    r"每一?[句行][^。？！\n]{0,6}?(?:以|用|都是)[“「\"](?P<zh_word>[^”」\"\n]{1,4})[”」\"]字?(?:"
    r"来|作为?)?"
    r"(?P<zh>开头|起头|开始|结尾|收尾|结束)|"
    r"(?:どの行も|各行|すべての行|全ての行|全行|毎行)[^。？！\n]{0,14}?「(?P<ja_word>[^」\n]{1,6}"
    r")」(?:で|から)"
    r"(?P<ja>始|はじ|終|おわ)",
    re.I,
)
_AT_END = frozenset(("end", "законч", "заканч", "оканч", "结尾", "收尾", "结束", "終", "おわ"))


@dataclass(frozen=True, slots=True)
class Edges:
    """The letters that the lines begin with, one after the other, or what all of them end or begin
    with."""

    heads: tuple[str, ...] = ()
    every: str = ""
    at_end: bool = False

    @property
    def any(self) -> bool:
        return bool(self.heads or self.every)


NONE_ASKED = Edges()


def edges_asked(question: str) -> Edges:
    """What `question` asks of the heads and ends of lines."""
    question = question[:4_000]
    if _ACROSTIC.search(question):
        for pattern in _WORD:
            if match := pattern.search(question):
                word = re.sub(r"[\s，,、]", "", match.group(match.lastgroup or 0))
                if len(word) >= 2 and not re.fullmatch(r"[A-ZА-ЯЁ]*(?:ABAB|AABB)", word):
                    return Edges(heads=tuple(_plain(word)))
        return Edges()
    if match := _EDGE.search(question):
        said = {key: value for key, value in match.groupdict().items() if value}
        where = next(value for key, value in said.items() if not key.endswith("_word"))
        word = next(value for key, value in said.items() if key.endswith("_word"))
        if word.lower() not in (
            "a",
            "an",
            "the",
            "same",
            "different",
            "new",
            "capital",
            "verb",
            "rhyme",
        ):
            return Edges(every=_plain(word), at_end=where.lower() in _AT_END)
    return Edges()


def missed_heads(heads: tuple[str, ...], lines: list[str]) -> str | None:
    """The first line that does not begin as it should, or the last one where there are too few;
    None where all do. Kanji may be read as any kana."""
    begins = [_plain(re.sub(r"^[\W_]+", "", line))[:1] for line in lines]
    for at in range(len(lines) - len(heads) + 1):
        part = begins[at : at + len(heads)]
        if all(one == head or _unread(one, head) for one, head in zip(part, heads, strict=True)):
            return None
    for line, one, head in zip(lines, begins, heads, strict=False):
        if one != head and not _unread(one, head):
            return line
    return lines[-1] if lines else ""


def missed_edge(edges: Edges, lines: list[str]) -> str | None:
    """The first line that does not begin or end as all should; None where all do."""
    for line in lines:
        bare = _plain(re.sub(r"^[\W_]+|[\W_]+$", "", line))
        if not (bare.endswith(edges.every) if edges.at_end else bare.startswith(edges.every)):
            return line
    return None


def _plain(text: str) -> str:
    """Small letters, е for ё, hiragana for katakana."""
    return "".join(
        chr(ord(char) - 0x60) if "ァ" <= char <= "ヶ" else char for char in text.lower()
    ).replace("ё", "е")


def _unread(begin: str, head: str) -> bool:
    return bool(re.match("[㐀-鿿]", begin) and re.match("[ぁ-ゖ]", head))
