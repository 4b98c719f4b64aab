"""How few characters have to change to make an answer a reference."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Encoder, Metric
from graders.core.records import MetricValue, Subject
from graders.metrics.texts.overlap import LIMIT, compare_each
from graders.metrics.texts.pairs import value_version


@dataclass(frozen=True)
class EditDistance(Metric):
    """1 - Levenshtein distance / characters of the longer text: 1 for equal texts, 0 where no
    character stays.

    Inserted, deleted and replaced characters count one each. Accents are joined to their letters
    first (NFC) and white space at the ends is left out; case and punctuation count. Of several
    references the best counts.

    Limits: order matters, so two sentences that changed places are far apart; unrelated texts of
    one language reach 0.2 to 0.3, because they share letters.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Characters that need not change to make the answer the best matching reference; 1 is equal"
    )
    outputs: ClassVar[tuple[str, ...]] = ("edit_distance",)

    def compute(
        self,
        subjects: Sequence[Subject],
        references: Sequence[Sequence[str]],
        encoder: Encoder | None = None,
    ) -> list[list[MetricValue]]:
        """One value per subject; unscored: ``no_reference``, ``empty`` (a blank answer)."""
        from rapidfuzz.distance import Levenshtein

        def score(given: str, wanted: str) -> tuple[float]:
            return (float(Levenshtein.normalized_similarity(given, wanted)),)

        return compare_each(
            self,
            subjects,
            references,
            answer=_composed,
            reference=_composed,
            score=score,
            version=lambda language: value_version(self),
            limit=LIMIT,
        )


def _composed(text: str, language: str) -> str:
    return unicodedata.normalize("NFC", text.strip())
