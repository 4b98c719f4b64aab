"""Answers that are nearer to another question than to their own: the mark of rows that slipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graders.statistics.arrays import Array

#: A question is pointed out when its answers are far from it, near another one, and nearer by the
#: margin (cosines).
MARGIN, FAR, NEAR = 0.15, 0.35, 0.35


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A question, by its place, whose answers are nearer to another one: the place of the `nearest`
    and the mean cosines of the answers to their `own` question and to the `other`."""

    place: int
    nearest: int
    own: float
    other: float


def misplaced(questions: Sequence[Array], answers: Sequence[Sequence[Array]]) -> list[Misplaced]:
    """The questions whose answers are nearer to another question than to their own: `answers[i]`
    are those to `questions[i]`, all as unit vectors float[d]; the nearness is the mean cosine over
    the answers to a question."""
    matrix = np.stack(questions).astype(np.float32)
    rows = []
    for place, group in enumerate(answers):
        likeness = (np.stack(group).astype(np.float32) @ matrix.T).mean(axis=0)
        own = float(likeness[place])
        likeness[place] = -1.0
        nearest = int(likeness.argmax())
        other = float(likeness[nearest])
        if own < FAR and other >= max(NEAR, own + MARGIN):
            rows.append(Misplaced(place, nearest, own, other))
    return rows
