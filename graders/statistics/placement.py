"""Labels placed where they decide: the default way to draw for routing on labels without order.

Simple random labels are spent on cells that will never be automatic. Here most are drawn inside the
region that is to be tested, the loosest at once, so that every stricter region holds a simple
random sample too. A number per cell, drawn once and kept, decides which cells of any region are
labelled: those with the smallest. The tests are those of `risk_control`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.statistics.arrays import Array, same_length
from graders.statistics.budget import routing_labels
from graders.statistics.risk_control import STEP, Selection, SortedCells, Terms, walk

#: From this many labels on, the wider target region is tried.
MANY = 150
#: (target region, first region) as shares of all cells, below and from MANY labels on.
NARROW, WIDE = (0.50, 0.35), (0.60, 0.30)
#: Labels inside the target region: all, up to the larger of this number and this share of its
#: cells.
INSIDE, INSIDE_SHARE = 220, 0.3
#: A region is tested once it holds labels that allow so many errors.
ALLOWED = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """Where a placed draw stands. `ask`: int[k], the cells to label next, none when done; `tested`:
    whether their labels enter the test (the last ones, on doubtful cells, do not); `selection`:
    what holds so far, None before the first test; `drawn`: bool[N], the cells whose labels made
    it."""

    ask: npt.NDArray[np.int64]
    tested: bool
    selection: Selection | None
    drawn: npt.NDArray[np.bool_]

    @property
    def done(self) -> bool:
        """Whether no label is asked for any more."""
        return not len(self.ask)


def stage(
    score: npt.ArrayLike,
    u: npt.ArrayLike,
    budget: int,
    labelled: npt.ArrayLike,
    error: npt.ArrayLike,
    alpha: float = 0.1,
    delta: float = 0.1,
    *,
    whole: bool = False,
) -> Stage:
    """What to label next, or what holds.

    `score`: float[N], fixed before any label; `u`: float[N], random numbers drawn once; `budget`:
    labels in all; `labelled`, `error`: bool[N], labels so far that this function asked for. First
    the smallest `u` inside the target region; if that region passes, shell by shell outwards with
    the same share of `u`; the labels that are left go to the least confident cells.
    """
    s, chance, known, wrong = same_length(score, u, labelled, error)
    s, known, wrong = s.astype(float), known.astype(bool), wrong.astype(bool)
    if not np.all(np.isfinite(s)) or len(np.unique(chance)) < len(chance):
        raise InputError(**error_parts("statistics.draw"))
    order, steps, at, start = _regions(s, budget)
    cut, first = _first_labels(order[: steps[at]], chance, budget)
    if not known[first].all():
        return Stage(
            ask=first[~known[first]], tested=True, selection=None, drawn=np.zeros(len(s), bool)
        )
    drawn = np.zeros(len(s), bool)
    drawn[first] = True
    least, first_share = routing_labels(alpha, delta, ALLOWED), start - 1e-9
    terms = Terms(alpha, delta, start=0.0, least=least, whole=whole)
    while True:
        sizes = [
            size for place, size in enumerate(steps[: at + 1], 1) if place * STEP >= first_share
        ]
        found = walk(SortedCells(s, order, sizes, drawn, wrong, np.arange(len(s))), terms)
        passed = bool(found.looks) and found.looks[-1].passed and found.cells == steps[at]
        if not passed or at + 1 == len(steps):
            break
        shell = order[steps[at] : steps[at + 1]]
        shell = shell[chance[shell] <= cut]
        if drawn.sum() + len(shell) > budget:
            break
        if not known[shell].all():
            return Stage(
                ask=shell[~known[shell]], tested=True, selection=_told(found, known), drawn=drawn
            )
        drawn[shell] = True
        at += 1
    outside = order[steps[at] :][::-1]
    left = [cell for cell in outside if not known[cell]][: max(0, budget - int(known.sum()))]
    return Stage(
        ask=np.array(left, np.int64), tested=False, selection=_told(found, known), drawn=drawn
    )


def reach(score: npt.ArrayLike, u: npt.ArrayLike, budget: int) -> npt.NDArray[np.int64]:
    """The cells that `stage` may come to ask for, whatever labels say: int[k]. Until it is over
    nobody is to see marks on them."""
    s, chance = same_length(score, u)
    order, steps, at, _ = _regions(s.astype(float), budget)
    cut, first = _first_labels(order[: steps[at]], chance, budget)
    outside = order[steps[at] :]
    least = outside[::-1][: max(0, budget - len(first))]
    return np.unique(np.concatenate([first, outside[chance[outside] <= cut], least])).astype(
        np.int64
    )


def _regions(s: Array, budget: int) -> tuple[Array, list[int], int, float]:
    """Cells from sure to doubtful, the sizes of all regions, which of them is the target, and the
    share of the first one."""
    target, start = NARROW if budget < MANY else WIDE
    steps = [round(share * STEP * len(s)) for share in range(1, round(1 / STEP) + 1)]
    return np.argsort(-s, kind="stable"), steps, round(target / STEP) - 1, start


def _first_labels(region: Array, u: Array, budget: int) -> tuple[float, Array]:
    """The largest random number used, and the cells of the target region that are labelled."""
    size = min(budget, len(region), max(INSIDE, round(INSIDE_SHARE * len(region))))
    cells = region[np.argsort(u[region], kind="stable")[:size]]
    return (float(u[cells[-1]]) if size else 0.0), cells


def _told(found: Selection, known: Array) -> Selection:
    """The selection with shares of all cells that have no label, tested or not."""
    automatic = found.automatic & ~known
    taken, free = int(automatic.sum()), int((~known).sum())
    return replace(
        found,
        automatic=automatic,
        share=taken / max(1, free),
        share_of_all=taken / max(1, len(known)),
    )


def random_numbers(seed: int, place: npt.ArrayLike, size: int) -> Array:
    """float[n]: the random numbers in 0..1 of the places 1..`size` in a draw's order, from a
    generator whose numbers never change; `place`: float[n], places divided by `size`."""
    at = np.rint(np.asarray(place, float) * size).astype(int) - 1
    found: Array = np.random.RandomState(seed).random_sample(size)[at]
    return found


def own_places(score: Array) -> Array:
    """Scores as places of their own in 0..1, ties in the order in which they come: a region ends
    between two cells, never in a tie."""
    found: Array = np.empty(len(score))
    found[np.argsort(-score, kind="stable")] = np.arange(len(score), 0, -1) / max(1, len(score))
    return found
