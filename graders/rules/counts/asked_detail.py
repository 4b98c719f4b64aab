"""How much detail a question asks for, as far as its words tell."""

from __future__ import annotations

import re
from typing import Literal

from graders.core.records import Question

Detail = Literal["short", "detailed"]
DETAILS: tuple[Detail, ...] = ("short", "detailed")
#: What files write for the two, besides the names themselves.
_STATED: dict[str, Detail] = {
    **dict.fromkeys(
        ("detailed", "detail", "in detail", "long", "verbose", "high", "yes", "true", "1"),
        "detailed",
    ),
    **dict.fromkeys(
        (
            "подробно",
            "подробный",
            "подробная",
            "длинный",
            "да",
            "详细",
            "詳細",
            "长",
            "長",
            "是",
            "詳しい",
            "詳しく",
        ),
        "detailed",
    ),
    **dict.fromkeys(("short", "brief", "concise", "low", "no", "false", "0"), "short"),
    **dict.fromkeys(("кратко", "краткий", "краткая", "короткий", "нет"), "short"),
    **dict.fromkeys(("简短", "簡短", "短", "否", "短い", "簡潔"), "short"),
}
#: A part of a question that is quoted or pasted says nothing about what is asked for.
_QUOTED = re.compile(
    (
        r"```.*?```|`[^`\n]*`|\"[^\"\n]{1,2000}\"|“[^”]{1,2000}”|«[^»]{1,2000}»|"
        r"「[^」]{1,2000}」|『[^』]{1,2000}』|„[^“”]{1,2000}[“”]"
    ),
    re.S,
)
#: At the beginning and the end of a long question stands what is asked for; what lies between is a
#: document.
_EDGE = 600
_NOT = re.compile(
    r"\b(?:not|no|without|don'?t|needn'?t|isn'?t)\b[^.!?;]{0,24}\b(?:detail(?:s|ed)?|in[- "
    r"]depth|elaborate|essay|long)\b|"
    r"\b(?:не|без)\s+(?:\w+\s+){0,2}(?:подробн|детал|разв[её]рн|длинн)\w*|"
    r"(?:不用|不需要|不必|无需|無需|不要|别|別)[^。！？]{0,6}(?:详细|詳細|深入|太长|太長|"
    r"长篇|長篇)|"
    r"(?:詳し|詳細|くわし|長)[^。！？]{0,6}(?:なくて|不要|いらな|必要はな|必要な[くし])",
    re.I,
)
_DETAILED = re.compile(
    r"\bin (?:\w+ )?details?\b|\bdetailed\b|\bin[- "
    r"]depth\b|\bthorough(?:ly)?\b|\bcomprehensive(?:ly)?\b|\bexhaustive(?:ly)?\b|"
    r"\belaborate\b|"
    r"\bat (?:great )?length\b|\bstep[- ]by[- ]step\b|\bessay\b|\blong "
    r"(?:answer|text|article|story|explanation|letter|poem)\b|"
    r"\bподробн|\bдетальн|\bразв[её]рнут|\bпошагов|\bшаг за "
    r"шагом\b|\bобстоятельн|\bисчерпывающ|\bвсесторонн|\bсочинение\b|\bэссе\b|"
    r"详细|詳細|详尽|詳盡|深入|全面|逐步|一步一步|一步步|长文|長文|论文|論文|作文|"
    r"詳し[くい]|くわしく|徹底的|手順を追って|順を追って|順序立てて|レポート",
    re.I,
)
_THINGS = (
    "answers?|repl(?:y|ies)|texts?|notes?|e-?mails?|messages?|letters?|poems?|stor(?:y|ies)|"
    "summar(?:y|ies)|explanations?|descriptions?|"
    "overviews?|paragraphs?|versions?|introductions?|speech(?:es)?|toasts?|lists?|reviews?|"
    "sentences?|captions?|slogans?|dialogues?"
)
_SHORT = re.compile(
    rf"\bbrief(?:ly)?\b|\bshort,? (?:\w+,? ){{0,2}}(?:{_THINGS})\b|\b(?:keep|make) it "
    r"short\b|\bin short\b|\bconcise(?:ly)?\b|"
    r"\bsuccinct(?:ly)?\b|"
    r"\bin (?:one|two|three|a few|a couple of|\d) (?:short |simple "
    r")?(?:sentences?|words?|lines?)\b|\bin a nutshell\b|\btl;?dr\b|"
    r"\bone[- ](?:liner|sentence)\b|\bsummari[sz]e\b|"
    r"\bкратк|\bкоротк|\bкороче\b|\bвкратце\b|\bсжато\b|\bлаконичн|\b(?:в|одним|двумя|тремя) "
    r"(?:\w+ )?(?:слов\w*|предложени\w*|фраз\w*)|"
    r"简短|簡短|简要|簡要|简洁|簡潔|简明|簡明|简单(?:地)?(?:说|介绍|说明|解释|回答|讲|描述)|"
    r"簡單(?:地)?(?:說|介紹|說明|解釋|回答)|[一两兩二三几幾]句(?:话|話)|概括|"
    r"簡単に|手短|短[いくめ]|一言|ひとこと|[一二三]文で|[一二三1-3]行で|要約",
    re.I,
)
#: A length that is given: number and unit.
_LENGTH = re.compile(
    r"(\d[\d,. ]{0,6}\d|\d)\s*[-–]?\s*(words?|слов\w*|characters?|знак\w*|символ\w*|字|文字)", re.I
)
#: From how many words, or characters, a length that is given asks for detail.
_WORDS, _CHARACTERS = 200, 1_100
#: A word in Chinese or Japanese is about one and a half characters, so that 字 counts in between.
_HAN = 600


def stated(detail: str) -> Detail | None:
    """What a file's column says: ``short``, ``detailed``, or nothing that is known."""
    return _STATED.get(" ".join(detail.split()).casefold())


def asked_detail(text: str) -> Detail | None:
    """What the words of a question say in English, Russian, Chinese or Japanese; None where they
    say nothing, or both.

    Known misses: politeness ("tell me everything about..."), irony, and detail that only a later
    sentence takes back.
    """
    words = _QUOTED.sub(" ", text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]}\n{text[-_EDGE:]}")
    found: set[Detail] = {"short"} if _NOT.search(words) else set()
    words = _NOT.sub(" ", words)
    if _DETAILED.search(words):
        found.add("detailed")
    if _SHORT.search(words):
        found.add("short")
    for number, unit in _LENGTH.findall(words):
        few = (
            _HAN
            if unit in ("字", "文字")
            else _WORDS
            if unit[:4].casefold() in ("word", "слов")
            else _CHARACTERS
        )
        found.add("detailed" if int(re.sub(r"\D", "", number)) > few else "short")
    return found.pop() if len(found) == 1 else None


def detail_of(question: Question) -> tuple[Detail, str]:
    """The detail that counts for a question, and whose word it is: ``stated`` (beside the
    question), ``rule``, or "" (nobody's: short)."""
    if said := stated(question.detail):
        return said, "stated"
    if told := asked_detail(question.text):
        return told, "rule"
    return "short", ""


def undecided(question: Question) -> bool:
    """Whether neither column nor words say how much detail a question asks for."""
    return detail_of(question)[1] == ""
