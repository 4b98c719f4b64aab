"""How long long texts take, without waiting for the longest where shorter ones have told it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: A text of four times the length takes four times as long, sixteen times where the work is
#: quadratic.
STEP = 4
#: So much may the next step cost more than the last one did: caches end, buffers are made larger.
SPARE = 1.3
#: Seconds of the work in `slowness` on an idle machine.
KNOWN = 0.018


def too_slow(
    make: Callable[[int], T], work: Callable[[T], object], size: int, seconds: float = 1.0
) -> float:
    """The processor's seconds for `work` on what `make` makes of that `size`, where they are more
    than `seconds`; else 0.

    Seconds of a processor that nobody shares: what is too slow is measured again beside work whose
    time is known (`slowness`). It begins with a quarter: what would stay below the limit though it
    grew with the square of the length is not measured whole, nor what grows from a sixteenth to a
    quarter so slowly that the whole stays below it. (What grows faster takes minutes for a
    quarter.)
    """
    quarter = _taken(work, make(size // STEP))
    if quarter * STEP**2 < seconds:
        return 0.0
    growth = quarter / max(_taken(work, make(size // STEP**2)), 1e-6)
    if quarter * max(STEP, growth) * SPARE < seconds:
        return 0.0
    whole = make(size)
    if _taken(work, whole) < seconds:
        return 0.0
    before = slowness()
    taken = _taken(work, whole) / max(before, slowness())
    return taken if taken > seconds else 0.0


def slowness() -> float:
    """How much longer than on an idle machine of two cores the processor takes for the same work
    now, at least 1: neighbours cost caches."""
    text = "one word and 2 more, " * 20_000
    return max(1.0, _taken(re.compile(r"\b\w+\b").findall, text) / KNOWN)


def _taken(work: Callable[[T], object], what: T) -> float:
    start = time.process_time()
    work(what)
    return time.process_time() - start
