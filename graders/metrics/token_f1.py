"""How many words an answer shares with a reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Encoder, Metric
from graders.core.records import MetricValue, Subject
from graders.metrics.texts.overlap import compare_each, f1
from graders.metrics.texts.pairs import value_version
from graders.metrics.texts.tokens import tokens


@dataclass(frozen=True)
class TokenF1(Metric):
    """F1 of the tokens that an answer and a reference share, from 0 to 1.

    ``token_f1`` counts a token as often as it stands in both (as SQuAD does); ``token_f1_set``
    counts it once.
    F1 = 2 x shared / (tokens of the answer + tokens of the reference): "hello world" against "hello
    there" is 2 x 1 / (2 + 2) = 0.5. English as in SQuAD: lower case, no punctuation, no articles,
    split at white space. Chinese, Japanese, Thai, Lao and Khmer: characters, with Latin words and
    numbers whole. Other languages: words. Of several references the best counts, for each of the
    two by itself.

    Limits: a synonym counts as a miss, a "not" as one word of many; long answers to short
    references score low.
    """

    version: ClassVar[str] = "2"
    about: ClassVar[str] = (
        "Words shared with the best matching reference, as F1: counted as often as they "
        "stand in both, and once each"
    )
    outputs: ClassVar[tuple[str, ...]] = ("token_f1", "token_f1_set")

    def compute(
        self,
        subjects: Sequence[Subject],
        references: Sequence[Sequence[str]],
        encoder: Encoder | None = None,
    ) -> list[list[MetricValue]]:
        """Two values per subject; unscored: ``no_reference``, ``empty`` (a blank answer)."""
        return compare_each(
            self,
            subjects,
            references,
            answer=_counted,
            reference=_counted,
            score=_score,
            version=lambda language: value_version(self),
        )


def _counted(text: str, language: str) -> Counter[str]:
    return Counter(tokens(text, language))


def _score(given: Counter[str], wanted: Counter[str]) -> tuple[float, float]:
    shared = given.keys() & wanted.keys()
    often = sum(min(given[token], wanted[token]) for token in shared)
    return f1(often, given.total(), wanted.total()), f1(len(shared), len(given), len(wanted))
