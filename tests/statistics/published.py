"""The public data sets beside the checkout, as arrays of codes; tests that need them are skipped
where they are absent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.core.scale import Scale

DATA = Path(__file__).resolve().parents[2] / "../shared/data"

#: Criterion -> rater -> (question, model) -> value.
Ratings = dict[str, dict[str, dict[tuple[str, str], Any]]]


@cache
def load(name: str) -> Ratings:
    folder = DATA / name
    if not folder.is_dir():
        pytest.skip(f"the data set {name} is not beside the checkout (looked in {folder})")
    found: Ratings = {}
    for file, who in (("human.jsonl", "annotator"), ("judge.jsonl", "judge")):
        for row in _rows(folder / file):
            if row["value"] is not None:
                found.setdefault(row["criterion"], {}).setdefault(row[who], {})[
                    row["question_id"], row["model"]
                ] = row["value"]
    return found


def codes(name: str, criterion: str, scale: Scale, *raters: str) -> tuple[np.ndarray, np.ndarray]:
    """int[raters, n] codes (-1 missing) over all cells of a criterion, and int[n] questions."""
    ratings = load(name)[criterion]
    cells = sorted({cell for rater in ratings.values() for cell in rater})
    questions = {q: i for i, q in enumerate(sorted({q for q, _ in cells}))}
    rows = [[_code(scale, ratings[rater].get(cell)) for cell in cells] for rater in raters]
    return np.array(rows), np.array([questions[q] for q, _ in cells])


def rows_of(name: str, table: str) -> Iterator[dict[str, Any]]:
    """The rows of questions, answers, human or judge of a data set."""
    return _rows(DATA / name / f"{table}.jsonl")


@cache
def first_answers() -> dict[tuple[str, str], tuple[str, str]]:
    """nq301: (question, system) -> the cell of its first answer that gpt-4 judged."""
    judged = load("nq301")["correctness"]["gpt-4"]
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for row in rows_of("nq301", "answers"):
        for system in row["systems"] if (row["question_id"], row["model"]) in judged else ():
            found.setdefault((row["question_id"], system), (row["question_id"], row["model"]))
    return found


@cache
def systems() -> tuple[list[str], list[str], np.ndarray, dict[str, np.ndarray]]:
    """nq301 by system: names, questions where gpt-4 judged all twelve (sorted), human float[Q, 12],
    and each judge's values likewise.

    A system's answer to a question is its first row that gpt-4 judged; human is the adjudicated
    label.
    """
    ratings = load("nq301")["correctness"]
    first = first_answers()
    names = sorted({system for _, system in first})
    questions = [
        q for q in sorted({q for q, _ in first}) if all((q, name) in first for name in names)
    ]
    raters = {"adjudicated": "adjudicated", "gpt-4": "gpt-4", "davinci": "text-davinci-003"}

    def values(rater: str) -> np.ndarray:
        said = ratings[rater]
        return np.array([[_yes(said.get(first[q, name])) for name in names] for q in questions])

    judges = {key: values(rater) for key, rater in raters.items()}
    return names, questions, judges.pop("adjudicated"), judges


@cache
def summaries(criterion: str, judges: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """summeval by system: mean of the three experts and mean of the judges, float[articles, 12]."""
    ratings = load("summeval")[criterion]
    articles = sorted({q for q, _ in ratings["expert0"]})
    models = sorted({m for _, m in ratings["expert0"]})

    def mean(raters: tuple[str, ...]) -> np.ndarray:
        return np.array(
            [
                [
                    np.mean([float(ratings[r][q, m]) for r in raters if (q, m) in ratings[r]])
                    for m in models
                ]
                for q in articles
            ]
        )

    return mean(("expert0", "expert1", "expert2")), mean(judges)


def _yes(value: Any) -> float:
    return float("nan") if value is None else float(value == "Yes")


def _code(scale: Scale, value: Any) -> int:
    if value is None:
        return -1
    if scale.kind == "integer":
        value = min(max(int(np.floor(float(value) + 0.5)), int(scale.low)), int(scale.high))
    return scale.code(scale.parse(value))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
