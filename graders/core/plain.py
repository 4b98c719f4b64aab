"""When two short texts say the same: without case, punctuation and articles."""

from __future__ import annotations

import re
import unicodedata

from graders.core.text import fold

# "3.5" is not "35" and "C++" is not "C": points and commas between digits, and signs that belong to
# a word, stay.
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_KEPT = re.compile(r"(?<=\d)[.,:/](?=\d)|(?<![\w)])-(?=\d)|(?<=[^\W\d_])#|[%&+@]")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalise(text: str, language: str = "") -> str:
    """`text` folded, without punctuation and thousands separators; for English also without
    articles."""
    folded = _THOUSANDS.sub("", fold(text, case=True)).replace("−", "-")
    kept = {match.start() for match in _KEPT.finditer(folded)}
    out = []
    for at, char in enumerate(folded):
        if char in "'’":
            continue
        out.append(" " if unicodedata.category(char)[0] == "P" and at not in kept else char)
    plain = "".join(out).replace("`", " ")
    return " ".join((_ARTICLES.sub(" ", plain) if language == "en" else plain).split())
