"""How many words, pairs of words and words in order an answer shares with a reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from graders.core.contracts import Encoder, Metric
from graders.core.records import MetricValue, Subject
from graders.metrics.texts.overlap import LIMIT, Score, compare_each, f1
from graders.metrics.texts.pairs import value_version
from graders.metrics.texts.tokens import rouge_tokens


class Cut(NamedTuple):
    """A text's tokens in order, how often each stands in it, and how often each pair of
    neighbours."""

    tokens: list[str]
    single: Counter[str]
    double: Counter[tuple[str, str]]


@dataclass(frozen=True)
class Rouge(Metric):
    """ROUGE-1, ROUGE-2 and ROUGE-L (Lin 2004) as F1, from 0 to 1, without stemming.

    ROUGE-n = 2 x shared n-grams / (n-grams of the answer + of the reference), each counted as often
    as it stands in both; ROUGE-L the same with the longest common subsequence of tokens. English:
    runs of a-z and 0-9 in lower case, as the original program cuts; Chinese, Japanese, Thai, Lao
    and Khmer: characters, with Latin words whole; other languages: words. Of several references the
    best counts, for each output by itself.

    Limits: knows no synonyms; a text of one token has no pairs, so ROUGE-2 says ``too_short`` where
    a reference is.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Words, pairs of words, and words in order shared with the best matching reference "
        "(ROUGE-1, 2, L as F1)"
    )
    outputs: ClassVar[tuple[str, ...]] = ("rouge_1", "rouge_2", "rouge_l")

    def compute(
        self,
        subjects: Sequence[Subject],
        references: Sequence[Sequence[str]],
        encoder: Encoder | None = None,
    ) -> list[list[MetricValue]]:
        """Three values per subject; unscored: ``no_reference`` (also one without a word),
        ``empty``, ``too_short`` (ROUGE-2)."""
        from rapidfuzz.distance import LCSseq

        def score(given: Cut, wanted: Cut) -> tuple[Score, Score, Score]:
            return _score(given, wanted, LCSseq.similarity)

        return compare_each(
            self,
            subjects,
            references,
            answer=_cut,
            reference=_cut,
            score=score,
            version=lambda language: value_version(self),
            limit=LIMIT,
        )


def _cut(text: str, language: str) -> Cut:
    found = rouge_tokens(text, language)
    return Cut(found, Counter(found), Counter(pairwise(found)))


def _score(
    given: Cut, wanted: Cut, common: Callable[[Sequence[str], Sequence[str]], int]
) -> tuple[Score, Score, Score]:
    if not wanted.tokens:
        return ("no_reference",) * 3
    one, other = len(given.tokens), len(wanted.tokens)
    single = f1(_shared(given.single, wanted.single, one, other), one, other)
    pairs, other_pairs = max(one - 1, 0), other - 1
    double: Score = (
        f1(_shared(given.double, wanted.double, pairs, other_pairs), pairs, other_pairs)
        if other_pairs
        else "too_short"
    )
    return single, double, f1(common(given.tokens, wanted.tokens), one, other)


def _shared(given: Counter[Any], wanted: Counter[Any], one: int, other: int) -> int:
    """Shared n-grams of texts that have `one` and `other` of them."""
    both = given.keys() & wanted.keys()
    # Pairs of words seldom repeat; where all of one side differ, each shared one counts once.
    if len(given) == one or len(wanted) == other:
        return len(both)
    return sum(min(given[gram], wanted[gram]) for gram in both)
