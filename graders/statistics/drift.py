"""Watching what was made automatic: a sequential test over audits that were drawn from it and
graded blind."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.arrays import Array, same_length
from graders.statistics.proportion import clopper_pearson

#: An audit drawn with a smaller chance would decide by its weight alone.
MIN_PROBABILITY = 0.02
#: Sum of 1/k² over all looks.
ALL_LOOKS = math.pi**2 / 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """What the audit says: the `rate` of errors, its one-sided upper bound at `level` (this look's
    share of the whole), and whether it raises an alert. `left_out`: audits drawn with too small a
    chance."""

    alarm: bool
    p: float
    rate: float | None
    upper: float | None
    level: float
    audits: int
    left_out: int
    method: str


def drift(
    audit_error: npt.ArrayLike,
    pi: npt.ArrayLike,
    g: npt.ArrayLike,
    alpha: float,
    look: int | None = 1,
    level: float = 0.05,
) -> Drift:
    """Whether the audit contradicts "error at most `alpha`" at its `look`-th look (None: the only
    look there will be).

    `audit_error`: bool[m], all audits so far; `pi`: float[m], chances of their draw; `g`: int[m]
    questions. Look k has the level 6 / pi² `level` / k², which sums to `level` over all looks; an
    only look has it all.
    Equal chances: exact binomial test; else a t-test by questions of the sum of (error - alpha) /
    pi.
    """
    x, chance, questions = same_length(audit_error, pi, g)
    if look is not None and look < 1:
        raise InputError(**error_parts("statistics.look", look=str(look)))
    used = chance.astype(float) >= MIN_PROBABILITY
    hit, weight, questions = x[used].astype(bool), 1 / chance[used].astype(float), questions[used]
    share = _share(level, look)
    m, left_out = len(hit), int((~used).sum())
    if not m:
        return Drift(
            alarm=False,
            p=1.0,
            rate=None,
            upper=None,
            level=share,
            audits=0,
            left_out=left_out,
            method="no audits",
        )
    if np.ptp(weight) < 1e-9 * weight[0]:
        errors = int(hit.sum())
        p, method = _at_least(errors, m, alpha), "exact binomial"
        upper: float | None = clopper_pearson(errors, m, 1 - 2 * share)[1]
    else:
        p, upper = _weighted_p(hit, weight, questions, alpha, share)
        method = say("statistics.method.weighted")
    rate = float((weight * hit).sum() / weight.sum())
    return Drift(
        alarm=p <= share,
        p=p,
        rate=rate,
        upper=upper,
        level=share,
        audits=m,
        left_out=left_out,
        method=method,
    )


def _at_least(x: int, n: int, alpha: float) -> float:
    from scipy.special import bdtrc

    return 1.0 if x == 0 else float(bdtrc(x - 1, n, alpha))


def _weighted_p(
    hit: Array, weight: Array, g: Array, alpha: float, level: float
) -> tuple[float, float | None]:
    """One-sided p that the weighted error is at most alpha, and its upper bound, from sums by
    question."""
    from scipy.special import stdtr, stdtrit

    group = np.unique(g, return_inverse=True)[1]
    excess = np.bincount(group, weights=weight * (hit - alpha))
    groups, rate = len(excess), float((weight * hit).sum() / weight.sum())
    if groups < 2:
        return 1.0, None
    around = np.bincount(group, weights=weight * (hit - rate))
    se = math.sqrt(groups / (groups - 1) * float((around**2).sum()))
    if se < 1e-12:  # all alike: no spread is not certainty
        return 1.0, None
    reach = float(stdtrit(groups - 1, 1 - level)) * se / float(weight.sum())
    return float(stdtr(groups - 1, -float(excess.sum()) / se)), min(1.0, rate + reach)


def ringing(alpha: float, audits: int, look: int, level: float = 0.05) -> int | None:
    """The fewest errors among so many audits, drawn with equal chance, that raise an alert at a
    look; None where no number does."""
    share = _share(level, look)
    for errors in range(1, audits + 1):
        if _at_least(errors, audits, alpha) <= share:
            return errors
    return None


def _share(level: float, look: int | None) -> float:
    """The part of `level` that a look has; an only look (None) has it all."""
    return level if look is None else level / ALL_LOOKS / look**2
