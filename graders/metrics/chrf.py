"""How many runs of one to six characters an answer shares with a reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Encoder, Metric
from graders.core.records import MetricValue, Subject
from graders.metrics.texts import sacrebleu
from graders.metrics.texts.overlap import LIMIT, compare_each
from graders.metrics.texts.pairs import value_version


@dataclass(frozen=True)
class Chrf(Metric):
    """chrF2 (Popović 2015) by sacrebleu, from 0 to 100; case counts, white space does not.

    F with recall weighing twice as much as precision (beta = 2), of the shares of runs of one to
    six characters, averaged over the lengths. Needs no words, so it serves every language alike.
    sacrebleu's signature stands in the value's version. Of several references the best counts.

    Limits: unrelated texts of one language reach 15 to 25, because they share letters.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Runs of one to six characters shared with the best matching reference (chrF2, 0 to 100)"
    )
    outputs: ClassVar[tuple[str, ...]] = ("chrf",)

    def compute(
        self,
        subjects: Sequence[Subject],
        references: Sequence[Sequence[str]],
        encoder: Encoder | None = None,
    ) -> list[list[MetricValue]]:
        """One value per subject; unscored: ``no_reference``, ``empty`` (a blank answer)."""

        def score(given: str, wanted: Callable[[str], float]) -> tuple[float]:
            return (wanted(given),)

        return compare_each(
            self,
            subjects,
            references,
            answer=lambda text, language: text,
            reference=sacrebleu.chrf_against,
            score=score,
            version=lambda language: f"{value_version(self)};{sacrebleu.chrf_signature()}",
            limit=LIMIT,
        )
