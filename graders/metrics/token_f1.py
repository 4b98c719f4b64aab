"""How many words an answer shares with a reference."""

from __future__ import annotations

import string
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Encoder, Metric
from graders.core.records import MetricValue, Subject
from graders.core.text import words
from graders.metrics._pairs import compare, value_version

_ARTICLES = frozenset(("a", "an", "the"))
_PUNCTUATION = str.maketrans("", "", string.punctuation + "’‘“”–—…")


@dataclass(frozen=True)
class TokenF1(Metric):
    """F1 of the tokens that an answer and a reference share, each counted as often as it stands in both; from 0 to 1.

    English as in SQuAD: lower case, no punctuation, no articles, split at white space. Chinese and Japanese:
    characters, with Latin words and numbers whole. Other languages: words. F1 = 2 x shared / (tokens of the answer
    + tokens of the reference). Of several references the best counts.

    Limits: a synonym counts as a miss, a "not" as one word of many; long answers to short references score low.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "Words shared with the best matching reference, as F1"
    outputs: ClassVar[tuple[str, ...]] = ("token_f1",)

    def compute(
        self, subjects: Sequence[Subject], references: Sequence[Sequence[str]], encoder: Encoder | None = None
    ) -> list[list[MetricValue]]:
        """One value per subject; unscored: ``no_reference``, ``empty`` (a blank answer)."""

        def score(language: str, answers: list[str], wanted: list[str]) -> list[tuple[Sequence[float], int, bool] | str]:
            right = [Counter(tokens(text, language)) for text in wanted]
            out: list[tuple[Sequence[float], int, bool] | str] = []
            for text in answers:
                given = Counter(tokens(text, language))
                values = [f1(given, reference) for reference in right]
                best = max(range(len(values)), key=values.__getitem__)
                out.append(([values[best]], best, False))
            return out

        return compare(self, subjects, references, lambda language: value_version(self), score)


def tokens(text: str, language: str) -> list[str]:
    """The tokens that are compared, in order of appearance."""
    base = language.replace("_", "-").split("-")[0].casefold()
    folded = unicodedata.normalize("NFKC", text).casefold()
    if base == "en":
        return [word for word in folded.translate(_PUNCTUATION).split() if word not in _ARTICLES]
    return words(folded, language)


def f1(given: Counter[str], wanted: Counter[str]) -> float:
    """2 x shared / (all of `given` + all of `wanted`); two texts without tokens agree: 1."""
    total = given.total() + wanted.total()
    return 2 * (given & wanted).total() / total if total else 1.0
