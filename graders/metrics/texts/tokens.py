"""How texts are cut into what the overlap metrics compare, and by the rules of which language."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Sequence

from graders.core.text import language_of, scripts, words

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
_ARTICLES = frozenset(("a", "an", "the"))
_PUNCTUATION = str.maketrans("", "", string.punctuation + "’‘“”–—…")
_LATIN_WORD = re.compile("[a-z0-9]+")

#: What is read of the references to tell their script.
_SAMPLE = 1_000
#: Fewer letters are a name or a term that stands in a text of any script.
_TELLING = 20


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
    short = main == "Latin" and sum(map(str.isalpha, sample)) < _TELLING
    return marked if not main or short or main == script_of(marked) else language_of(sample)


def script_of(language: str) -> str:
    """The script in which a language is written, or ``""`` for those that mix several."""
    name = base(language)
    return (
        "" if name in UNSPACED else "Cyrillic" if name in _CYRILLIC else _OTHER.get(name, "Latin")
    )


def tokens(text: str, language: str) -> list[str]:
    """Tokens for F1, in order of appearance, case folded. English as in SQuAD: no punctuation, no
    articles, split at white space."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if base(language) == "en":
        return [word for word in folded.translate(_PUNCTUATION).split() if word not in _ARTICLES]
    return words(folded, language)


def rouge_tokens(text: str, language: str) -> list[str]:
    """Tokens for ROUGE, lower case. English: runs of a-z and 0-9, as the original program cuts;
    other languages as in `tokens`."""
    if base(language) == "en":
        return _LATIN_WORD.findall(text.lower())
    return tokens(text, language)
