"""How long long texts take, without waiting for the longest where shorter ones have told it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: A text of four times the length takes four times as long, sixteen times where the work is quadratic.
PART, GROWTH = 4, 16


def too_slow(make: Callable[[int], T], work: Callable[[T], object], size: int, seconds: float = 1.0) -> float:
    """The processor's seconds for `work` on what `make` makes of that `size`, where they are more than `seconds`; else 0.

    It begins with a quarter: what would stay below the limit though it grew with the square of the length is not measured whole.
    (What grows faster than that takes minutes for a quarter.)
    """
    if _taken(work, make(size // PART)) * GROWTH < seconds:
        return 0.0
    taken = _taken(work, make(size))
    return taken if taken > seconds else 0.0


def _taken(work: Callable[[T], object], what: T) -> float:
    start = time.process_time()
    work(what)
    return time.process_time() - start
