"""Seeded fault: foreign sentences stand without the translation that stood beside them."""

from __future__ import annotations

import re
from typing import ClassVar

from graders.core.seeded import Damaged, SeededFault, SeedExample
from graders.core.words import carried

say = carried(
    "translation_removed",
    {
        "taken_out.one": "{n} translation taken out",
        "taken_out.other": "{n} translations taken out",
    },
)

#: Lines with a translation that an answer must have.
LEAST = 2
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_OWN = {
    "ru": re.compile(r"[А-Яа-яЁё]"),
    "zh": re.compile(r"[㐀-鿿]"),
    "ja": re.compile(r"[㐀-鿿ぁ-ヿ]"),
    "en": _LATIN,
}
#: A line that ends in brackets, or with what follows a dash.
_BESIDE = re.compile(
    r"^(?P<said>.*?\S)\s*(?:[(（](?P<in>[^()（）\n]+)[)）]|\s[—–-]\s(?P<after>[^\n—–]+))\s*[.。]?$",
    re.M,
)


class TranslationRemoved(SeededFault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Translations removed"
    about: ClassVar[str] = (
        "Sentences in another script than the reader's lose the translations that stood "
        "beside them."
    )
    languages: ClassVar[tuple[str, ...]] = ("en", "ru", "zh", "ja")
    present: ClassVar = (
        SeedExample(
            "Я учу английский. Дай полезные фразы.",
            "1. How much is it? (Сколько это стоит?)\n2. Where is the station? (Где вокзал?)",
            "ru",
            "1. How much is it?\n2. Where is the station?",
        ),
        SeedExample(
            "I am learning Japanese. Give me useful phrases.",
            "1. いくらですか。 (How much is it?)\n2. 駅はどこですか。 (Where is the station?)",
            "en",
            "1. いくらですか。\n2. 駅はどこですか。",
        ),
    )
    absent: ClassVar = (
        SeedExample(
            "I am learning Spanish.",
            "1. ¿Cuánto cuesta? (How much is it?)\n2. ¿Dónde está? (Where is it?)",
            "en",
        ),
        SeedExample("Что такое HTTP?", "HTTP — это протокол (Hypertext Transfer Protocol).", "ru"),
    )

    def damage(self, question: str, answer: str, language: str, draw: float) -> Damaged | None:
        """All such lines without their translation. In one script code cannot tell a translation
        from a remark."""
        reader = language.partition("-")[0]
        own = _OWN.get(reader)
        if own is None:
            return None
        lines = [found for found in _BESIDE.finditer(answer) if _translated(found, reader)]
        if len(lines) < LEAST:
            return None
        text = answer
        for found in reversed(lines):
            text = text[: found.start()] + found["said"] + text[found.end() :]
        return Damaged(text, say("taken_out", n=len(lines)))


def _translated(found: re.Match[str], reader: str) -> bool:
    """Whether a line is a foreign sentence of several words or signs with its translation in the
    reader's own script."""
    said, beside = found["said"], found["in"] or found["after"] or ""
    own = _OWN[reader]
    if reader == "en":
        foreign = re.search(r"[А-Яа-яЁё㐀-鿿ぁ-ヿ가-힣]{2}", said) is not None
        return foreign and not _LATIN.search(said) and len(_LATIN.findall(beside)) > 5
    return (
        len(_LATIN.findall(said)) > 7
        and " " in said.strip(" .0123456789)-•*")
        and not own.search(said)
        and len(own.findall(beside)) > 3
    )
