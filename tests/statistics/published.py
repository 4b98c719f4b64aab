"""The public data sets beside the checkout, as arrays of codes; tests that need them are skipped where they are absent."""

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
                found.setdefault(row["criterion"], {}).setdefault(row[who], {})[row["question_id"], row["model"]] = row["value"]
    return found


def codes(name: str, criterion: str, scale: Scale, *raters: str) -> tuple[np.ndarray, np.ndarray]:
    """int[raters, n] codes (-1 missing) over all cells of a criterion, and int[n] questions."""
    ratings = load(name)[criterion]
    cells = sorted({cell for rater in ratings.values() for cell in rater})
    questions = {q: i for i, q in enumerate(sorted({q for q, _ in cells}))}
    rows = [[_code(scale, ratings[rater].get(cell)) for cell in cells] for rater in raters]
    return np.array(rows), np.array([questions[q] for q, _ in cells])


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
