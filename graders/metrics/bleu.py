"""How many runs of one to four words an answer shares with a reference."""

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
class Bleu(Metric):
    """Sentence BLEU (Papineni and others 2002) by sacrebleu, from 0 to 100; case counts.

    The geometric mean of the shares of the answer's runs of one to four tokens that the reference
    has too, times a penalty for answers shorter than the reference. Orders without a match are
    smoothed ("exp"), orders longer than the answer left out. Chinese: sacrebleu's own tokenizer;
    Japanese: MeCab where it is installed, else characters, as for Thai, Lao and Khmer; other
    languages: 13a. sacrebleu's signature stands in the value's version. Each reference is compared
    by itself, the best counts: sacrebleu given several at once would pool them.

    Limits: made for whole corpora, a single sentence is a noisy figure; values by different
    tokenizers do not compare.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Runs of one to four words shared with the best matching reference (sentence BLEU, "
        "0 to 100)"
    )
    outputs: ClassVar[tuple[str, ...]] = ("bleu",)

    def compute(
        self,
        subjects: Sequence[Subject],
        references: Sequence[Sequence[str]],
        encoder: Encoder | None = None,
    ) -> list[list[MetricValue]]:
        """One value per subject; unscored: ``no_reference``, ``empty`` (a blank answer)."""

        def score(given: str, wanted: Callable[[str], float]) -> tuple[float]:
            return (wanted(given),)

        def version(language: str) -> str:
            tokenizer = sacrebleu.tokenizer_name(language)
            return f"{value_version(self)};{sacrebleu.bleu_signature(tokenizer)}"

        found = compare_each(
            self,
            subjects,
            references,
            answer=sacrebleu.bleu_text,
            reference=sacrebleu.bleu_against,
            score=score,
            version=version,
            limit=LIMIT,
        )
        sacrebleu.forget()
        return found
