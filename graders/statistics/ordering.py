"""In which order doubtful cells are reviewed, so that a judge's errors are found early.

Begun by disagreement, continued by a chance of error that is learned from what reviewers found.
Disagreement alone can be worse than chance (a panel may share a bias, and the odd one out is
right). Cells reviewed in this order are no random sample: no estimate may treat them as drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.statistics.multinomial import fit

#: So many cells are taken by the prior before a model is trusted.
BEGIN = 50
BATCH = 25


def next_batch(
    features: npt.ArrayLike,
    prior: npt.ArrayLike,
    seen: npt.ArrayLike,
    error: npt.ArrayLike,
    size: int = BATCH,
) -> npt.NDArray[np.int64]:
    """int[<= size]: the unseen cells to review next, likeliest error first; fewer where fewer are
    left.

    `features`: float[N, d], NaN missing; `prior`: float[N], higher is more doubtful (disagreement),
    missing ones last; `seen`: int[s] cells reviewed so far; `error`: bool[s], whether the judge was
    wrong there. The prior decides among the first 50 cells, and for as long as all or none of them
    were errors; then a logistic model of what was seen, ties by the prior.
    """
    X, doubt, past, wrong = _checked(features, prior, seen, error)
    open_cells = np.ones(len(doubt), bool)
    open_cells[past] = False
    rest = np.flatnonzero(open_cells)
    if not begun(wrong) and len(past) < BEGIN:
        size = min(size, BEGIN - len(past))
    first = rest[np.argsort(-doubt[rest], kind="stable")]
    if begun(wrong) and len(first):
        chance = fit(X[past], wrong.astype(int)).probabilities(X[first], 2)[:, 1]
        first = first[np.argsort(-chance, kind="stable")]
    return first[:size]


def begun(error: npt.ArrayLike) -> bool:
    """Whether the chance of an error can be learned from `error` bool[s]: 50 cells were reviewed,
    some with an error, some without."""
    wrong = np.asarray(error, bool)
    return len(wrong) >= BEGIN and 0 < wrong.sum() < len(wrong)


def doubts(
    features: npt.ArrayLike, prior: npt.ArrayLike, seen: npt.ArrayLike, error: npt.ArrayLike
) -> npt.NDArray[np.float64]:
    """float[N]: how doubtful each cell is, in the order of `next_batch` (same arguments): for cells
    that are handed out in groups.

    The learned chance of an error; the prior, missing ones 0, for as long as nothing can be
    learned.
    """
    X, doubt, past, wrong = _checked(features, prior, seen, error)
    if not begun(wrong) or not len(X):
        return np.where(np.isneginf(doubt), 0.0, doubt)
    return fit(X[past], wrong.astype(int)).probabilities(X, 2)[:, 1]


@dataclass(frozen=True, slots=True, eq=False)
class Doubtful:
    """Cells of screens, an entry each: `features` float[N, d] (NaN missing), `prior` float[N],
    whether people must decide it still (`open`); `seen` int[s], places of those that are reviewed,
    and whether the machine was `wrong` there, bool[s]; how many `answers` a screen has."""

    screen: npt.NDArray[np.int64]
    features: npt.NDArray[np.float64]
    prior: npt.NDArray[np.float64]
    open: npt.NDArray[np.bool_]
    seen: npt.NDArray[np.int64]
    wrong: npt.NDArray[np.bool_]
    answers: Mapping[int, int]

    @classmethod
    def of(
        cls,
        screen: Sequence[int],
        features: Sequence[Sequence[float]],
        prior: Sequence[float],
        open_: Sequence[bool],
        wrong: Sequence[bool | None],
        answers: Mapping[int, int],
    ) -> Doubtful:
        """From one entry per cell; `wrong` is None where nothing is known."""
        seen = [place for place, known in enumerate(wrong) if known is not None]
        return cls(
            np.array(screen, np.int64),
            np.array(features, np.float64).reshape(len(screen), -1 if len(screen) else 0),
            np.array(prior, np.float64),
            np.array(open_, np.bool_),
            np.array(seen, np.int64),
            np.array([wrong[place] for place in seen], np.bool_),
            answers,
        )

    @property
    def reviewed(self) -> int:
        """How many are reviewed."""
        return len(self.seen)

    @property
    def begun(self) -> bool:
        """Whether the chance of an error can be learned from those that are reviewed."""
        return begun(self.wrong)

    def doubt_by_screen(self, screens: Iterable[int]) -> dict[int, float]:
        """How doubtful the open cells of each screen are together (`doubts`), per answer."""
        doubt = dict.fromkeys(screens, 0.0)
        each = doubts(self.features, self.prior, self.seen, self.wrong)
        for place in np.flatnonzero(self.open):
            if (screen := int(self.screen[place])) in doubt:
                doubt[screen] += float(each[place]) / self.answers[screen]
        return doubt


def _checked(
    features: npt.ArrayLike, prior: npt.ArrayLike, seen: npt.ArrayLike, error: npt.ArrayLike
) -> tuple[
    npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.bool_]
]:
    X, doubt = np.asarray(features, float), np.asarray(prior, float)
    past, wrong = np.asarray(seen, int), np.asarray(error, bool)
    if len(X) != len(doubt) or past.shape != wrong.shape:
        raise InputError(
            **error_parts(
                "statistics.review_order",
                features=len(X),
                priors=len(doubt),
                seen=len(past),
                errors=len(wrong),
            )
        )
    return X, np.where(np.isnan(doubt), -np.inf, doubt), past, wrong
