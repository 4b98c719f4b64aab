"""How long an answer is beside the shortest of the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Encoder, Metric
from graders.core.records import MetricValue, Subject
from graders.core.text import characters
from graders.metrics.texts.pairs import unscored, value_version


@dataclass(frozen=True)
class LengthRatio(Metric):
    """Characters of an answer over those of the shortest among the best answers to its question;
    factual questions only.

    The best are the answers with the highest relevance + clarity, whatever their length; the
    shortest of them has 1. 1.5 is half as long again; below 1 lies an answer that is shorter than
    all that are as good as any. Characters are counted as people see them.

    Limits: it says how long, not how wordy: an answer that says more than the shortest of the best
    is longer too. On creative questions there is no right length, and nothing is measured.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Characters over those of the shortest among the answers with the highest relevance "
        "and clarity"
    )
    outputs: ClassVar[tuple[str, ...]] = ("length_ratio",)
    against: ClassVar[str] = "best"
    unseen: ClassVar[bool] = True

    def compute(
        self,
        subjects: Sequence[Subject],
        references: Sequence[Sequence[str]],
        encoder: Encoder | None = None,
    ) -> list[list[MetricValue]]:
        """One value per subject; `references` are the best answers' texts. Unscored:
        ``not_factual``, ``no_best``, ``empty``."""
        return [
            self._one(subject, given) for subject, given in zip(subjects, references, strict=True)
        ]

    def _one(self, subject: Subject, best: Sequence[str]) -> list[MetricValue]:
        version = value_version(self)
        if subject.question.task_type != "factual":
            return unscored(self, "not_factual", version)
        lengths = [characters(text) for text in best if text.strip()]
        if not lengths:
            return unscored(self, "no_best", version)
        if not subject.answer.text.strip():
            return unscored(self, "empty", version)
        return [
            MetricValue(
                metric="length_ratio",
                value=round(characters(subject.answer.text) / min(lengths), 4),
                version=version,
            )
        ]
