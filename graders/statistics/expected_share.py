"""What labels are expected to leave to the machine, placed or drawn at random, before one is given:
the draw and its test are simulated on as many cells as a project has.

In each run the chance of an error rises along the order, from the surest cell to the most doubtful
one: its logit is that of the mean error which machines state themselves, moved, plus a slope times
the logit of the cell's place (logistic recalibration: Cox 1958, Two further applications of a model
for binary regression). Before labels, move and slope are as uncertain as they are over the public
data sets (docs/routing-figures.md); labels that are there already say which are likely. The runs
promise nothing: the test that is made of real labels does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from graders.statistics.arrays import Array
from graders.statistics.budget import routing_labels
from graders.statistics.placement import ALLOWED as ALLOWED_PLACED
from graders.statistics.placement import INSIDE, INSIDE_SHARE, MANY, NARROW, WIDE
from graders.statistics.promise import broken_at, hypergeometric_tail
from graders.statistics.risk_control import ALLOWED, START, STEP

#: Simulated draws of each kind.
RUNS = 300
#: Moves and slopes (logits), and what they are before labels: mean and standard deviation, from the
#: public data sets.
MOVES, SLOPES = np.linspace(-2.0, 3.0, 21), np.linspace(-0.6, 1.4, 11)
MOVE, SLOPE = (0.4, 1.0), (0.4, 0.4)
#: Places per slice of the order at which the chance of an error is taken.
POINTS = 10
#: A draw is recommended over the other, or at all, for so many more of the cells.
WORTH = 0.02
#: No mean error is nearer to 0 or 1: machines that are certain are wrong at times.
CERTAIN = 0.005


@dataclass(frozen=True, slots=True)
class Expected:
    """A share of the cells without a label: on average over the runs, and between which shares 8 in
    10 of them end."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, shares: Array) -> Expected:
        """Of the shares of all runs."""
        low, high = np.quantile(shares, (0.1, 0.9)).tolist()
        return cls(float(shares.mean()), low, high)


#: Nothing is expected.
NONE = Expected(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Draws:
    """What so many `labels` of `cells` are expected to leave to the machine: `placed`, and drawn at
    `random`."""

    labels: int
    cells: int
    placed: Expected
    random: Expected

    @property
    def gains(self) -> bool:
        """Whether placing them is worth it: it leaves more to the machine than a random draw, whose
        labels serve every other figure too."""
        return self.placed.mean - self.random.mean >= WORTH

    @property
    def nothing(self) -> bool:
        """Whether neither draw leaves anything worth it to the machine."""
        return max(self.placed.mean, self.random.mean) < WORTH


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Labels that are there: the `place` of their cells in the order, float[k] above 0 (the surest)
    and below 1, and whether the machine was `wrong`, bool[k]."""

    place: Array
    wrong: Array


NOTHING_KNOWN = Known(np.zeros(0), np.zeros(0, bool))


def expected_shares(
    stated: float,
    cells: int,
    labels: int,
    alpha: float = 0.1,
    delta: float = 0.1,
    known: Known = NOTHING_KNOWN,
) -> Draws:
    """Simulate both draws of `labels` labels among `cells` cells; `stated`: the mean error that
    machines state themselves. What it takes does not grow with the cells."""
    slices, budget = round(1 / STEP), min(labels, cells)
    if cells < slices:
        return Draws(budget, cells, NONE, NONE)
    sizes = np.diff([round(at * STEP * cells) for at in range(slices + 1)])
    at = (np.arange(slices * POINTS) + 0.5) / (slices * POINTS)
    by_curve = _errors(stated, at).reshape(-1, slices, POINTS).mean(axis=2)
    random, weights = np.random.default_rng(0), likely(stated, known)
    shares = np.zeros((2, RUNS))
    for run, curve in enumerate(random.choice(len(weights), RUNS, p=weights).tolist()):
        errors = random.binomial(sizes, by_curve[curve])
        world = _World(sizes, errors, budget, alpha, delta, random)
        shares[:, run] = world.placed(), world.at_random()
    return Draws(budget, cells, Expected.of(shares[0]), Expected.of(shares[1]))


def places(sure: Array) -> Array:
    """float[n]: the places of cells in the order from sure to doubtful, above 0 and below 1."""
    found = np.empty(len(sure))
    found[np.argsort(-sure, kind="stable")] = (np.arange(len(sure)) + 0.5) / max(1, len(sure))
    return found


def likely(stated: float, known: Known = NOTHING_KNOWN) -> Array:
    """float[moves x slopes]: how likely each move and slope is, given labels."""
    (move, wide), (slope, steep) = MOVE, SLOPE
    prior = ((MOVES - move) / wide)[:, None] ** 2 + ((SLOPES - slope) / steep) ** 2
    chance = _errors(stated, known.place)
    told = np.log(np.where(known.wrong, chance, 1 - chance)).sum(axis=1) - prior.ravel() / 2
    found = np.exp(told - told.max())
    return np.asarray(found / found.sum())


def _errors(stated: float, at: Array) -> Array:
    """float[moves x slopes, k]: the chance of an error at places in the order."""
    level = min(max(stated, CERTAIN), 1 - CERTAIN)
    logit = np.log(level / (1 - level)) + np.add.outer(
        MOVES, np.multiply.outer(SLOPES, np.log(at / (1 - at)))
    )
    return np.asarray(1 / (1 + np.exp(-logit.reshape(len(MOVES) * len(SLOPES), -1))))


@dataclass(frozen=True, slots=True, eq=False)
class _World:
    """One run: how many cells and errors each slice of the order holds, and the draws of a
    `budget` of labels in it."""

    sizes: npt.NDArray[np.int64]
    errors: npt.NDArray[np.int64]
    budget: int
    alpha: float
    delta: float
    random: np.random.Generator

    def at_random(self) -> float:
        """The share that labels drawn at random leave to the machine (`risk_control.select`)."""
        labels = self.random.multivariate_hypergeometric(self.sizes, self.budget)
        taken, _ = self._walk(labels, self._wrong(labels), START, ALLOWED)
        return self._share(taken, self.budget)

    def placed(self) -> float:
        """The share that placed labels leave to it (`placement.stage`)."""
        target, start = NARROW if self.budget < MANY else WIDE
        at, total = round(target / STEP), len(self.sizes)
        inside = int(self.sizes[:at].sum())
        first = min(self.budget, inside, max(INSIDE, round(INSIDE_SHARE * inside)))
        labels = np.zeros(total, np.int64)
        labels[:at] = self.random.multivariate_hypergeometric(self.sizes[:at], first)
        wrong = self._wrong(labels)
        taken, whole = self._walk(labels[:at], wrong[:at], start, ALLOWED_PLACED)
        while whole and at < total:
            shell = int(self.random.binomial(self.sizes[at], first / max(1, inside)))
            if labels.sum() + shell > self.budget:
                break
            labels[at] = shell
            wrong[at] = self._wrong(labels)[at]
            at += 1
            taken, whole = self._walk(labels[:at], wrong[:at], start, ALLOWED_PLACED)
        # what is left of the budget goes to doubtful cells, as far as there are some
        outside = int(self.sizes[at:].sum())
        return self._share(taken, min(self.budget, int(labels.sum()) + outside))

    def _wrong(self, labels: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """int[slices]: labels that differ."""
        found: npt.NDArray[np.int64] = self.random.hypergeometric(
            self.errors, self.sizes - self.errors, labels
        )
        return found

    def _walk(
        self,
        labels: npt.NDArray[np.int64],
        wrong: npt.NDArray[np.int64],
        start: float,
        allowed: int,
    ) -> tuple[int, bool]:
        """Cells without a label in the last region that passes before the first that fails, and
        whether all regions passed."""
        least = _least(self.alpha, self.delta, allowed)
        cells, n, x = np.cumsum(self.sizes[: len(labels)]), np.cumsum(labels), np.cumsum(wrong)
        begin, taken = start * self.sizes.sum() - 0.5, 0
        begun = False
        for size, seen, off in zip(cells.tolist(), n.tolist(), x.tolist(), strict=True):
            if not begun and (size < begin or seen < least):
                continue
            begun = True
            if not _passes(off, size, seen, self.alpha, self.delta):
                return taken, False
            taken = size - seen
        return taken, begun

    def _share(self, taken: int, labels: int) -> float:
        return taken / max(1, int(self.sizes.sum()) - labels)


@lru_cache(maxsize=1_000)
def _least(alpha: float, delta: float, allowed: int) -> int:
    return routing_labels(alpha, delta, allowed)


@lru_cache(maxsize=100_000)
def _passes(errors: int, cells: int, labels: int, alpha: float, delta: float) -> bool:
    worst = broken_at(errors, labels, cells, alpha)
    return hypergeometric_tail(errors, cells, worst, labels) <= delta
