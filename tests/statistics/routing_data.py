"""Public data as routing sees it: the machine's value and confidence of each cell, whether people
differ, and the question."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from graders.core.scale import YES_NO, Scale
from graders.statistics.confidence import unanimity
from tests.statistics.published import DATA, _rows, codes, load

BEM = "BEM (BERT matching, not an LLM)"
NQ_JUDGES = ("gpt-4", "text-davinci-003", BEM)
PANEL = (
    "gpt-4-0314/rts",
    "alttest/gpt-4o",
    "alttest/gemini_pro",
    "gpt-3.5-turbo-0301/rts",
    "alttest/gpt-4o-mini",
)
ONE_TO_FIVE = Scale.from_spec([1, 5])


class Correctness(NamedTuple):
    """nq301, the 1486 cells with all three judges, by (question_id, model): verdicts int[3, n],
    P(yes) of BEM, majority, human value (annotator1's beside it), section 3's confidence,
    questions, keys."""

    verdicts: np.ndarray
    p: np.ndarray
    majority: np.ndarray
    human: np.ndarray
    annotator1: np.ndarray
    s: np.ndarray
    g: np.ndarray
    keys: list[tuple[str, str]]

    @property
    def error(self) -> np.ndarray:
        return self.majority != self.human


@cache
def nq301() -> Correctness:
    rows, g = codes("nq301", "correctness", YES_NO, *NQ_JUDGES, "adjudicated", "annotator1")
    keys = sorted({cell for rater in load("nq301")["correctness"].values() for cell in rater})
    stated = {
        (r["question_id"], r["model"]): r["confidence"]
        for r in _rows(DATA / "nq301/judge.jsonl")
        if r["judge"] == BEM and r["value"]
    }
    full = (rows[:4] >= 0).all(axis=0)
    kept = [key for key, keep in zip(keys, full, strict=True) if keep]
    verdicts, human, first = rows[:3, full], rows[3, full], rows[4, full]
    p = np.array([stated[key] for key in kept])
    return Correctness(
        verdicts,
        p,
        (verdicts.sum(axis=0) >= 2).astype(int),
        human,
        first,
        unanimity(verdicts, p),
        g[full],
        kept,
    )


class Ratings(NamedTuple):
    """A criterion of summeval, 1200 cells: verdicts int[6, n] of the panel and the other judges of
    section 10 (1..5), the median of three experts, questions, keys."""

    verdicts: np.ndarray
    human: np.ndarray
    g: np.ndarray
    keys: list[tuple[str, str]]


@cache
def summeval(criterion: str) -> Ratings:
    experts = ("expert0", "expert1", "expert2")
    rows, g = codes("summeval", criterion, ONE_TO_FIVE, *PANEL, *experts)
    keys = sorted({cell for rater in load("summeval")[criterion].values() for cell in rater})
    full = (rows >= 0).all(axis=0)
    values = rows[:, full] + 1
    return Ratings(
        values[:5],
        np.median(values[5:], axis=0).astype(int),
        g[full],
        [k for k, keep in zip(keys, full, strict=True) if keep],
    )
