"""How texts are cut into what the overlap metrics compare, and by the rules of which language."""

from __future__ import annotations

import re
import string
import unicodedata

from graders.core.text import words
from graders.core.text_languages import base

_ARTICLES = frozenset(("a", "an", "the"))
_PUNCTUATION = str.maketrans("", "", string.punctuation + "’‘“”–—…")
_LATIN_WORD = re.compile("[a-z0-9]+")


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
