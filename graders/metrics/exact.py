"""Whether an answer says just what a reference says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Encoder, Metric
from graders.core.plain import normalise
from graders.core.records import MetricValue, Subject
from graders.core.text import fold
from graders.core.text_languages import base
from graders.metrics.texts.overlap import compare_each
from graders.metrics.texts.pairs import value_version


@dataclass(frozen=True)
class Exact(Metric):
    """1 where the answer equals a reference but for case, punctuation, thousands separators and
    English articles, else 0.

    The same comparison as the rule exact_match, as a number: its mean is the share of exact
    answers. A text of punctuation alone is compared as it stands.

    Limits: other spellings, numbers in words and answers in a sentence are 0; the mean of a set
    says how many answers are exact, not how many are right.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "1 where the answer equals a reference but for case, punctuation and articles, else 0"
    )
    outputs: ClassVar[tuple[str, ...]] = ("exact",)

    def compute(
        self,
        subjects: Sequence[Subject],
        references: Sequence[Sequence[str]],
        encoder: Encoder | None = None,
    ) -> list[list[MetricValue]]:
        """One value per subject; unscored: ``no_reference``, ``empty`` (a blank answer)."""

        def score(given: str, wanted: str) -> tuple[float]:
            return (float(given == wanted),)

        return compare_each(
            self,
            subjects,
            references,
            answer=_plain,
            reference=_plain,
            score=score,
            version=lambda language: value_version(self),
        )


def _plain(text: str, language: str) -> str:
    return normalise(text, base(language)) or fold(text, case=True)
