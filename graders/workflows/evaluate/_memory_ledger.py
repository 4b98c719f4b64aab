"""A ledger that lasts as long as the process: for evaluations that name no workspace."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from graders.core.records import Reply, Request
from graders.workflows.calling.call import Reserved

#: Replies that are kept; the oldest go first.
MOST_REPLIES = 20_000


class MemoryLedger:
    """Keeps usable replies, and nothing about the way there. May be used by several threads at
    once."""

    def __init__(self) -> None:
        self._replies: dict[str, Reply] = {}
        self._lock = threading.RLock()

    @contextmanager
    def batch(self) -> Iterator[object]:
        """One thread at a time."""
        with self._lock:
            yield self

    def flush(self) -> None:
        """Nothing outlives the process."""

    def hold(self) -> float:
        """Nobody waits for long: as long as it takes."""
        return math.inf

    def known(self, key: str) -> Reply | None:
        """The stored usable reply of a key."""
        return self._replies.get(key)

    def reserve(self, key: str, request: Request, payload: str) -> Reserved:
        """Nobody outside this process shares the ledger, so a key is bought or ours."""
        return "bought" if key in self._replies else "reserved"

    def sent(self, key: str, attempt: int, cause: str) -> str:
        """Nothing outlives the process, so nothing is noted before a send."""
        return cause

    def stored(self, key: str, reply: Reply, money: float | None, usable: bool, cause: str) -> None:
        """Keep a usable reply."""
        if usable:
            self._replies[key] = reply
            while len(self._replies) > MOST_REPLIES:
                self._replies.pop(next(iter(self._replies)))

    def give_up(self, key: str, cause: str, reply: Reply) -> None:
        """An unusable reply is not kept."""

    def release(self, key: str) -> None:
        """Nothing was held."""
