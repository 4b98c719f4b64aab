"""Answers that are nearer to another question than to their own: the mark of rows that slipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graders.statistics.arrays import Array

#: A question is pointed out when its answers are far from it, near another one, and nearer by the
#: margin (cosines).
MARGIN, FAR, NEAR = 0.15, 0.35, 0.35
#: Answers to two questions that are as near as this (cosine) do not tell which is whose.
EQUAL = 0.9


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A question, by its place, whose answers are nearer to another one: the place of the `nearest`
    and the mean cosines of the answers to their `own` question and to the `other`; `model` is the
    one whose answer alone is meant, "" for all."""

    place: int
    nearest: int
    own: float
    other: float
    model: str = ""


def misplaced(
    questions: Sequence[Array], answers: Sequence[Mapping[str, Array]]
) -> list[Misplaced]:
    """The questions whose answers are nearer to another question than to their own: `answers[i]`
    are those to `questions[i]` by model, all as unit vectors float[d]; without any, a question only
    stands for comparison.

    First the mean cosine over the answers to a question counts. Then each model's answer to a
    question that was not pointed out counts by itself, where a second one of that model supports
    it: it slipped equally far, or the two changed places.
    """
    matrix = np.stack(questions).astype(np.float32)
    likeness = {
        (place, model): matrix @ vector.astype(np.float32)
        for place, group in enumerate(answers)
        for model, vector in group.items()
    }
    rows = []
    for place, group in enumerate(answers):
        if group:
            mean = np.stack([likeness[place, model] for model in group]).mean(axis=0)
            rows += _nearer(place, mean, answers, tuple(group), "")
    pointed_out = {row.place for row in rows}
    alone = [
        row
        for (place, model), cosines in likeness.items()
        if place not in pointed_out and len(answers[place]) > 1
        for row in _nearer(place, cosines, answers, (model,), model)
    ]
    return [*rows, *_supported(alone)]


def _nearer(
    place: int,
    cosines: Array,
    answers: Sequence[Mapping[str, Array]],
    models: Sequence[str],
    model: str,
) -> list[Misplaced]:
    """The question at `place` if its answers by `models` with these `cosines` (float[questions])
    are nearer to another one, and differ from those to that one."""
    own, others = float(cosines[place]), cosines.copy()
    others[place] = -1.0
    nearest = int(others.argmax())
    other = float(others[nearest])
    if own >= FAR or other < max(NEAR, own + MARGIN):
        return []
    pairs = [
        float(answers[place][name] @ answers[nearest][name])
        for name in models
        if name in answers[nearest]
    ]
    if pairs and min(pairs) >= EQUAL:
        return []
    return [Misplaced(place, nearest, own, other, model)]


def _supported(rows: Sequence[Misplaced]) -> list[Misplaced]:
    """Those of single answers that another one of the same model supports."""
    steps: dict[tuple[str, int], int] = {}
    for row in rows:
        key = (row.model, row.nearest - row.place)
        steps[key] = steps.get(key, 0) + 1
    swaps = {(row.model, row.place, row.nearest) for row in rows}
    return [
        row
        for row in rows
        if steps[row.model, row.nearest - row.place] > 1
        or (row.model, row.nearest, row.place) in swaps
    ]
