"""Token F1, edit distance, BLEU, ROUGE and chrF of 1,000 real pairs beside what the libraries give
for the same texts, and the time.

The pairs are summaries with one of their references. Token F1 has no library: the evaluation of
SQuAD is written out below from its description. Times are CPU time, the best of three rounds,
because whatever else the machine does can only make a round slower.
"""

from __future__ import annotations

import re
import string
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from graders.core.contracts import Metric
from graders.core.records import Subject
from graders.metrics.bleu import Bleu
from graders.metrics.chrf import Chrf
from graders.metrics.edit_distance import EditDistance
from graders.metrics.exact import Exact
from graders.metrics.rouge import Rouge
from graders.metrics.texts.tokens import rouge_tokens
from graders.metrics.token_f1 import TokenF1
from tests.benchmarks.bench_encoder import DATA, read, row

PAIRS = 1_000
ROUNDS = 3

Pairs = list[tuple[str, str]]


def main() -> list[dict[str, Any]]:
    """A row per bar; none where the texts or the library to compare with are missing."""
    if not (DATA / "answers.jsonl").is_file():
        print("metrics: the folder data/summeval is not there")
        return []
    if find_spec("rouge_score") is None:
        print("metrics: rouge-score is not installed (requirements-dev.txt)")
        return []
    subjects, references = read()
    subjects = subjects[:PAIRS]
    # Another one of the references for every summary of an article.
    wanted = [[given[number % len(given)]] for number, given in enumerate(references[:PAIRS])]
    pairs = [
        (subject.answer.text, reference)
        for subject, [reference] in zip(subjects, wanted, strict=True)
    ]
    rows = [equal(metric, subjects, wanted, oracle(pairs)) for metric, oracle in ORACLES]
    return [
        *rows,
        *rouge_speed(subjects, wanted, pairs),
        *(cost(metric, subjects, wanted) for metric in (*(m for m, _ in ORACLES[:-1]), Exact())),
    ]


def equal(
    metric: Metric,
    subjects: list[Subject],
    references: list[list[str]],
    theirs: list[Sequence[float]],
) -> dict[str, Any]:
    """The largest difference between our values and the library's; BLEU and chrF count to 100."""
    ours = metric.compute(subjects, references, None)
    most = max(
        abs(value.value - other) if value.value is not None else float("inf")
        for values, others in zip(ours, theirs, strict=True)
        for value, other in zip(values, others, strict=True)
    )
    bar = 1e-9 if metric.outputs[0] in ("bleu", "chrf") else 1e-12
    return row(
        f"{', '.join(metric.outputs)}: largest difference over {len(subjects):,} pairs, x 1e-12",
        most * 1e12,
        bar * 1e12,
        None,
        most <= bar,
    )


def rouge_speed(
    subjects: list[Subject], references: list[list[str]], pairs: Pairs
) -> list[dict[str, Any]]:
    """ROUGE-L alone, from text to number, and all three as the metric computes them, each beside
    rouge-score; the bar is ROUGE-L's."""
    from rapidfuzz.distance import LCSseq
    from rouge_score.rouge_scorer import RougeScorer

    def alone() -> None:
        for answer, reference in pairs:
            given, wanted = rouge_tokens(answer, "en"), rouge_tokens(reference, "en")
            _ = 2 * LCSseq.similarity(given, wanted) / (len(given) + len(wanted))

    def library(kinds: list[str]) -> Callable[[], object]:
        scorer = RougeScorer(kinds)
        return lambda: [scorer.score(reference, answer) for answer, reference in pairs]

    ours, theirs = timed(alone), timed(library(["rougeL"]))
    every, their_every = (
        timed(lambda: Rouge().compute(subjects, references)),
        timed(library(["rouge1", "rouge2", "rougeL"])),
    )
    return [
        row(
            f"ROUGE-L, CPU ms per 1,000 pairs (rouge-score {theirs:.0f})",
            ours,
            0.1 * theirs,
            ours / theirs,
            ours <= 0.1 * theirs,
        ),
        row(
            f"rouge_1, rouge_2, rouge_l as the metric computes them (rouge-score {their_every:.0f})",
            every,
            None,
            every / their_every,
            True,
        ),
    ]


def cost(metric: Metric, subjects: list[Subject], references: list[list[str]]) -> dict[str, Any]:
    """CPU ms per 1,000 pairs; a figure to know, without a bar."""
    return row(
        f"{metric.outputs[0]}: CPU ms per 1,000 pairs",
        timed(lambda: metric.compute(subjects, references, None)),
        None,
        None,
        True,
    )


def timed(work: Callable[[], object]) -> float:
    """CPU milliseconds per 1,000 pairs, best round."""
    spent = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent) * 1_000 * 1_000 / PAIRS


# -- what others say


def squad(pairs: Pairs) -> list[Sequence[float]]:
    """F1 of tokens as counted and over sets, by precision and recall, after SQuAD's way of making
    texts plain."""

    def plain(text: str) -> list[str]:
        bare = "".join(char for char in text.lower() if char not in string.punctuation + "’‘“”–—…")
        return re.sub(r"\b(a|an|the)\b", " ", bare).split()

    def score(shared: int, given: int, wanted: int) -> float:
        if not shared:
            return 0.0
        precision, recall = shared / given, shared / wanted
        return 2 * precision * recall / (precision + recall)

    out: list[Sequence[float]] = []
    for answer, reference in pairs:
        one, other = plain(answer), plain(reference)
        often = sum((Counter(one) & Counter(other)).values())
        out.append(
            (
                score(often, len(one), len(other)),
                score(len(set(one) & set(other)), len(set(one)), len(set(other))),
            )
        )
    return out


def levenshtein(pairs: Pairs) -> list[Sequence[float]]:
    from rapidfuzz.distance import Levenshtein

    return [(Levenshtein.normalized_similarity(answer, reference),) for answer, reference in pairs]


def sentence_bleu(pairs: Pairs) -> list[Sequence[float]]:
    import sacrebleu

    return [(sacrebleu.sentence_bleu(answer, [reference]).score,) for answer, reference in pairs]


def sentence_chrf(pairs: Pairs) -> list[Sequence[float]]:
    import sacrebleu

    return [(sacrebleu.sentence_chrf(answer, [reference]).score,) for answer, reference in pairs]


def rouge(pairs: Pairs) -> list[Sequence[float]]:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"])
    return [
        [part.fmeasure for part in scorer.score(reference, answer).values()]
        for answer, reference in pairs
    ]


ORACLES: list[tuple[Metric, Callable[[Pairs], list[Sequence[float]]]]] = [
    (TokenF1(), squad),
    (EditDistance(), levenshtein),
    (Bleu(), sentence_bleu),
    (Chrf(), sentence_chrf),
    (Rouge(), rouge),
]

if __name__ == "__main__":
    for line in main():
        print(line)
