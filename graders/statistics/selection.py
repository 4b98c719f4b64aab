"""Whether answers with a label look like those without: what judges and rules say of both, and how
long they are.

Where chance chose, l (1 with a label) hangs on no such value x. Each question g adds
s_g = Σ (l - mean l)(x - mean x) over its answers, whose mean is then 0; the answers of one question
hang together, so that questions are what is counted: t = mean s / (sd s / √G) on G - 1 degrees of
freedom, a score test with clusters (Rotnitzky, Jewell 1990, Biometrika 77, 485; Boos 1992, The
American Statistician 46, 327). Of many values together Holm's rule (1979) keeps the chance of any
false alarm at `ALPHA`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from graders.statistics.arrays import Array
from graders.statistics.bias import holm

#: The chance that anything is said to differ where chance alone chose.
ALPHA = 0.05


class Beside(NamedTuple):
    """The mean of a value over answers with a label and over the others, how many they are, and the
    chance `p` of so great a difference where chance chose."""

    labelled: float
    others: float
    n_labelled: int
    n_others: int
    p: float


def beside(values: Array, labelled: Array, question: Array) -> Beside | None:
    """`values` float[n] (NaN: the answer is left out), `labelled` bool[n], `question` int[n]; None
    where one side is empty or there is one question."""
    from scipy.special import stdtr

    known = np.isfinite(values)
    x, has, g = values[known].astype(float), labelled[known], question[known]
    n = int(has.sum())
    if not 0 < n < len(x):
        return None
    g = np.unique(g, return_inverse=True)[1]
    s = np.bincount(g, weights=(has - has.mean()) * (x - x.mean()))
    G = len(s)
    if G < 2:
        return None
    spread = float(s.std(ddof=1)) / G**0.5
    mean = float(s.mean())
    if spread <= 1e-12:
        p = 1.0 if abs(mean) <= 1e-12 else 0.0
    else:
        p = float(2 * stdtr(G - 1, -abs(mean) / spread))
    return Beside(float(x[has].mean()), float(x[~has].mean()), n, len(x) - n, p)


def different(found: Sequence[Beside]) -> list[int]:
    """The places of those that differ more than chance would have it, the surest first."""
    if not found:
        return []
    p = holm(np.array([one.p for one in found]))
    return sorted(np.flatnonzero(p <= ALPHA).tolist(), key=lambda at: (found[at].p, at))
