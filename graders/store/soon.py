"""Small writes that need not be waited for: done soon, in order, by a thread that ends when there
was nothing to do for a while."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager

#: Seconds without work after which the thread ends, and the most pieces in one transaction.
IDLE_SECONDS, TOGETHER = 2.0, 20


class Soon:
    """Does pieces of work inside `transaction()`, some together; `ending` is called in the thread
    before it ends.

    A piece must be something that may also not happen: it is lost when the process ends, or when a
    piece beside it fails.
    """

    def __init__(
        self, transaction: Callable[[], AbstractContextManager[object]], ending: Callable[[], None]
    ) -> None:
        self._transaction, self._ending = transaction, ending
        self.waiting: dict[Hashable, Callable[[], object]] = {}
        self._change = threading.Condition()
        self._running = False

    def __call__(self, key: Hashable, work: Callable[[], object]) -> None:
        """Do `work` soon; it takes the place of a piece with the same key that still waits."""
        with self._change:
            self.waiting[key] = work
            if self._running:
                self._change.notify()
            else:
                self._running = True
                threading.Thread(target=self._run, name="soon", daemon=True).start()

    def _run(self) -> None:
        try:
            while pieces := self._next():
                try:
                    with self._transaction():
                        for work in pieces:
                            work()
                except sqlite3.Error:
                    continue
        except BaseException:  # a piece broke: the next one begins a new thread
            self._running = False
            raise
        finally:
            self._ending()

    def _next(self) -> list[Callable[[], object]]:
        """The pieces that wait longest; none, and the thread is over, when none came for a
        while."""
        with self._change:
            self._running = bool(self.waiting) or bool(
                self._change.wait_for(lambda: self.waiting, IDLE_SECONDS)
            )
            return [self.waiting.pop(key) for key in list(self.waiting)[:TOGETHER]]
