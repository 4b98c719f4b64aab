"""A judge's values beside people's on the same cells: how often each gives which value, what the
judge's stated chances are worth, and how many of its values changed.

What a judge leans towards is computed from the same columns in `graders.statistics.bias`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from graders.statistics import bias, calibration
from graders.statistics.resampling import Array, Interval


@dataclass(frozen=True, slots=True)
class Beside:
    """A judge's values beside people's, one entry per verdict of a person on a cell that the judge
    graded.

    `f`, `y` float[n] numbers on the scale; `g` int[n] questions; `w` float[n] 1/probability;
    `confidence` float[n], NaN where the judge stated none; `characters` float[n] of the answer;
    `model` int[n] places in the models; `rivals` float[n], mean of the other judges, NaN where no
    other graded the cell.
    """

    f: Array
    y: Array
    g: Array
    w: Array
    confidence: Array
    characters: Array
    model: Array
    rivals: Array

    @classmethod
    def of(
        cls,
        *,
        f: Array,
        y: Array,
        g: Array,
        probability: Array | None,
        confidence: Sequence[float | None],
        characters: Sequence[int],
        model: Sequence[int],
        rivals: Array,
    ) -> Beside:
        """From columns of one length; all weights are 1 without `probability`. A confidence that is
        not within 0 to 1 counts as none."""
        return cls(
            f=f,
            y=y,
            g=g,
            w=np.ones(len(f)) if probability is None else 1 / probability,
            confidence=np.array(
                [np.nan if p is None or not 0 <= p <= 1 else p for p in confidence], float
            ),
            characters=np.array(characters, float),
            model=np.array(model, int),
            rivals=rivals,
        )

    @property
    def error(self) -> Array:
        """Judge minus person, float[n]."""
        return np.asarray(self.f - self.y)

    @property
    def has_rivals(self) -> bool:
        """Whether another judge graded any of the cells."""
        return bool(np.isfinite(self.rivals).any())

    def length(self) -> Interval:
        """What e-fold length adds to the error, on answers that are not empty."""
        some = self.characters > 0
        return bias.length(self.error[some], self.characters[some], self.g[some], w=self.w[some])

    def family(self, own: Sequence[int], *, of_rivals: bool = False) -> Interval:
        """What answers by the models `own` (places) gain in the error, or in that of the other
        judges."""
        error = self.rivals - self.y if of_rivals else self.error
        return bias.family(error, np.isin(self.model, own), self.g, w=self.w)


class UseOfScale(NamedTuple):
    """How often `judge` and `people` gave each value, and the `entropy` of the judge's values over
    that of people's, None where people's are all equal."""

    judge: list[int]
    people: list[int]
    entropy: float | None


class Chances(NamedTuple):
    """What stated chances are worth against "a person gives the same value".

    `stated` and `met`: weighted means; `over`: their difference; `brier` and `ece` with what a
    perfect predictor would get; `bins`: those with enough verdicts; `curve` and `better`: by what
    labels of other questions would correct the chances, and the Brier score then; None where the
    labels are too few.
    """

    stated: float
    met: float
    over: Interval
    brier: calibration.Calibrated
    ece: calibration.Calibrated
    bins: tuple[calibration.Bin, ...]
    curve: Literal["platt", "isotonic"] | None
    better: Interval | None


def met(mine: Array, at: Array, mask: Array, author: Array, people: Sequence[int]) -> Array:
    """Positions of the verdicts of `people`, of those in `mask`, on cells that the judge graded.

    `mine` float[cells], NaN where the judge said nothing; `at` int[m], the cell of each verdict;
    `mask` bool[m]; `author` int[m].
    """
    rows = np.flatnonzero(mask & np.isin(author, people))
    return rows[np.isfinite(mine[at[rows]])]


def mean_of_others(others: Sequence[Array], at: Array) -> Array:
    """Mean of the values that others gave the cells `at` int[n], float[n], NaN where none did;
    each of `others` float[cells]."""
    values = np.stack([np.full(len(at), np.nan), *(column[at] for column in others)])
    there = np.isfinite(values).sum(axis=0)
    return np.where(there > 0, np.nansum(values, axis=0) / np.maximum(there, 1), np.nan)


def use_of_scale(of: Beside, ranges: Sequence[tuple[float, float]]) -> UseOfScale:
    """Counts by value; each of `ranges` reaches from its first number to below its second."""
    judge, people = (
        [int(((values >= low) & (values < below)).sum()) for low, below in ranges]
        for values in (of.f, of.y)
    )
    return UseOfScale(judge, people, bias.central_tendency(of.f, of.y).entropy)


def chances(of: Beside, near: float) -> Chances | None:
    """What stated chances are worth; None where the judge stated none. Values that differ by at
    most `near` are the same."""
    seen = np.isfinite(of.confidence)
    if not seen.any():
        return None
    p, g, w = of.confidence[seen], of.g[seen], of.w[seen]
    hit = alike(of.f[seen], of.y[seen], near).astype(float)
    corrected = calibration.recalibrated(p, hit, g, w)
    return Chances(
        stated=float(np.average(p, weights=w)),
        met=float(np.average(hit, weights=w)),
        over=bias.severity(p, hit, g, w=w),
        brier=calibration.brier(p, hit, g, w),
        ece=calibration.ece(p, hit, g, w=w),
        bins=tuple(b for b in calibration.reliability(p, hit, g) if b.shown),
        curve=None if corrected is None else corrected[0],
        better=None if corrected is None else corrected[1].figure,
    )


def alike(one: npt.ArrayLike, other: npt.ArrayLike, near: float) -> Array:
    """Whether two values differ by at most `near`, bool[n]."""
    return np.asarray(np.abs(np.asarray(one) - np.asarray(other)) <= near)


def alike_pairs(values: Sequence[float], near: float) -> float:
    """The share of pairs among at least two values that differ by at most `near`."""
    pairs = np.array(list(combinations(values, 2)))
    return float(alike(pairs[:, 0], pairs[:, 1], near).mean())


def moved(before: npt.ArrayLike, after: npt.ArrayLike, near: float) -> float:
    """The share of cells whose value changed by more than `near`."""
    return float((~alike(before, after, near)).mean())
