"""In which language an answer and what it is compared with are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from graders.core.language import little_words
from graders.core.records import Subject
from graders.core.text import language_of, scripts

#: Languages written without spaces: compared character by character, Latin words and numbers whole.
UNSPACED = frozenset(("zh", "ja", "th", "lo", "km"))

_UNSPACED_SCRIPTS = {
    "Hiragana": "ja",
    "Katakana": "ja",
    "Han": "zh",
    "Thai": "th",
    "Lao": "lo",
    "Khmer": "km",
}
_CYRILLIC = frozenset(("ru", "uk", "be", "bg", "sr", "mk", "kk"))
_OTHER = {
    "ko": "Hangul",
    "el": "Greek",
    "he": "Hebrew",
    "ar": "Arabic",
    "fa": "Arabic",
    "ur": "Arabic",
    "hi": "Devanagari",
}
_OTHER |= {"ka": "Georgian", "hy": "Armenian", "bn": "Bengali", "ta": "Tamil"}

#: What is read of a text to tell its script or language.
_SAMPLE = 1_000
#: Fewer letters are a name or a term that stands in a text of any script.
_TELLING_SCRIPT = 20
#: The fewest letters that tell one Latin language from another.
_TELLING_LANGUAGE = 40


def base(language: str) -> str:
    """``zh`` of ``zh-TW`` or ``zh_Hant``."""
    return language.replace("_", "-").split("-")[0].casefold()


def pair_language(marked: str, references: Sequence[str]) -> str:
    """The language by whose rules a pair of texts is cut: `marked`, unless the references are in
    another script.

    "Translate into Chinese" is a question in English whose references need Chinese rules. A short
    Latin reference ("AI", "42") says nothing about that.
    """
    sample = " ".join(references)[:_SAMPLE]
    if sample.isascii() and script_of(marked) == "Latin":
        return marked
    shares = scripts(sample)
    unspaced = {script: share for script, share in shares.items() if script in _UNSPACED_SCRIPTS}
    if sum(unspaced.values()) > 0.3:
        if base(marked) in UNSPACED:
            return marked
        return (
            "ja"
            if {"Hiragana", "Katakana"} & set(unspaced)
            else _UNSPACED_SCRIPTS[next(iter(unspaced))]
        )
    main = next(iter(shares), "")
    short = main == "Latin" and sum(map(str.isalpha, sample)) < _TELLING_SCRIPT
    return marked if not main or short or main == script_of(marked) else language_of(sample)


def script_of(language: str) -> str:
    """The script in which a language is written, or ``""`` for those that mix several."""
    name = base(language)
    return (
        "" if name in UNSPACED else "Cyrillic" if name in _CYRILLIC else _OTHER.get(name, "Latin")
    )


def subject_language(subject: Subject) -> str:
    """Language of a pair of texts: the question's own mark, else the answer's language, else that
    of the question's text."""
    return (
        subject.question.language
        or language_of(subject.answer.text)
        or language_of(subject.question.text)
    )


def compared_language(subject: Subject, references: Sequence[str]) -> str:
    """The language that a model must read to compare an answer with `references`.

    "Translate into Chinese" is a question in English whose texts are not: what they show counts
    more than the question's mark. Where they differ it is one that is not English, because models
    of English read nothing else.
    """
    marked = subject_language(subject)
    shown = {
        _shown(text[:_SAMPLE], marked)
        for text in (*references, subject.answer.text)
        if text.strip()
    } - {""}
    others = sorted(language for language in shown if base(language) != "en")
    return marked if marked in others or not shown else [*others, *shown][0]


@lru_cache(maxsize=8192)
def _shown(sample: str, marked: str) -> str:
    """The language that `sample` shows, `marked` where it shows no other: a name or a number
    belongs to any."""
    words = sample.lower().split() if sample.isascii() else []
    if words and sum(word in little_words(base(marked)) for word in words) >= 0.25 * len(words):
        return marked
    other = pair_language(marked, [sample])
    if other != marked or script_of(marked) != "Latin":
        return other or marked
    told = language_of(sample) if sum(map(str.isalpha, sample)) >= _TELLING_LANGUAGE else ""
    return told if told and told != base(marked) else marked
