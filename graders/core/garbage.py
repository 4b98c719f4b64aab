"""Keeps Python's garbage collector from holding up what others wait for.

A full collection takes a tenth of a second, in which its thread stands still and keeps the locks
that it holds.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: New objects before the youngest are looked through, and such looks before the next older ones
#: are: thirty times as rare as usual.
RARELY = (20_000, 20, 20)


def _nothing() -> None:
    """Nothing was changed, so nothing is put back."""


class _Quiet:
    """A quiet time that many may share: it begins with the first and ends with the last of them."""

    def __init__(self, begin: Callable[[], Callable[[], None]]) -> None:
        self._begin = begin
        self._guard = threading.Lock()
        self._inside = 0
        self._end = _nothing

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._guard:
            if not self._inside:
                self._end = self._begin()
            self._inside += 1
        try:
            yield
        finally:
            with self._guard:
                self._inside -= 1
                if not self._inside:
                    self._end()


def _begin_rarely() -> Callable[[], None]:
    usual, ours = gc.get_threshold(), not gc.get_freeze_count()
    if ours:
        gc.freeze()
    gc.set_threshold(*RARELY)

    def end() -> None:
        gc.set_threshold(*usual)
        if ours:
            gc.unfreeze()

    return end


def _begin_never() -> Callable[[], None]:
    if not gc.isenabled():
        return _nothing
    gc.disable()
    return gc.enable


#: ``with rarely_collecting():`` garbage is looked for rarely, and not among what is there already:
#: of a run of five seconds with many calls at once all collections took a twentieth.
rarely_collecting = _Quiet(_begin_rarely)
#: ``with not_collecting():`` it is not looked for at all: for the moments in which others wait,
#: such as a write transaction.
not_collecting = _Quiet(_begin_never)
