"""How well the words of an answer and of a reference match each other, each in its context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from graders.core.contracts import Encoder, Metric
from graders.core.records import MetricValue, Subject
from graders.metrics.texts.pairs import compare, need, value_version, was_cut

Floats = NDArray[np.float32]

#: Similarities that are computed at once: 16 MB of float32.
BLOCK = 4_000_000


@dataclass(frozen=True)
class BertScore(Metric):
    """Precision, recall and F1 by greedy matching of token vectors (Zhang and others 2020), without
    idf, without rescaling.

    Precision is the mean over the answer's tokens of the cosine with the best matching token of the
    reference, recall the same with the roles exchanged, F1 = 2PR / (P + R). The special tokens that
    open and close a text may be matched but are not averaged over. Of several references the one
    with the highest F1 counts, for all three.

    Limits: unrelated texts score well above 0, so only differences mean something; an English model
    serves English only, other languages need a multilingual model in the settings.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Words of the answer matched with the reference's, each in its context: precision, "
        "recall, F1"
    )
    outputs: ClassVar[tuple[str, ...]] = ("bertscore_precision", "bertscore_recall", "bertscore_f1")
    lead: ClassVar[str] = "bertscore_f1"
    encodes: ClassVar[bool] = True

    def compute(
        self,
        subjects: Sequence[Subject],
        references: Sequence[Sequence[str]],
        encoder: Encoder | None,
    ) -> list[list[MetricValue]]:
        """Three values per subject; unscored: ``no_reference``, ``empty``, ``language`` (no model
        gives token vectors)."""
        ready = need(self, encoder)

        def score(
            language: str, answers: list[str], wanted: list[str]
        ) -> list[tuple[Sequence[float], int, bool] | str]:
            right = [ready.tokens(text, language) for text in wanted]
            left = [ready.tokens(text, language) for text in answers]
            if any(rows is None for rows in (*left, *right)):
                return ["language"] * len(answers)
            precision, recall = match(left, right)
            f1 = harmonic(precision, recall)
            cut = [was_cut(ready, text, language, "tokens") for text in wanted]
            out: list[tuple[Sequence[float], int, bool] | str] = []
            for line, text in enumerate(answers):
                if len(left[line]) < 3 or np.isnan(f1[line]).all():
                    out.append("empty" if len(left[line]) < 3 else "no_reference")
                    continue
                best = int(np.nanargmax(f1[line]))
                values = [float(part[line, best]) for part in (precision, recall, f1)]
                out.append((values, best, cut[best] or was_cut(ready, text, language, "tokens")))
            return out

        return compare(
            self, subjects, references, lambda language: value_version(self, ready, language), score
        )


def match(answers: Sequence[Floats], references: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Precision and recall of every answer against every reference, arrays of shape (answers,
    references).

    Each text is given as its token vectors (n, d), rows of unit length, special tokens first and
    last. A text without a token between them has no mean: NaN in its row or column.
    """
    right = np.concatenate(references)
    columns, wanted = _starts(references)
    precision = np.empty((len(answers), len(references)), dtype=np.float32)
    recall = np.empty_like(precision)
    for first, last in _blocks([len(rows) for rows in answers], len(right)):
        lines, given = _starts(answers[first:last])
        similar = np.concatenate(answers[first:last]) @ right.T
        by_answer_token = np.maximum.reduceat(similar, columns, axis=1)
        by_reference_token = np.maximum.reduceat(similar, lines, axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            precision[first:last] = (
                np.add.reduceat(by_answer_token * given[:, None], lines, axis=0)
                / np.add.reduceat(given, lines)[:, None]
            )
            recall[first:last] = np.add.reduceat(
                by_reference_token * wanted, columns, axis=1
            ) / np.add.reduceat(wanted, columns)
    for part in (precision, recall):
        part[[len(rows) < 3 for rows in answers]] = np.nan
        part[:, [len(rows) < 3 for rows in references]] = np.nan
        np.clip(part, -1.0, 1.0, out=part)
    return precision, recall


def harmonic(precision: Floats, recall: Floats) -> Floats:
    """2PR / (P + R); 0 where both are opposite or nothing matches at all, as the original defines
    it."""
    both = precision + recall
    safe: Floats = np.where(both == 0, np.float32(1), both)
    return 2 * precision * recall / safe


def _starts(texts: Sequence[Floats]) -> tuple[NDArray[np.int64], Floats]:
    """Where each text's rows begin when they stand one after the other, and the weight of every
    row."""
    lengths = np.array([len(rows) for rows in texts], dtype=np.int64)
    ends = np.cumsum(lengths)
    starts = ends - lengths
    weights = np.ones(int(ends[-1]), dtype=np.float32)
    weights[starts] = 0
    weights[ends - 1] = 0
    return starts, weights


def _blocks(lengths: Sequence[int], width: int) -> Iterator[tuple[int, int]]:
    """Ranges of answers whose similarities with `width` reference tokens fit into one block (one
    answer always does)."""
    first, rows = 0, 0
    for position, length in enumerate(lengths):
        if position > first and (rows + length) * width > BLOCK:
            yield first, position
            first, rows = position, 0
        rows += length
    yield first, len(lengths)
