"""Passages of an answer that are in a language which the question neither uses nor names, and what
explains them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graders.core.text import language_of, sentences
from graders.rules.languages.asked_language import Allowed
from graders.rules.languages.segments import (
    LATIN_LANGUAGES,
    REFERENCE,
    chinese_signs,
    is_list_of_names,
    language_in,
)
from graders.rules.writing.prose import without_code, without_quotes

#: Characters that are read, and lines whose language is looked up.
_MOST, _MOST_LINES, _WIDEST = 60_000, 400, 3_000

_CYRILLIC = re.compile(r"[Ѐ-ӿ]+(?:[ ,.;:!?—–-]{1,3}[Ѐ-ӿ]+){2,200}[.!?]?")
_EAST = re.compile(r"[㐀-鿿ぁ-ヿ々ー、，。！？：；…]{8,1000}")
_OTHER = re.compile(
    r"(?:[가-힣]+[ ,.!?]{0,2}){3,200}|(?:[\u0590-\u06ff]+[ "
    r",.!?]{0,2}){3,200}|[\u0900-\u0eff][\u0900-\u0eff ]{11,400}|"
    r"(?:[Ͱ-Ͽ]+[ ,.!?]{0,2}){4,200}"
)
_LATIN = re.compile(
    r"[A-Za-zÀ-ɏḀ-ỿ][A-Za-zÀ-ɏḀ-ỿ'’-]*"
    r"(?:[ ,.;:!?]{1,3}[A-Za-zÀ-ɏḀ-ỿ][A-Za-zÀ-ɏḀ-ỿ'’-]*){4,200}[.!?]?"
)
#: A title in another script.
_EMPHASISED = re.compile(r"(?<![*_])([*_]{1,2})(?! )[^*_\n]{1,60}\1(?![*_])")
_NOT_RUSSIAN = re.compile(r"[їєґіўђћџјљњќѓѕәқғұң]", re.I)
_KANA = re.compile(r"[ぁ-ヿ]")
_SIGN_BEFORE = re.compile(r"(?:[:：(（\[]|\s[—–=-]|[—–=])[\s\"'“«*_]*$")
#: Longer runs of Latin prose are sentences, tried in the languages that are met most often.
_LONG_RUN, _OFTEN = 40, ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr")
_LABEL = re.compile(r"\W*\*\*[^*\n]{1,24}(?:\*\*\s*[:：]|[:：]\s*\*\*)\s*")
_SIGN_AFTER = re.compile(
    r"[\s\"'”»*_]*(?:[(（=]|[—–-]\s|——|[\"”»」]\s*[(（]|"
    r"[,，、]?\s*(?:意思|意为|即|也就是|つまり|という|の意味|то есть|т\. ?е\.|i\.e\.|that is|which "
    r"means|meaning)|[,，]\s*the\b)"
)
_EXPLAINED = re.compile(
    r"\bmeans?\b|\bmeaning\b|translat|literally|\bstands for\b|in other "
    r"words|\bmotto\b|значит|означает|перевод|дословно|буквально|"
    r"смысл|расшифров|意思|翻译|译为|译作|意味|訳す|訳し|和訳|直訳|略で",
    re.I,
)
_TRANSLATION_LINE = re.compile(
    r"^\s*[(（\[—–=]|^\W{0,4}(?:translation|meaning|перевод|то есть|翻译|译文|意思|訳|意味)", re.I
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A span in a foreign language."""

    start: int
    end: int
    language: str


def foreign_passages(text: str, allowed: Allowed, question: str) -> list[Passage]:
    """Passages of a sentence or more in a language that `allowed` has not, and that nothing beside
    them translates or introduces."""
    own = allowed.directed or allowed.own
    prose = without_quotes(without_code(text[:_MOST]))
    lines = [
        (match.start(), match.group()[:_WIDEST])
        for match in re.finditer(r"[^\n]+", prose)
        if not match.group().isspace()
    ][:_MOST_LINES]
    found = []
    for number, (start, line) in enumerate(lines):
        if line.lstrip().startswith("|") or REFERENCE.match(line[:600]):
            continue
        for begin, end, language in _in_line(line, own):
            fits = language in (*(allowed.languages or ()), *allowed.near)
            if fits or line[begin:end].strip() in question:
                continue
            # Too short to tell two languages in Latin letters apart.
            if (
                end - begin < 60
                and language in LATIN_LANGUAGES
                and LATIN_LANGUAGES & ((allowed.languages or frozenset()) - {own})
            ):
                continue
            if end - begin < 60 and any(
                one.start() < begin and end <= one.end() for one in _EMPHASISED.finditer(line)
            ):
                continue
            if allowed.dishes and is_list_of_names(line[begin:end], language):
                continue
            before = lines[number - 1][1] if number else ""
            after = lines[number + 1][1] if number + 1 < len(lines) else ""
            if not _explained(line, begin, end, before, after):
                found.append(Passage(start + begin, start + end, language))
    return found


def _in_line(line: str, own: str) -> Iterator[tuple[int, int, str]]:
    """Foreign passages of one line: runs of another script, else sentences in another language of
    the same script."""
    runs = []
    if own not in LATIN_LANGUAGES:
        runs += [(match, "") for match in _LATIN.finditer(line) if _is_prose(match.group())]
    if own not in ("ru", "uk", "bg", "be", "sr", "mk", "kk"):
        runs += [(match, "") for match in _CYRILLIC.finditer(line)]
    if own not in ("zh", "ja"):
        runs += [(match, "") for match in _EAST.finditer(line)]
    runs += [(match, "") for match in _OTHER.finditer(line)]
    for match, _ in runs:
        language = language_of(match.group())
        if not language and own not in LATIN_LANGUAGES and len(match.group()) >= _LONG_RUN:
            # Sentences in Latin letters, whatever their language is called.
            language = language_of(match.group(), _OFTEN) or ""
        if language and language != own:
            yield match.start(), match.end(), language
    if runs:
        return
    at = 0
    for sentence in sentences(line):
        at = line.index(sentence, at)
        if _long_enough(sentence, own):
            language = language_in(sentence, own)
            if language not in ("", own) and _sure(sentence, own, language):
                yield at, at + len(sentence), language
        at += len(sentence)


def _is_prose(run: str) -> bool:
    """Whether most words begin small: titles and rows of names are no passage."""
    words = re.findall(r"[A-Za-zÀ-ɏḀ-ỿ]+", run)
    return len(words) >= 5 and sum(word[0].islower() for word in words) >= 0.6 * len(words)


def _long_enough(sentence: str, own: str) -> bool:
    least = 8 if own in ("zh", "ja") else 25
    return sum(map(str.isalpha, sentence)) >= least


def _sure(sentence: str, own: str, language: str) -> bool:
    """Whether a sentence in a language of the same script is more than names, titles or borrowed
    characters."""
    if language in LATIN_LANGUAGES:
        return _is_prose(sentence)
    if language in ("uk", "be", "sr", "mk", "bg", "kk", "ru") and own in (
        "uk",
        "be",
        "sr",
        "mk",
        "bg",
        "kk",
        "ru",
    ):
        return (
            len(_NOT_RUSSIAN.findall(sentence)) >= 2
            if own == "ru"
            else bool(re.search("[ыэё]", sentence))
        )
    if (own, language) == ("zh", "ja"):
        return len(_KANA.findall(sentence)) >= 0.3 * sum(map(str.isalpha, sentence))
    if (own, language) == ("ja", "zh"):
        return chinese_signs(sentence) >= 2 and not _KANA.search(sentence)
    return True


def _explained(line: str, begin: int, end: int, before: str, after: str) -> bool:
    """Whether a colon, brackets or a dash join the passage to text about it, or a line beside it
    translates it."""
    head, tail = line[:begin], line[end:]
    if _LABEL.fullmatch(head) and not _EXPLAINED.search(head):
        # The label of an item introduces what the item says, in whatever language.
        return False
    if _SIGN_BEFORE.search(head[-8:]) and re.search(r"\w", head):
        return True
    if _SIGN_AFTER.match(tail[:30]) and re.search(r"\w", tail):
        return True
    if _EXPLAINED.search(head[-80:]) or _EXPLAINED.search(tail[:80]):
        return True
    if re.search(r"\w", head[-200:]) is None and (
        before.rstrip().rstrip("*_ ").endswith((":", "：")) or _EXPLAINED.search(before[-80:])
    ):
        return True
    return re.search(r"\w", tail) is None and bool(
        _TRANSLATION_LINE.match(after[:40]) or _EXPLAINED.search(after[:80])
    )
