"""How many labels a figure or a promise needs, in cells."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.confidence_level import LEVEL

#: Variance by questions over variance by independent cells, where nothing is known yet.
DEFF = 1.5
#: Normal quantile of a 95 % interval, as textbooks round it.
Z = 1.96
#: A search for labels ends here: no project has more cells.
MOST = 1_000_000


def more_labels(n: int, half_width: float, wanted: float) -> int:
    """Labels that `n` lack for an interval of +- `wanted`, which is now +- `half_width`: n ((h /
    wanted)² - 1)."""
    _positive("half_width", wanted)
    return max(0, _up(n * ((half_width / wanted) ** 2 - 1)))


def routing_labels(
    alpha: float,
    delta: float,
    allowed: int = 0,
    true_error: float | None = None,
    power: float = 0.8,
    deff: float = 1,
    share: float = 1,
) -> int:
    """Labels that a test of "error <= `alpha`, sure to 1 - `delta`" needs.

    Without `true_error`: the fewest with which `allowed` errors still pass, P(Bin(n, alpha) <=
    allowed) <= delta (for none ln delta / ln(1 - alpha)). With it: the fewest from which on the
    test passes with probability `power` when that is the error. Both times `deff` and divided by
    the `share` of all cells that the region holds. InputError where no number will do.
    """
    _open_share("alpha", alpha)
    _open_share("delta", delta)
    if true_error is None:
        n = _fewest(alpha, delta, allowed)
    elif true_error >= alpha:
        raise InputError(
            **error_parts("statistics.error_above", true_error=true_error, alpha=alpha)
        )
    else:
        n = _powerful(alpha, delta, true_error, power)
    return _up(n * deff / share)


def provable_error(alpha: float, delta: float, labels: int, power: float = 0.8) -> float | None:
    """The largest true error with which a test of "error <= `alpha`, sure to 1 - `delta`" on so
    many labels passes with probability `power`; None where not even labels without an error
    suffice."""
    from scipy.special import bdtr, bdtri

    _open_share("alpha", alpha)
    _open_share("delta", delta)
    if labels < 1 or bdtr(0, labels, alpha) > delta:
        return None
    allowed = int(np.searchsorted(bdtr(np.arange(labels), labels, alpha), delta, side="right")) - 1
    return float(bdtri(allowed, labels, power))


def half_width(labels: int, share: float = 0.5, deff: float = DEFF) -> float:
    """Half the width of a 95 % interval of an agreement `share` on so many labels; 1/2 is the
    widest."""
    _share("agreement", share)
    return min(1.0, Z * math.sqrt(share * (1 - share) * deff / labels)) if labels else 1.0


def detectable(se: float, df: float, power: float = 0.8, level: float = LEVEL) -> float:
    """The smallest true difference whose interval at `level` leaves out 0 with probability `power`
    (Cohen 1988, two-sided t-test).

    (t_{(1 + level) / 2} + t_{power}) se, with `df` degrees of freedom of the standard error `se`.
    """
    from scipy.special import stdtrit

    _positive("standard_error", se)
    _positive("degrees_of_freedom", df)
    return float((stdtrit(df, (1 + level) / 2) + stdtrit(df, power)) * se)


def _fewest(alpha: float, delta: float, allowed: int) -> int:
    from scipy.special import bdtr

    low, high = allowed + 1, allowed + 2
    while bdtr(allowed, high, alpha) > delta:
        high *= 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if bdtr(allowed, middle, alpha) <= delta else (middle + 1, high)
    return low


def _powerful(alpha: float, delta: float, true_error: float, power: float) -> int:
    """Smallest n with P(Bin(n, true_error) <= c(n)) >= power, c(n) the most errors that pass: the
    best n for each c is its fewest."""
    from scipy.special import bdtr

    # Power grows with c: where it does not suffice beyond MOST labels, no smaller c needs a look.
    beyond = np.array([math.ceil(alpha * MOST)])
    if bdtr(beyond, _fewest_each(alpha, delta, beyond), true_error)[0] < power:
        raise InputError(
            **error_parts("statistics.error_near", true_error=true_error, alpha=alpha, most=MOST)
        )
    start, many = 0, 256
    while True:
        allowed = np.arange(start, start + many)
        n = _fewest_each(alpha, delta, allowed)
        enough = np.flatnonzero(bdtr(allowed, n, true_error) >= power)
        if len(enough):
            return int(n[enough[0]])
        start, many = start + many, 2 * many


def _fewest_each(alpha: float, delta: float, allowed: npt.NDArray[np.int_]) -> npt.NDArray[np.int_]:
    """`_fewest` of many at once."""
    from scipy.special import bdtr, btdtria

    # P(Bin(n, alpha) <= c) is the incomplete beta function of (n - c, c + 1) at 1 - alpha: solved
    # for n, then made exact.
    n: npt.NDArray[np.int_] = np.maximum(
        allowed + 1, np.ceil(allowed + btdtria(delta, allowed + 1.0, 1 - alpha)).astype(int)
    )
    n += bdtr(allowed, n, alpha) > delta
    n -= (n - 1 > allowed) & (bdtr(allowed, n - 1, alpha) <= delta)
    return n


def _up(n: float) -> int:
    return math.ceil(n - 1e-9)


def _share(figure: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise InputError(
            **error_parts(
                "statistics.share_closed", figure=say(f"statistics.figure.{figure}"), value=value
            )
        )


def _open_share(figure: str, value: float) -> None:
    if not 0 < value < 1:
        raise InputError(
            **error_parts(
                "statistics.share_open", figure=say(f"statistics.figure.{figure}"), value=value
            )
        )


def _positive(figure: str, value: float) -> None:
    if not value > 0 or not math.isfinite(value):
        raise InputError(
            **error_parts(
                "statistics.not_positive", figure=say(f"statistics.figure.{figure}"), value=value
            )
        )
