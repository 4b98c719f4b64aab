"""Which cells may be automatic at which risk.

The claim: with probability at least 1 - delta over the draw of the labels, at least 1 - alpha of
the automatic cells that were not labelled carry the value that a blind person would give. Cells are
sorted by a confidence that was fixed before the labels were read; regions of the most confident
cells are tested in a fixed order, from strict to loose, and the last that passes before the first
failure is taken (fixed-sequence form of Learn-Then-Test: Angelopoulos et al. 2021, arXiv
2110.01052; selective judging: Jung, Brahman, Choi 2024, arXiv 2407.18370). Stopping at the first
failure is what makes the looks free.

What is proved: one region that was fixed beforehand, whatever the dependence within questions,
since the draw is the randomness; and the sequence where `whole` promises on all cells of a region,
labelled ones included. On the rest of a region that was chosen along the sequence the evidence is
simulation (`make bench`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.arrays import Array, same_length
from graders.statistics.budget import routing_labels
from graders.statistics.promise import broken_at, clustered_p, hypergeometric_tail, upper_bound
from graders.statistics.resampling import Status

#: What the labels were drawn as: single cells; whole screens or whole questions, whose cells are
#: alike; either of cells and questions where nobody knows which: the test of each must pass.
Design = Literal["cells", "screens", "questions", "either"]

STEP = 0.05
START = 0.3
#: A first region must hold so many labels that this many errors still pass: else a few noisy cells
#: at the top end the sequence.
ALLOWED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One test. The region: `cells` most confident cells, from `threshold` up, a share `coverage`
    of all; inside `labels`, of which `errors` differ; `fewest`: errors in the whole region that
    would break the promise (0 where not counted); `p`: the chance of so few errors if it were
    broken."""

    coverage: float
    threshold: float
    cells: int
    labels: int
    errors: int
    fewest: int
    p: float
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selection:
    """The region that passed.

    `automatic`: bool[N], its cells without a label. `share`: automatic cells / all cells without a
    label; `share_of_all`: / all cells. `upper`: the bound on the error among automatic cells, sure
    to 1 - delta. `looks`: all tests made. ``INCONCLUSIVE``: no region passed; `missing`: about how
    many more labels would do, drawn like these (None: no number will, or unknown).
    """

    status: Status
    reason: str
    alpha: float
    delta: float
    design: Design
    threshold: float | None
    automatic: npt.NDArray[np.bool_]
    share: float
    share_of_all: float
    cells: int
    labels: int
    errors: int
    p: float | None
    upper: float | None
    looks: tuple[Look, ...]
    missing: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stratum:
    """One of several groups of cells (criterion x task type) with a sequence of its own; `codes`:
    the strata merged in it."""

    codes: tuple[int, ...]
    cells: npt.NDArray[np.bool_]
    selection: Selection

    @classmethod
    def alone(cls, code: int, selection: Selection) -> Stratum:
        """The only stratum of a test: all cells of its selection."""
        return cls(
            codes=(code,), cells=np.ones(len(selection.automatic), bool), selection=selection
        )


def select(
    score: npt.ArrayLike,
    labelled: npt.ArrayLike,
    error: npt.ArrayLike,
    g: npt.ArrayLike,
    alpha: float = 0.1,
    delta: float = 0.1,
    design: Design = "cells",
    start: float = START,
) -> Selection:
    """The loosest region of confident cells whose error is at most `alpha`, sure to 1 - `delta`.

    `score`: float[N], higher is surer, fixed before labels were read; `labelled`: bool[N]; `error`:
    bool[N], whether the label differs from the machine's value, read where labelled; `g`: int[N]
    questions. Regions hold .05, .10 ... of all cells, ties whole; the first has at least `start` of
    them and enough labels for two errors. Labels of ``cells`` are a simple random sample of cells
    (answers drawn with all their cells are one, per criterion); of ``screens`` and ``questions``
    the test divides counts by the design effect (Korn, Graubard 1998) and needs 20 questions.
    ``either`` makes both tests, and the weaker one counts.
    """
    s, known, wrong, questions = _checked(score, labelled, error, g)
    least = routing_labels(alpha, delta, ALLOWED)
    return walk(
        SortedCells.of(s, known, wrong, questions),
        Terms(alpha, delta, design=design, start=start, least=least),
    )


def select_strata(
    score: npt.ArrayLike,
    labelled: npt.ArrayLike,
    error: npt.ArrayLike,
    g: npt.ArrayLike,
    strata: npt.ArrayLike,
    alpha: float = 0.1,
    delta: float = 0.1,
    design: Design = "cells",
) -> tuple[Stratum, ...]:
    """`select` per stratum int[N], each at delta / S, so that all promises hold together.

    Strata with fewer labels than a test needs to pass without an error are merged with each other
    (and, if that is still too few, with the smallest of the others) before any label is read.
    """
    s, known, wrong, questions = _checked(score, labelled, error, g)
    groups = merged_strata(known, strata, alpha, delta)
    made = []
    for codes in groups:
        inside = np.isin(np.asarray(strata), codes)
        part = select(
            s[inside],
            known[inside],
            wrong[inside],
            questions[inside],
            alpha,
            delta / len(groups),
            design,
        )
        made.append(Stratum(codes=codes, cells=inside, selection=part))
    return tuple(made)


def merged_strata(
    labelled: npt.ArrayLike, strata: npt.ArrayLike, alpha: float = 0.1, delta: float = 0.1
) -> tuple[tuple[int, ...], ...]:
    """Which strata are tested together: those that alone have too few labels at delta / S are
    joined."""
    known, codes = same_length(np.asarray(labelled, bool), strata)
    names = [int(code) for code in np.unique(codes)]
    if not names:
        return ()
    labels = {code: int(known[codes == code].sum()) for code in names}
    enough = routing_labels(alpha, delta / len(names))
    apart = sorted(
        (code for code in names if labels[code] >= enough), key=lambda code: labels[code]
    )
    small = [code for code in names if labels[code] < enough]
    if small and apart and sum(labels[code] for code in small) < enough:
        small.append(apart.pop(0))
    return tuple(sorted([*((code,) for code in apart), *([tuple(sorted(small))] if small else [])]))


def tied_sizes(descending: Array) -> list[int]:
    """Cells of the regions at coverage .05, .10 ... 1, for scores in descending order.

    The threshold is the score that follows the first share of the cells; cells with an equal score
    are inside.
    """
    n = len(descending)
    if not n:
        return []
    last = [
        descending[min(n - 1, round(step * STEP * n))] for step in range(1, round(1 / STEP) + 1)
    ]
    return sorted({int(np.searchsorted(-descending, -score, side="right")) for score in last})


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a test: an error of at most `alpha`, sure to 1 - `delta`, on labels drawn by
    `design`.

    The first region has at least the share `start` of all cells and `least` labels. `whole`: the
    promise speaks of all cells of a region, not only of those without a label.
    """

    alpha: float
    delta: float
    design: Design = "cells"
    start: float = START
    least: int = 1
    whole: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SortedCells:
    """Cells ready to be tested, at one risk or at several: `order` int[N], positions from
    the surest cell on, and `sizes` of the regions; the rest as in `select`."""

    score: Array
    order: Array
    sizes: Sequence[int]
    labelled: Array
    error: Array
    g: Array

    @classmethod
    def of(cls, score: Array, labelled: Array, error: Array, g: Array) -> SortedCells:
        """`score` float[N], higher is surer; bool[N] `labelled` and `error`; questions int[N]."""
        order = np.argsort(-score, kind="stable")
        return cls(score, order, tied_sizes(score[order]), labelled, error, g)

    def at(self, alpha: float, delta: float, design: Design = "cells") -> npt.NDArray[np.bool_]:
        """bool[N]: the cells that would be automatic at this risk."""
        least = routing_labels(alpha, delta, ALLOWED)
        return walk(self, Terms(alpha, delta, design=design, least=least)).automatic


def walk(cells: SortedCells, terms: Terms) -> Selection:
    """Test the regions of `cells`, from the smallest one that the terms allow, until one fails."""
    order, labelled, error = cells.order, cells.labelled, cells.error
    known = labelled[order]
    n_inside, x_inside = np.cumsum(known), np.cumsum(known & error[order])
    looks: list[Look] = []
    for size in filter(None, cells.sizes):
        n, x = int(n_inside[size - 1]), int(x_inside[size - 1])
        if not looks and (size < terms.start * len(order) - 0.5 or n < terms.least):
            continue
        region, exact = order[:size], terms.design in ("cells", "either")
        worst = broken_at(x, n, size, terms.alpha, whole=terms.whole) if exact else 0
        p = hypergeometric_tail(x, size, worst, n) if exact else 0.0
        if terms.design != "cells":
            p = max(p, clustered_p(region, labelled, error, cells.g, terms.alpha))
        passed = p <= terms.delta
        looks.append(
            Look(
                coverage=size / len(order),
                threshold=float(cells.score[order[size - 1]]),
                cells=size,
                labels=n,
                errors=x,
                fewest=worst,
                p=p,
                passed=passed,
            )
        )
        if not passed:
            break
    return _selection(order, labelled, looks, terms)


def _selection(order: Array, labelled: Array, looks: Sequence[Look], terms: Terms) -> Selection:
    passed = [look for look in looks if look.passed]
    last = passed[-1] if passed else None
    inside = np.zeros(len(order), bool)
    inside[order[: last.cells if last else 0]] = True
    automatic = inside & ~labelled
    free, total = int(automatic.sum()), int((~labelled).sum())
    found = Selection(
        status="OK",
        reason="",
        alpha=terms.alpha,
        delta=terms.delta,
        design=terms.design,
        threshold=last.threshold if last else None,
        automatic=automatic,
        share=free / total if total else 0.0,
        share_of_all=free / len(order) if len(order) else 0.0,
        cells=last.cells if last else 0,
        labels=last.labels if last else 0,
        errors=last.errors if last else 0,
        p=last.p if last else None,
        upper=_upper(last, terms) if last else None,
        looks=tuple(looks),
    )
    if not labelled.any():
        return replace(
            found,
            status="UNDEFINED",
            reason=say("statistics.no_blind_labels"),
            missing=_shortage(0, 0, terms)[1],
        )
    if last and not free:
        return replace(found, status="INCONCLUSIVE", reason=say("statistics.all_labelled"))
    if last:
        return found
    reason, missing = (
        _failure(looks[0], labelled, terms)
        if looks
        else _shortage(int(labelled.sum()), len(order), terms)
    )
    return replace(found, status="INCONCLUSIVE", reason=reason, missing=missing)


def _upper(look: Look, terms: Terms) -> float | None:
    if terms.design != "cells" or terms.whole:
        return terms.alpha
    return upper_bound(look.errors, look.labels, look.cells, terms.delta)


def _shortage(labels: int, cells: int, terms: Terms) -> tuple[str, int]:
    """No region had enough labels to begin: as many are needed as put `least` into the first."""
    needed = math.ceil(terms.least / max(terms.start, STEP))
    missing = max(1, needed - labels)
    return (
        say("statistics.too_few_to_begin", labels=labels, least=terms.least),
        missing,
    )


def _failure(look: Look, labelled: Array, terms: Terms) -> tuple[str, int | None]:
    """The strictest region failed."""
    rate = look.errors / look.labels
    said = say("statistics.strictest", errors=look.errors, labels=look.labels)
    if look.p >= 1 and look.errors == 0 and look.cells == look.labels:
        return say("statistics.all_labelled"), None
    if rate >= terms.alpha:
        return say("statistics.strictest.never", errs=said, alpha=terms.alpha), None
    inside = look.labels / max(1, int(labelled.sum()))
    try:
        wanted = routing_labels(terms.alpha, terms.delta, true_error=rate, share=inside)
    except InputError:
        return say("statistics.strictest.too_close", errs=said, alpha=terms.alpha), None
    return say("statistics.strictest.too_few", errs=said, alpha=terms.alpha), max(
        1, wanted - int(labelled.sum())
    )


def _checked(
    score: npt.ArrayLike, labelled: npt.ArrayLike, error: npt.ArrayLike, g: npt.ArrayLike
) -> tuple[Array, Array, Array, Array]:
    s, known, wrong, questions = same_length(score, labelled, error, g)
    if not np.all(np.isfinite(s.astype(float))):
        raise InputError(**error_parts("statistics.confidence"))
    return s.astype(float), known.astype(bool), wrong.astype(bool), questions
