"""How close an answer is to a reference in meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from graders.core.contracts import Encoder, Metric
from graders.core.records import MetricValue, Subject
from graders.metrics.texts.pairs import compare, need, value_version, was_cut


@dataclass(frozen=True)
class Embedding(Metric):
    """Cosine between the sentence vectors of an answer and of its closest reference, from -1 to 1.

    Limits: only the beginning of a text longer than the model's window is read (the value's reason
    is then ``cut``); a wrong number or a "not" hardly changes the vector; values of different
    models cannot be compared.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Closeness in meaning to the best matching reference: cosine of sentence vectors"
    )
    outputs: ClassVar[tuple[str, ...]] = ("embedding_cosine",)
    encodes: ClassVar[bool] = True

    def compute(
        self,
        subjects: Sequence[Subject],
        references: Sequence[Sequence[str]],
        encoder: Encoder | None,
    ) -> list[list[MetricValue]]:
        """One value per subject; unscored: ``no_reference``, ``empty`` (blank answer), ``language``
        (no model fits)."""
        ready = need(self, encoder)

        def score(
            language: str, answers: list[str], wanted: list[str]
        ) -> list[tuple[Sequence[float], int, bool] | str]:
            right = [ready.sentence(text, language) for text in wanted]
            left = [ready.sentence(text, language) for text in answers]
            if any(vector is None for vector in (*left, *right)):
                return ["language"] * len(answers)
            cosines = np.clip(np.stack(left) @ np.stack(right).T, -1.0, 1.0)
            best = cosines.argmax(axis=1)
            cut = [was_cut(ready, text, language) for text in wanted]
            return [
                (
                    [float(cosines[line, number])],
                    int(number),
                    cut[number] or was_cut(ready, answers[line], language),
                )
                for line, number in enumerate(best)
            ]

        return compare(
            self, subjects, references, lambda language: value_version(self, ready, language), score
        )
