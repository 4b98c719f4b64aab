"""Python's collector of garbage, kept from stopping all calls at once."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: New objects before the youngest are looked through, and such looks before the next older ones are: thirty times as rare as usual.
RARELY = (20_000, 20, 20)
_guard = threading.Lock()
#: What was in force before the first of the runs that are inside, and whether it froze what was there; and how many there are.
_before: tuple[tuple[int, int, int], bool] = (gc.get_threshold(), False)
_inside = 0


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Meanwhile garbage is looked for rarely, and not among what is there already.

    Looking through all modules takes a tenth of a second, in which no reply is read and nothing is sent: of a run of five
    seconds with many calls at once all collections took a twentieth. Runs that overlap share one quiet time.
    """
    global _before, _inside
    with _guard:
        if not _inside:
            _before = (gc.get_threshold(), not gc.get_freeze_count())
            if _before[1]:
                gc.freeze()
            gc.set_threshold(*RARELY)
        _inside += 1
    try:
        yield
    finally:
        with _guard:
            _inside -= 1
            if not _inside:
                gc.set_threshold(*_before[0])
                if _before[1]:
                    gc.unfreeze()
